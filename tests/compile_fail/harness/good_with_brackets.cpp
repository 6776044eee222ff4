// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// harness: accepts
// expect-error: semicolon; and \[brackets
// expect-lines: 6
#ifndef FIXED
static_assert(false, "semicolon; and [brackets");
#endif
