// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Latency, fill and drain of random plans, held against long runs.

#include <doctest/doctest.h>
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <stretto/bound/plan_bound.hpp>
#include <stretto/bound/simulation.hpp>
#include "timed_plans.hpp"

TEST_CASE("latency, fill and drain are those of a long run") {
  std::size_t fewer = 0;
  for (const bool meet : {false, true})
    timed_plan::for_each(400, true, 11, [&](const timed_plan& p) {
      const stretto::plan_bound bound = p.bound(meet);
      const stretto::simulation run = p.simulated(2'000, meet);
      CHECK(bound.fill() == run.fill());
      double mean = 0;  // not of the last ones, which find ever fewer batches behind them
      for (std::size_t b = 900; b < 1'900; ++b) mean += static_cast<double>(run.latency(b)) / 1'000;
      CHECK(std::abs(bound.latency().value() - mean) <= 0.01 * mean + 1e-9);
      long long drain = 0;
      for (std::size_t batches = 1'000; batches < 1'008; ++batches)
        drain = std::max(drain, p.simulated(batches, meet).drain());
      CHECK(bound.drain() >= drain);
      CHECK(static_cast<double>(bound.drain()) <= 1.02 * static_cast<double>(drain) + 1e-9);
      // No more than there is room for.
      const double room = p.plan.resolved.max_lookahead + 1;
      CHECK(bound.in_flight().value() <= room + 1e-9);
      CHECK(std::abs(bound.in_flight().value() * bound.period().value() - bound.latency().value()) <
            1e-6);
      fewer += bound.in_flight().value() < room - 0.01 ? 1U : 0U;
    });
  CHECK(fewer > 20);
}
