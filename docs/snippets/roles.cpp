// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Three ranks of one process, one for each role.
#include <cstddef>
#include <cstdio>
#include <optional>
#include <stretto/dynamic.hpp>
#include <stretto/local.hpp>
#include <stretto/stretto.hpp>
#include <string>
#include <thread>
#include <vector>

namespace st = stretto;
namespace dynamic = stretto::dynamic;

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

// [lanes]
struct average {
  using role = st::role<"trainer">;
  static constexpr bool collective = true;  // among the trainers
  static constexpr int lookahead = 1;
  void operator()(st::context auto& ctx, st::in<sample> in, st::out<loss> out) const {
    out = ctx.all_reduced(in->front()) / static_cast<double>(ctx.ranks());
  }
};
struct in_lanes : st::schedule<st::source<line>, st::result<loss>, decode, to_trainer, average> {};
// [lanes]

// [value]
dynamic::schedule job_value() {
  using numbers = std::vector<double>;
  dynamic::task to_trainer = dynamic::transfer<numbers>("sample", "reader", {"trainer"}, 2);
  to_trainer.thread = "network";
  return {.name = "job",
          .source = {.slot = "line"},
          .results = {"loss"},
          .tasks = {{.name = "decode",
                     .lookahead = 3,
                     .role = "reader",
                     .reads = {"line"},
                     .writes = {"sample"},
                     .body = [](int in, numbers& out) { out.assign(4, in); }},
                    to_trainer,
                    {.name = "train",
                     .lookahead = 1,
                     .role = "trainer",
                     .reads = {"sample"},
                     .writes = {"loss"},
                     .body =
                         [weight = 1.0](const numbers& in, double& out) mutable {
                           for (const double x : in) weight += 0.01 * x;
                           out = weight;
                         }},
                    dynamic::transfer<double>("loss", "trainer", {"writer"}),
                    {.name = "record", .role = "writer", .reads = {"loss"}, .body = [](double in) {
                       std::printf("loss %g\n", in);
                     }}}};
}
// [value]

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
  // Two readers, two trainers: the second reader's lines are the first one's.
  std::vector<double> averages;
  {
    st::local::ranks lanes(4);
    const auto read = [&](std::size_t rank) {
      st::pipeline<st::projection<in_lanes, "reader">, st::local::collectives> lane{
          st::local::rank(lanes, rank)};
      for ([[maybe_unused]] const auto& batch : lane.run(file())) continue;
    };
    const auto train_at = [&](std::size_t rank) {
      st::pipeline<st::projection<in_lanes, "trainer">, st::local::collectives> lane{
          st::local::rank(lanes, rank)};
      for (const double l : lane.run(st::follow()))
        if (rank == 2) averages.push_back(l);
    };
    std::thread first([&] { read(0); });
    std::thread second([&] { read(1); });
    std::thread third([&] { train_at(3); });
    train_at(2);
    first.join();
    second.join();
    third.join();
  }
  for (int l = 0; l < lines; ++l)
    if (averages.at(static_cast<std::size_t>(l)) != l) return 1;
  std::vector<double> of_values;
  {
    st::local::ranks ranks(3);
    const auto run = [&](std::size_t rank, const std::string& role) {
      // [projection]
      dynamic::pipeline<st::local::collectives> pipeline{dynamic::projection(job_value(), role),
                                                         st::local::rank(ranks, rank)};
      // [projection]
      if (role == "reader") {
        for ([[maybe_unused]] const auto& batch : pipeline.run(file())) continue;
      } else {
        for (const dynamic::result& r : pipeline.run(st::follow()))
          if (role == "trainer") of_values.push_back(r.get<double>());
      }
    };
    std::thread first([&] { run(0, "reader"); });
    std::thread second([&] { run(1, "trainer"); });
    run(2, "writer");
    first.join();
    second.join();
  }
  return alone == together && alone == of_values &&
                 together.size() == static_cast<std::size_t>(lines)
             ? 0
             : 1;
}
