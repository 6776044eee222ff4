// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <optional>
#include <stretto/stretto.hpp>
#include <string_view>
#include <vector>
#include "role_job.hpp"

/// A schedule whose roles several ranks each play: readers give trainers what they have read, lane
/// by lane, and both roles add up among themselves.
namespace lane_job {

namespace st = stretto;
using role_job::mishap;

struct number : st::slot<int> {};
struct sample : st::slot<std::vector<double>> {};
struct loss : st::slot<double> {};
struct told : st::slot<double> {};

struct read {
  using role = st::role<"reader">;
  using thread = st::thread<"io">;
  static constexpr bool collective = true;
  static constexpr int lookahead = 3;
  using reads = st::reads<number>;
  using writes = st::writes<sample>;
  mishap failing{};
  void operator()(st::context auto& ctx, int in, std::vector<double>& out) const {
    failing(ctx);
    out.assign({static_cast<double>(in), static_cast<double>(ctx.all_reduced(in))});
  }
};
struct hand_over : st::transfer<sample, "reader", "trainer"> {
  static constexpr int lookahead = 2;
};
struct train {
  using role = st::role<"trainer">;
  static constexpr bool collective = true;
  static constexpr int lookahead = 1;
  using reads = st::reads<sample>;
  using writes = st::writes<loss>;
  mishap failing{};
  void operator()(st::context auto& ctx, const std::vector<double>& in, double& out) const {
    failing(ctx);
    const auto ranks = static_cast<std::size_t>(ctx.ranks());
    std::vector<double> all(in.size() * ranks);
    ctx.all_gather(in, all);
    std::vector<double> sum(in.size());
    ctx.all_reduce(in, sum);
    ctx.broadcast(all, 0);
    ctx.barrier();
    const auto after = (static_cast<std::size_t>(ctx.rank()) + 1) % ranks;
    out = sum[0] + 1e3 * sum[1] + 1e6 * all[in.size() * after];
  }
};
struct give_back : st::transfer<loss, "trainer", "reader"> {};
struct tell {
  using role = st::role<"reader">;
  using reads = st::reads<loss>;
  using writes = st::writes<told>;
  void operator()(double in, double& out) const { out = in; }
};

struct job
    : st::schedule<st::source<number>, st::result<told>, read, hand_over, train, give_back, tell> {
};

constexpr int number_of(int batch, std::size_t lane) { return 10 * batch + static_cast<int>(lane); }
/// What the reader of a lane is told, where there are that many.
constexpr double expected(int batch, std::size_t lane, std::size_t lanes) {
  double sum = 0;
  for (std::size_t l = 0; l < lanes; ++l) sum += number_of(batch, l);
  return sum + 1e3 * sum * static_cast<double>(lanes) + 1e6 * number_of(batch, (lane + 1) % lanes);
}

inline auto numbers(int batches, std::size_t lane) {
  return [next = 0, batches, lane]() mutable {
    return next < batches ? std::optional(number_of(next++, lane)) : std::nullopt;
  };
}

/// What \p run hands out is what a lane should be told, and all of it.
template <class Run>
bool is_told(Run&& run, int batches, std::size_t lane, std::size_t lanes) {
  int batch = 0;
  bool same = true;
  for (const double t : run) same = t == expected(batch++, lane, lanes) && same;
  return same && batch == batches;
}

}  // namespace lane_job
