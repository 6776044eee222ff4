// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <optional>
#include <stdexcept>
#include <stretto/stretto.hpp>
#include <string>
#include <string_view>
#include <vector>

/// A schedule whose ranks differ: one reads, one trains, one keeps what comes out. One transfer
/// goes to two roles, one goes back.
namespace role_job {

namespace st = stretto;

struct number : st::slot<int> {};
struct sample : st::slot<std::vector<double>> {};
struct rate : st::slot<double> {};
struct loss : st::slot<double> {};
struct kept : st::slot<double> {};
struct echoed : st::slot<double> {};

/// Which task is to fail, and on which batch; empty: none.
struct mishap {
  std::string_view task{};
  std::size_t batch = 0;
  void operator()(st::context auto& ctx) const {
    if (ctx.task() == task && ctx.batch() == batch) throw std::runtime_error("disk full");
  }
};

struct decode {
  using role = st::role<"reader">;
  using thread = st::thread<"io">;
  static constexpr int lookahead = 4;
  using reads = st::reads<number>;
  using writes = st::writes<sample>;
  mishap failing{};
  void operator()(st::context auto& ctx, int in, std::vector<double>& out) const {
    failing(ctx);
    // None, a few, more than a message of MPI's takes along at once.
    out.assign(static_cast<std::size_t>(in % 5 == 4 ? 20'000 : in % 5), 1.0 / (in + 1));
  }
};
struct spread : st::transfer<sample, "reader", "trainer", "keeper"> {
  using thread = st::thread<"net">;
  static constexpr int lookahead = 3;
};
struct train {
  using role = st::role<"trainer">;
  static constexpr int lookahead = 2;
  using reads = st::reads<sample>;
  using writes = st::writes<loss>;
  mishap failing{};
  double sum = 0;
  void operator()(st::context auto& ctx, const std::vector<double>& in, double& out) {
    failing(ctx);
    for (const double x : in) sum += x * 0.1;
    out = sum;
  }
};
struct hand_over : st::transfer<loss, "trainer", "keeper"> {
  static constexpr int lookahead = 1;
};
struct keep_it {
  using role = st::role<"keeper">;
  using thread = st::thread<"io">;
  static constexpr int lookahead = 1;
  using reads = st::reads<loss, sample>;
  using writes = st::writes<kept>;
  mishap failing{};
  void operator()(st::context auto& ctx, double in, const std::vector<double>& of,
                  double& out) const {
    failing(ctx);
    out = in / (static_cast<double>(of.size()) + 3);
  }
};
struct send_back : st::transfer<kept, "keeper", "reader"> {};
struct echo {
  using role = st::role<"reader">;
  using reads = st::reads<kept, number>;
  using writes = st::writes<echoed>;
  void operator()(double in, int of, double& out) const { out = in * of; }
};

struct job : st::schedule<st::source<number>, st::result<kept, echoed>, decode, spread, train,
                          hand_over, keep_it, send_back, echo> {};

struct results {
  std::vector<double> kept;
  std::vector<double> echoed;
  friend bool operator==(const results&, const results&) = default;
};

/// What all ranks together do, on one.
template <class Schedule = st::serial<job>>
results on_one_rank(int batches) {
  st::pipeline<Schedule> pipeline;
  results all;
  int next = 0;
  for (const auto& [k, e] :
       pipeline.run([&] { return next < batches ? std::optional(next++) : std::nullopt; })) {
    all.kept.push_back(k);
    all.echoed.push_back(e);
  }
  return all;
}

}  // namespace role_job
