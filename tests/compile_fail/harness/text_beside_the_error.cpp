// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// harness: wanted the text
// expect-error: a_sentence
// expect-lines: 50
template <class Task>
struct a_sentence {
  static_assert(sizeof(Task) > 1000, "something else");
};

#ifndef FIXED
a_sentence<char> made;
#endif
