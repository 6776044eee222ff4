// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <stretto/stretto.hpp>
#include <string>

namespace compiled_test {

namespace st = stretto;

struct number : st::slot<int> {};
struct square : st::slot<int> {};

struct load {
  using stream = st::stream<"copy">;
  static constexpr int lookahead = 1;
  using reads = st::reads<number>;
  using writes = st::writes<square>;
  void operator()(const int& in, int& out) const {
    if (in == 13) throw std::string("unlucky");
    out = in * in;
  }
};

struct add {
  using stream = st::stream<"compute">;
  using reads = st::reads<square>;
  void operator()(const int& in) { sum += in; }
  int sum = 0;
};

struct squares : st::schedule<st::source<number>, st::result<square>,
                              st::streams<"copy", "compute">, load, add> {};

/// In another file of the program, as the class itself.
std::string described_elsewhere();
int sum_run_elsewhere();

}  // namespace compiled_test

extern template class stretto::pipeline<compiled_test::squares>;
