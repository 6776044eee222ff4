// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Three ranks of one process, one for each role.
#include <cstddef>
#include <cstdio>
#include <optional>
#include <stretto/local.hpp>
#include <stretto/stretto.hpp>
#include <thread>
#include <vector>

namespace st = stretto;

struct line : st::slot<int> {};
struct sample : st::slot<std::vector<double>> {};
struct loss : st::slot<double> {};

// [tasks]
struct decode {
  using role = st::role<"reader">;
  static constexpr int lookahead = 3;
  void operator()(st::in<line> in, st::out<sample> out) const { out->assign(4, *in); }
};
struct train {
  using role = st::role<"trainer">;
  static constexpr int lookahead = 1;
  double weight = 1;
  void operator()(st::in<sample> in, st::out<loss> out) {
    for (const double x : *in) weight += 0.01 * x;
    out = weight;
  }
};
struct record {
  using role = st::role<"writer">;
  void operator()(st::in<loss> in) const { std::printf("loss %g\n", *in); }
};
// [tasks]

// [schedule]
struct to_trainer : st::transfer<sample, "reader", "trainer"> {
  using thread = st::thread<"network">;
  static constexpr int lookahead = 2;
};
struct job
    : st::schedule<st::source<line>, st::result<loss>,  //
                   decode, to_trainer, train, st::transfer<loss, "trainer", "writer">, record> {};
// [schedule]

constexpr int lines = 5;
auto file() {
  return [next = 0]() mutable { return next < lines ? std::optional(next++) : std::nullopt; };
}

int main() {
  std::vector<double> alone;
  std::vector<double> together;
  {
    // [alone]
    st::pipeline<job> on_one_rank;  // transfers leave values where they are
    for (const double l : on_one_rank.run(file())) alone.push_back(l);
    // [alone]
  }
  // [ranks]
  st::local::ranks all(3);
  std::thread reader([&] {
    st::pipeline<st::projection<job, "reader">, st::local::collectives> part{
        st::local::rank(all, 0)};
    for ([[maybe_unused]] const auto& batch : part.run(file())) continue;
  });
  std::thread trainer([&] {
    st::pipeline<st::projection<job, "trainer">, st::local::collectives> part{
        st::local::rank(all, 1)};
    for (const double l : part.run(st::follow())) together.push_back(l);
  });
  st::pipeline<st::projection<job, "writer">, st::local::collectives> part{st::local::rank(all, 2)};
  for ([[maybe_unused]] const double l : part.run(st::follow())) continue;
  reader.join();
  trainer.join();
  // [ranks]
  return alone == together && together.size() == static_cast<std::size_t>(lines) ? 0 : 1;
}
