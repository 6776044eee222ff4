// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// harness: wanted one error, got 2
// expect-error: first
// expect-lines: 50
#ifndef FIXED
static_assert(false, "first");
static_assert(false, "second");
#endif
