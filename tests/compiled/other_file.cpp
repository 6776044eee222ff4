// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <vector>
#include "squares.hpp"

namespace compiled_test {

std::string described_elsewhere() { return st::describe<squares>(); }

int sum_run_elsewhere() {
  st::pipeline<squares> pipeline;
  for ([[maybe_unused]] const int value : pipeline.run(std::vector{1, 2, 3})) {
  }
  return pipeline.task<add>().sum;
}

}  // namespace compiled_test

template class stretto::pipeline<compiled_test::squares>;
