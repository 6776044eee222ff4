// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Fits a line to noisy points. While one batch trains, the next is already being made.
#include <iostream>
#include <random>
#include <ranges>
#include <stretto/stretto.hpp>
#include <vector>

namespace st = stretto;
using points = std::vector<std::pair<float, float>>;

struct seed : st::slot<unsigned> {};
struct batch : st::slot<points> {};
struct loss : st::slot<float> {};

struct generate {
  using stream = st::stream<"prepare">;
  static constexpr int lookahead = 1;  // one batch ahead of `train`
  using reads = st::reads<seed>;
  using writes = st::writes<batch>;
  void operator()(unsigned in, points& out) const {  // around y = 3x - 1
    std::minstd_rand random(in + 1);
    std::normal_distribution<float> noise(0, 0.1F);
    out.resize(64);
    for (auto& [x, y] : out) y = 3 * (x = noise(random) * 10) - 1 + noise(random);
  }
};

struct train {
  using stream = st::stream<"compute">;
  using reads = st::reads<batch>;
  using writes = st::writes<loss>;
  float slope = 0, offset = 0;  // a task may hold state
  void operator()(const points& in, float& out) {
    out = 0;
    for (const auto& [x, y] : in) {
      const float error = slope * x + offset - y;
      slope -= 0.002F * error * x;
      offset -= 0.002F * error;
      out += error * error / static_cast<float>(in.size());
    }
  }
};

struct training : st::schedule<st::source<seed>, st::result<loss>,
                               st::streams<"prepare", "compute">, generate, train> {};

int main() {
  std::cout << st::describe<training>();
  std::vector<float> losses, expected;
  st::pipeline<training> pipeline;
  for (const float l : pipeline.run(std::views::iota(0U, 100U))) losses.push_back(l);
  st::pipeline<st::serial<training>> baseline;  // same tasks, one after the other
  for (const float l : baseline.run(std::views::iota(0U, 100U))) expected.push_back(l);
  const auto& fit = pipeline.task<train>();
  std::cout << "\nloss " << losses.front() << " -> " << losses.back() << ", y = " << fit.slope
            << " x + " << fit.offset << (losses == expected ? ", " : ", NOT ") << "as serial\n";
  return losses == expected && losses.back() < 0.02F ? 0 : 1;
}
