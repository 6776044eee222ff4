// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// harness: wanted to be pointed at /pipeline/
// expect-error: a sentence
// expect-at: pipeline
// expect-lines: 50
#ifndef FIXED
static_assert(false, "a sentence");
#endif
