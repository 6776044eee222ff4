// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Says of each line of its input whether the loader takes it for a schedule file.

#include <iostream>
#include <stretto/dynamic/file.hpp>
#include <string>

int main() {
  for (std::string line; std::getline(std::cin, line);)
    std::cout << (stretto::dynamic::schedule_file(line).ok() ? "yes\n" : "no\n");
}
