// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// harness: wanted the text /unknown task/
// expect-error: unknown task
// expect-lines: 50
#ifndef FIXED
static_assert(false, "unknown slot");
#endif
