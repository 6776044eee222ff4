// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// A schedule of 300 tasks, as types: it compiles, its plan is as it must be, it runs, and errors in
// it are found. (compile_fail/many_tasks has the compile error.)

#include "many_tasks.hpp"
#include <doctest/doctest.h>
#include <algorithm>
#include <array>
#include <stretto/stretto.hpp>
#include <vector>

namespace {

namespace st = stretto;
constexpr int tasks = 300;

using training = many::schedule<tasks>;
constexpr auto& plan = st::plan_of<training>;

std::size_t waits_into(std::size_t consumer) {
  return static_cast<std::size_t>(std::count_if(
      plan.streams.edges.begin(), plan.streams.edges.end(),
      [&](const st::planner::edge& e) { return e.consumer == consumer && e.delta == 0; }));
}

struct aside {
  using mutates = st::mutates<many::total>;
};

}  // namespace

TEST_CASE("300 tasks: what each reads was written by the one before, so that is the order") {
  static_assert(st::is_valid<training>);
  CHECK(plan.order.front() == plan.pull);
  CHECK(plan.order.back() == plan.deliver);
  // Within one progress the stages work on different batches; ties go by declaration.
  for (std::size_t n = 0; n < tasks; ++n) CHECK(plan.order[n + 1] == n);
}

TEST_CASE("300 tasks: memory, batches in flight, tickets, threads") {
  static_assert(st::in_flight<training> == 3);
  // One copy more where the last reader is a stage behind the writer.
  CHECK(st::copies_of<training, many::item<50>> == 1);
  CHECK(st::copies_of<training, many::item<92>> == 1);
  CHECK(st::copies_of<training, many::item<93>> == 2);
  CHECK(st::copies_of<training, many::item<99>> == 2);
  CHECK(st::copies_of<training, many::number> == 3);  // two are spare
  CHECK(plan.tickets.size() == tasks / 10);
  CHECK(plan.tickets[29] == 290);
  CHECK(plan.thread_names.size() == 2);
  for (std::size_t n = 0; n < tasks; ++n) CHECK((plan.thread_of[n] == 0) == (n >= 200));
}

TEST_CASE("300 tasks: the fewest waits") {
  // Even and odd tasks alternate between two streams: each waits for the one before it, and that
  // implies all else that it depends on.
  for (std::size_t n = 201; n < tasks; ++n) {
    CAPTURE(n);
    CHECK(waits_into(n) == 1);
  }
  for (std::size_t n = 1; n < 100; ++n) CHECK(waits_into(n) == 0);
  CHECK(plan.stream_waits.size() > 2 * plan.streams.edges.size());
}

TEST_CASE("300 tasks: a few batches pass through all of them, on two threads") {
  st::pipeline<training> pipeline;
  const std::array numbers{0, 1000, 5, -7, 2};
  std::vector<int> results;
  for (const int sum : pipeline.run(numbers)) results.push_back(sum);
  CHECK(results == std::vector{300, 1300, 305, 293, 302});
}

TEST_CASE("300 tasks: each race with one that stands aside is found") {
  constexpr auto& races = st::findings<many::schedule<tasks, aside>>;
  REQUIRE(races.size() == tasks / 3);
  for (std::size_t i = 0; i < races.size(); ++i) {
    CHECK(races[i].what == st::planner::kind::race);
    CHECK(races[i].task == tasks);
    CHECK(races[i].other == 200 + i);
  }
}
