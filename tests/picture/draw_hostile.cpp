// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Prints what is to be seen on a picture, a line each, then `===`, then the picture.

#include <iostream>
#include <stretto/dynamic/query/planned.hpp>
#include <stretto/picture/dot.hpp>
#include "hostile.hpp"

int main() {
  const stretto::dynamic::planned_schedule planned(hostile_schedule());
  for (const hostile_name& h : hostile_names()) std::cout << h.shown << "\n";
  std::cout << "===\n" << stretto::picture::to_dot(planned, {.implied = true});
}
