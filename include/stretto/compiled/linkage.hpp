// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Where functions that are no templates are compiled: in every file that uses them, or, where
/// STRETTO_COMPILED is defined, once, in the library `stretto::compiled`. Such functions are
/// declared in a header and defined in the file of its name that ends in `.ipp`, which the header
/// includes in the first case and compiled.hpp in the second.

#if defined(STRETTO_COMPILED)
#  define STRETTO_INLINE
#else
#  define STRETTO_INLINE inline
#endif
