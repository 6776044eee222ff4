// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Planning works without exceptions, running does not. A file that is not there ends the
// compilation with this sentence; after an #error it would go on, with an error for each `throw`.
#if !defined(__cpp_exceptions)
#  include "Stretto runs tasks with exceptions: compile without -fno-exceptions"
#endif
