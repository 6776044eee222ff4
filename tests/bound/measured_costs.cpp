// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What tasks took, out of a timeline.

#include <doctest/doctest.h>
#include <array>
#include <chrono>
#include <cstddef>
#include <stretto/bound/measured_costs.hpp>
#include <stretto/observe/timeline.hpp>
#include <string_view>

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
}
