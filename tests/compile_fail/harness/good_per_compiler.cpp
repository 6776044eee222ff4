// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// harness: accepts
// expect-error: worded by nobody
// expect-error-gcc: static assertion failed: the sentence
// expect-error-clang: static assertion failed.*the sentence
// expect-error-nvcc: static assertion failed with "the sentence"
// expect-lines: 1
// expect-lines-gcc: 4
// expect-lines-clang: 6
// expect-lines-nvcc: 6
#ifndef FIXED
static_assert(false, "the sentence");
#endif
