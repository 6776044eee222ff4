// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a project of somebody else compiles, however it found Stretto.
#include <stretto/stretto.hpp>
#include <vector>

namespace st = stretto;

struct number : st::slot<int> {};
struct square : st::slot<int> {};

struct multiply {
  using stream = st::stream<"compute">;
  using reads = st::reads<number>;
  using writes = st::writes<square>;
  void operator()(const int& in, int& out) const { out = in * in; }
};

struct squares
    : st::schedule<st::source<number>, st::result<square>, st::streams<"compute">, multiply> {};

int main() {
  st::pipeline<squares> pipeline;
  int sum = 0;
  for (const int value : pipeline.run(std::vector{1, 2, 3})) sum += value;
  return sum == 14 ? 0 : 1;
}
