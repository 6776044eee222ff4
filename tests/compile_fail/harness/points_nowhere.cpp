// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// harness: wanted to be pointed at a line of the case
// expect-error: a sentence
// expect-lines: 50
#ifndef FIXED
#  line 1 "a_header.hpp"
static_assert(false, "a sentence");
#endif
