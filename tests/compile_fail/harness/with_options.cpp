// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// harness: accepts
// compile-with: -DLEFT -DRIGHT
// expect-error: the sentence
// expect-lines: 6
#if defined(LEFT) && defined(RIGHT)
static_assert(false, "the sentence");
#endif
