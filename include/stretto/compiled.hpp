// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// All that is compiled once where STRETTO_COMPILED is defined. Include it in one file of a program.

#if !defined(STRETTO_COMPILED)
#  error "stretto/compiled.hpp is for where STRETTO_COMPILED is defined"
#endif
