// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// harness: compiled, but should not
// expect-error: anything
// expect-lines: 5
int main() {}
