// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// harness: accepts
// expect-error: no_such_header
// expect-lines: 4
#ifndef FIXED
#  include "incomplete.hpp"
#endif
