// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// harness: the repaired case does not compile
// expect-error: broken either way
// expect-lines: 50
static_assert(false, "broken either way");
