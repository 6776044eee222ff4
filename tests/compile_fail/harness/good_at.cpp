// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// harness: accepts
// expect-error: only where it is called
// expect-at: run<task>
// expect-lines: 12
#line 1 "a_header.hpp"
template <class Task>
void run() {
  static_assert(sizeof(Task) > 1000, "only where it is called");
}
struct task {};
#line 13 "good_at.cpp"
int main() {
#ifndef FIXED
  run<task>();
#endif
}
