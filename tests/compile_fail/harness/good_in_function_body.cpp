// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// harness: accepts
// expect-error: only where it is called
// expect-lines: 12
template <class Task>
void run() {
  static_assert(sizeof(Task) > 1000, "only where it is called");
}
struct task {};

int main() {
#ifndef FIXED
  run<task>();
#endif
}
