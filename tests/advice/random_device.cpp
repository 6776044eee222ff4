// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What is promised of random schedules on a device, held against runs in virtual time of what was
// edited.

#include <doctest/doctest.h>
#include <random>
#include <stretto/advice.hpp>
#include <stretto/bound.hpp>
#include <stretto/dynamic.hpp>
#include <string>
#include <utility>
#include <vector>
#include "../search/random_schedule.hpp"
#include "../support/seed.hpp"
#include "kept_promises.hpp"

namespace {

namespace st = stretto;
namespace dynamic = stretto::dynamic;
namespace planner = stretto::planner;

/// What is asked of plans as a device works through them.
struct on_device {
  planner::view<st::task_cost> costs;
  dynamic::device_model device;

  double run(const dynamic::planned_schedule& p) const {
    const dynamic::device_plan made(p, device.engines);
    // From end to end: where nobody waits for a stream, batches are pulled faster than it works.
    const auto end = [&](std::size_t batches) {
      return static_cast<double>(st::simulate(made, costs, batches).total());
    };
    return (end(2000) - end(1000)) / 1000;
  }
  std::pair<planner::ratio, planner::ratio> bound(const dynamic::planned_schedule& p) const {
    const dynamic::device_plan taken(p, device.engines);
    const st::plan_bound made = st::bound_of(taken, costs);
    return {made.period(), made.latency()};
  }
};

}  // namespace

TEST_CASE("what is promised of random schedules on a device is what it takes") {
  std::mt19937 random(seeds::first(20261128));
  int asked = 0;
  int advised = 0;
  while (asked < 250) {
    CAPTURE(asked);
    random_schedule::random_case made = random_schedule::random_case::valid(random, 6);
    on_device model;
    std::vector<std::string> engine;
    std::vector<st::task_cost> costs = made.costs();
    std::vector<std::string> names;
    for (const dynamic::task& t : made.schedule.tasks)
      if (!t.stream.empty()) engine.push_back(t.name);
    if (engine.empty()) continue;
    for (const std::string& t : engine) names.push_back(dynamic::device_plan::submission_of(t));
    for (const std::string& t : names)
      costs.push_back({t, std::uniform_int_distribution<long long>(0, 30)(random)});
    if (asked % 3 == 0) model.device.engines.push_back(engine);
    model.costs = {costs.data(), costs.size()};
    const dynamic::planned_schedule now(made.schedule);
    const st::advice found = st::advise(now, model.costs, {.device = model.device});
    advised += kept_promises::are_kept(now, found, model) ? 1 : 0;
    ++asked;
  }
  CHECK(advised > 60);
}
