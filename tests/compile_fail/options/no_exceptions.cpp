// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # A pipeline where exceptions are turned off
//
// compile-with: -fno-exceptions
// compile-with-nvcc: -Xcompiler -fno-exceptions
// expect-error: Stretto runs tasks with exceptions: compile without -fno-exceptions
// expect-lines: 20
#include <stretto/stretto.hpp>

int main() {}
