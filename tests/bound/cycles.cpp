// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What bounds a plan, held against a simulation of its threads and waits, for random plans.

#include <doctest/doctest.h>
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <stretto/plan/layout/modelled_period.hpp>
#include <string_view>
#include <vector>
#include "timed_plans.hpp"

namespace {

namespace planner = stretto::planner;

/// The time per progress of a simulated run, by a measure of its own: what ends between two
/// progresses, far from the beginning and the end.
double simulated(const timed_plan& p, bool meet) {
  constexpr std::size_t batches = 1'000;
  const stretto::simulation run = p.simulated(batches, meet);
  std::vector<long long> ended(batches, 0);
  for (const stretto::simulation::run& r : run.runs())
    ended[r.batch] = std::max(ended[r.batch], r.end);
  constexpr std::size_t until = batches - 50;
  constexpr std::size_t from = batches / 2;
  return static_cast<double>(ended[until] - ended[from]) / (until - from);
}

}  // namespace

TEST_CASE("the bound is what a simulated run of the plan's waits takes") {
  for (const bool grouped : {false, true})
    for (const bool meet : {false, true}) {
      std::size_t tight = 0;
      timed_plan::for_each(700, grouped, 7, [&](const timed_plan& p) {
        const stretto::plan_bound bound = p.bound(meet);
        if (!meet) CHECK(bound.period() == planner::make_modelled(p.declared, p.plan).period);
        const double expected = bound.period().value();
        const double found = simulated(p, meet);
        // The beginning and the cycle's own length are seen in a simulated run, too.
        REQUIRE(std::abs(found - expected) <= 0.01 * expected + 1e-9);
        const double told = p.simulated(1'000, meet).period().value();
        REQUIRE(std::abs(told - expected) <= 0.02 * expected + 1e-9);
        tight += std::abs(found - expected) < 1e-9 ? 1U : 0U;
      });
      CHECK(tight > 500);
    }
}

TEST_CASE("the cycle takes as long as it is said to") {
  std::size_t over_threads = 0;
  timed_plan::for_each(500, true, 8, [&](const timed_plan& timed) {
    const planner::declaration& d = timed.declared;
    const planner::plan& p = timed.plan;
    const std::vector<long long>& times = timed.times;
    const stretto::plan_bound bound = timed.bound();
    long long sum = 0;
    for (const std::string_view task : bound.cycle()) {
      std::size_t n = 0;
      while (n < d.tasks.size() && d.tasks[n].id.text != task) ++n;
      REQUIRE((n < d.tasks.size() || task == "pull"));
      CHECK(times[n] > 0);
      sum += times[n];
      if (!bound.busy_thread().empty())
        CHECK(p.threads.names[p.threads.thread_of[n]] == bound.busy_thread());
    }
    CHECK(bound.period() == planner::ratio{sum, bound.progresses()});
    over_threads += bound.busy_thread().empty() && sum > 0 ? 1U : 0U;
  });
  CHECK(over_threads > 50);
}

TEST_CASE("a task may take its spare time, and no more") {
  std::size_t with_spare = 0;
  bool with_barrier = false;
  timed_plan::for_each(300, true, 9, [&](const timed_plan& timed) {
    const planner::declaration& d = timed.declared;
    const std::vector<long long>& times = timed.times;
    const stretto::plan_bound bound = timed.bound(with_barrier = !with_barrier);
    for (std::size_t n = 0; n <= d.tasks.size(); ++n) {
      const std::string_view task = n < d.tasks.size() ? d.tasks[n].id.text : "pull";
      const planner::ratio spare = bound.spare(task);
      const long long whole = spare.time / spare.progresses;
      REQUIRE(whole >= 0);
      CHECK(bound.period_if(task, times[n] + whole) == bound.period());
      CHECK(bound.period() < bound.period_if(task, times[n] + whole + 1));
      CHECK(!(bound.period() < bound.period_if(task, 0)));
      const planner::ratio exposed = bound.exposed(task);
      const double difference = bound.period().value() - bound.period_if(task, 0).value();
      CHECK(std::abs(exposed.value() - difference) < 1e-6);
      with_spare += whole > 0 ? 1U : 0U;
    }
  });
  CHECK(with_spare > 100);
}
