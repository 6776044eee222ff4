// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// harness: wanted at most 1 lines
// expect-error: long
// expect-lines: 1
#ifndef FIXED
static_assert(false, "long");
#endif
