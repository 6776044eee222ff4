// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What bounds a plan, held against a simulation of its threads and waits, for random plans.

#include <doctest/doctest.h>
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <random>
#include <stretto/bound/plan_bound.hpp>
#include <stretto/plan/layout/modelled_period.hpp>
#include <stretto/plan/make_plan.hpp>
#include <stretto/plan/order/fewest_waits.hpp>
#include <string_view>
#include <vector>
#include "../support/random_schedule.hpp"

namespace {

namespace planner = stretto::planner;

/// Runs a plan as its threads do: a node starts when the one before it on its thread has ended, and
/// the runs that it waits for. In numbers, not in time. The time that a progress takes at the end.
double simulated(const planner::plan& p, const std::vector<long long>& times) {
  constexpr std::size_t progresses = 2'000;
  const planner::list<planner::edge> waits = planner::run_ahead_waits(p);
  const std::size_t nodes = p.order.size();
  std::vector<std::vector<long long>> ended(progresses, std::vector<long long>(nodes, 0));
  std::vector<long long> thread_free(p.threads.names.size(), 0);
  for (std::size_t now = 0; now < progresses; ++now)
    for (const std::size_t n : p.order) {
      long long start = thread_free[p.threads.thread_of[n]];
      for (const planner::edge& e : waits)
        if (e.consumer == n && static_cast<std::size_t>(e.delta) <= now)
          start = std::max(start, ended[now - static_cast<std::size_t>(e.delta)][e.producer]);
      ended[now][n] = thread_free[p.threads.thread_of[n]] = start + times[n];
    }
  const auto all_ended = [&](std::size_t at) { return *std::ranges::max_element(ended[at]); };
  constexpr std::size_t half = progresses / 2;
  return static_cast<double>(all_ended(progresses - 1) - all_ended(half - 1)) / half;
}

/// A random valid declaration whose tasks take random times; those of the plan's nodes.
template <class Check>
void for_each_timed(std::size_t count, Check check) {
  std::mt19937 random(7);
  std::uniform_int_distribution<int> time(0, 1000);
  random_schedule::for_each_valid(count, 1, [&](const planner::declaration& valid, unsigned) {
    planner::declaration d = valid;
    std::vector<planner::task> tasks(d.tasks.begin(), d.tasks.end());
    std::vector<long long> times;
    for (planner::task& t : tasks) times.push_back(t.weight = time(random));
    d.tasks = tasks;
    d.from.weight = time(random);
    times.push_back(d.from.weight);
    times.push_back(0);
    const planner::plan p = planner::make_plan(d);
    const stretto::plan_bound bound(d, p.resolved, p.order, p.edges, p.threads.thread_of,
                                    p.threads.workers, p.threads.names, {});
    check(d, p, bound, times);
  });
}

}  // namespace

TEST_CASE("the bound is what a simulated run of the plan's waits takes") {
  std::size_t tight = 0;
  for_each_timed(2'000, [&](const auto& d, const planner::plan& p, const auto& bound,
                            const std::vector<long long>& times) {
    CHECK(bound.period() == planner::make_modelled(d, p).period);
    const double expected = bound.period().value();
    const double found = simulated(p, times);
    // The beginning and the cycle's own length are seen in a simulated run, too.
    REQUIRE(std::abs(found - expected) <= 0.01 * expected + 1e-9);
    tight += std::abs(found - expected) < 1e-9 ? 1U : 0U;
  });
  CHECK(tight > 1'500);
}

TEST_CASE("the cycle takes as long as it is said to") {
  std::size_t over_threads = 0;
  for_each_timed(500, [&](const planner::declaration& d, const planner::plan& p, const auto& bound,
                          const std::vector<long long>& times) {
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
  CHECK(over_threads > 100);
}

TEST_CASE("a task may take its spare time, and no more") {
  std::size_t with_spare = 0;
  for_each_timed(300, [&](const planner::declaration& d, const planner::plan&, const auto& bound,
                          const std::vector<long long>& times) {
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
