// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What a progress takes at most, whichever of its tasks a thread spends its time in.

#include <doctest/doctest.h>
#include <algorithm>
#include <random>
#include <stretto/plan/layout/unweighted_period.hpp>
#include <stretto/plan/make_plan.hpp>
#include <string_view>
#include <vector>
#include "../../support/seed.hpp"
#include "../draft.hpp"

namespace {

namespace planner = stretto::planner;

struct timed {
  planner::plan plan;
  planner::timing timing;
  planner::track_map tracks;

  explicit timed(const planner::declaration& d)
      : plan(planner::plan_without_threads(d)), tracks(planner::tracks_of(d, plan.resolved)) {
    planner::list<planner::edge> edges;
    edges.append(plan.edges);
    edges.append(planner::delivery_edges(plan.resolved));
    timing = planner::make_timing(plan.resolved, edges);
  }
  planner::ratio unweighted() const {
    return planner::unweighted_period_on(timing, plan.order, tracks);
  }
  planner::ratio weighted(const std::vector<long long>& weights) {
    for (std::size_t n = 0; n < timing.weight.size(); ++n)
      timing.weight[n] = n < weights.size() ? weights[n] : 0;
    return planner::period_on(timing, plan.order, tracks.of, tracks.workers);
  }
};

}  // namespace

TEST_CASE("two threads that pass one copy to and fro take the time of both") {
  draft d;
  d.add("a", 0).thread("A").reads({"source"}).writes({"x"});
  d.add("b", 0).thread("A").reads({"x"}).writes({"y"});
  d.add("c", 0).thread("B").reads({"y"}).writes({"z"});
  d.add("d", 0).thread("B").reads({"z"}).writes({"r"});
  d.result("r");
  CHECK(timed(d.declaration()).unweighted() == planner::ratio{2, 1});
}

TEST_CASE("threads that work on different batches take the time of one") {
  draft d;
  d.add("a", 1).thread("A").reads({"source"}).writes({"x"});
  d.add("b", 1).thread("A").reads({"x"}).writes({"y"});
  d.add("c", 0).thread("B").reads({"y"}).writes({"z"});
  d.add("d", 0).thread("B").reads({"z"}).writes({"r"});
  d.result("r");
  CHECK(timed(d.declaration()).unweighted() == planner::ratio{1, 1});
}

TEST_CASE("on one thread it is that thread's time, however many tasks there are") {
  draft d;
  d.add("a", 0).thread("A").reads({"source"}).writes({"x"});
  d.add("b", 0).thread("A").reads({"x"}).writes({"y"});
  d.add("c", 0).thread("A").reads({"y"}).writes({"r"});
  d.result("r");
  CHECK(timed(d.declaration()).unweighted() == planner::ratio{1, 1});
}

TEST_CASE("workers share the time of their thread, and pulling takes none") {
  draft d;
  d.add("a", 0).thread("A").reads({"source"}).writes({"x"});
  d.add("b", 0).thread("A").reads({"x"}).writes({"r"});
  d.group("A", 0, 2);
  d.result("r");
  CHECK(timed(d.declaration()).unweighted() == planner::ratio{1, 2});
}

TEST_CASE("no distribution of a thread's time over its tasks takes longer") {
  constexpr long long busy = 1000;
  std::minstd_rand random(seeds::first(1));
  const auto below = [&](std::size_t n) { return random() / 7 % n; };
  static constexpr std::string_view slots[] = {"source", "s", "t", "u", "v", "w", "x"};
  static constexpr std::string_view names[] = {"a", "b", "c", "d", "e", "f"};
  static constexpr std::string_view threads[] = {"A", "B", "C"};
  int reached = 0;
  for (int drawn = 0; drawn < 200; ++drawn) {
    draft d;
    std::vector<std::size_t> on;
    int lookahead = 2;
    for (std::size_t n = 0; n < 6; ++n) {
      on.push_back(below(3));
      lookahead = std::max(0, lookahead - static_cast<int>(below(2)));
      d.add(names[n], lookahead).thread(threads[on[n]]).reads({slots[n]}).writes({slots[n + 1]});
    }
    d.result("x");
    timed t(d.declaration());
    const planner::ratio most = t.unweighted();
    for (int distributed = 0; distributed < 50; ++distributed) {
      std::vector<long long> weights(6, 0);
      for (std::size_t thread = 0; thread < 3; ++thread) {
        std::vector<std::size_t> own;
        for (std::size_t n = 0; n < 6; ++n)
          if (on[n] == thread) own.push_back(n);
        if (own.empty()) continue;
        const long long share = static_cast<long long>(below(busy + 1));
        weights[own[below(own.size())]] += share;
        weights[own[below(own.size())]] += busy - share;
      }
      const planner::ratio period = t.weighted(weights);
      const planner::ratio allowed{most.time * busy, most.progresses};
      CHECK_FALSE(allowed < period);
      if (allowed == period) ++reached;
    }
  }
  CHECK(reached > 200);  // and it is no more than need be
}
