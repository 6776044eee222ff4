// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The time per progress by the time of one task, held against the bound at many times.

#include <doctest/doctest.h>
#include <cstddef>
#include <stretto/bound/plan_bound.hpp>
#include <string_view>
#include "timed_plans.hpp"

namespace {

using stretto::curve_piece;
using stretto::planner::ratio;

/// What a piece says of a time.
ratio at(const curve_piece& p, long long time) {
  // period + slope * (time - from), over one divisor
  const long long divisor = p.period.progresses * p.slope.progresses * p.from.progresses;
  return {p.period.time * p.slope.progresses * p.from.progresses +
              p.slope.time * (time * p.from.progresses - p.from.time) * p.period.progresses,
          divisor};
}

}  // namespace

TEST_CASE("it is the bound at every time, convex, and bends where it says") {
  std::size_t bends = 0;
  std::size_t named = 0;
  bool meet = false;
  timed_plan::for_each(150, true, 13, [&](const timed_plan& p) {
    const stretto::plan_bound bound = p.bound(meet = !meet);
    for (std::size_t n = 0; n <= p.declared.tasks.size(); ++n) {
      const std::string_view task =
          n < p.declared.tasks.size() ? p.declared.tasks[n].id.text : "pull";
      const auto curve = bound.curve(task);
      REQUIRE(!curve.empty());
      CHECK(curve[0].from == ratio{0, 1});
      for (std::size_t i = 1; i < curve.size(); ++i) {
        REQUIRE(curve[i - 1].from < curve[i].from);
        REQUIRE(curve[i - 1].slope < curve[i].slope);
      }
      for (long long time = 0; time < 12'000; time += time < 2'000 ? 77 : 3'333) {
        std::size_t on = 0;
        while (on + 1 < curve.size() && !(ratio{time, 1} < curve[on + 1].from)) ++on;
        REQUIRE(at(curve[on], time) == bound.period_if(task, time));
      }
      // Beyond all bends a task waits for itself.
      CHECK(curve.back().slope.time == 1);
      for (const curve_piece& piece : curve) {
        if (piece.slope.time == 0) continue;
        bool on_it = false;
        for (const std::string_view other : piece.cycle) on_it = on_it || other == task;
        CHECK(on_it);
      }
      bends += curve.size() - 1;
      for (const curve_piece& piece : curve) named += piece.busy_stream.empty() ? 0U : 1U;
    }
  });
  CHECK(bends > 100);
  CHECK(named > 30);
}
