// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What tasks took, out of a timeline.

#include <doctest/doctest.h>
#include <array>
#include <chrono>
#include <cstddef>
#include <stretto/bound/measured_costs.hpp>
#include <stretto/bound/time_spread.hpp>
#include <stretto/observe/timeline.hpp>
#include <string_view>
#include <vector>

namespace st = stretto;

TEST_CASE("the median of what each task took counts, and nothing of the source") {
  using namespace std::chrono_literals;
  st::timeline record;
  const std::array<std::string_view, 2> threads{"caller", "other"};
  const std::array<std::string_view, 5> tasks{"load", "add", "never ran", "pull", "deliver"};
  record.attached(threads, tasks);
  const auto begin = st::timeline::clock::time_point() + 1s;
  for (const auto took : {30us, 10us, 900us, 20us, 25us}) {
    record.add(0, {0, 0, begin, begin + took});
    record.add(0, {3, 0, begin, begin + took});
  }
  // Runs of a task may be on several threads.
  record.add(0, {1, 0, begin, begin + 5us});
  record.add(1, {1, 1, begin, begin + 7us});
  record.add(1, {1, 2, begin, begin + 9us});

  const auto costs = st::measured_costs(record);
  REQUIRE(costs.size() == 3);
  CHECK(costs[0].task == "pull");
  CHECK(costs[0].time == 0);
  CHECK(costs[1].task == "load");
  CHECK(costs[1].time == 25'000);
  CHECK(costs[2].task == "add");
  CHECK(costs[2].time == 7'000);
  // Of so few, all of them.
  CHECK(costs[1].least == 10'000);
  CHECK(costs[1].most == 900'000);
}

TEST_CASE("a cost says between what times nine of ten runs were") {
  std::vector<long long> times;
  for (int i = 100; i > 0; --i) times.push_back(i);
  const st::task_cost cost = st::bound::shared::cost_of_times("load", times);
  CHECK(cost.task == "load");
  CHECK(cost.time == 51);
  CHECK(cost.least == 6);
  CHECK(cost.most == 95);
}
