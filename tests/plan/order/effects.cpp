// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What comes before what where streams only submit: the order of effects, the waits that block a
// host task, and what a batch waits for before it is handed out. Written down by hand.

#include <doctest/doctest.h>
#include <algorithm>
#include <stretto/plan/make_plan.hpp>
#include <stretto/plan/order/fewest_waits.hpp>
#include <tuple>
#include <vector>
#include "../draft.hpp"

namespace planner = stretto::planner;

namespace {

using arrow = std::tuple<std::size_t, std::size_t, int>;  // producer, consumer, delta

template <class Edges>
std::vector<arrow> arrows(const Edges& edges) {
  std::vector<arrow> found;
  for (const planner::edge& e : edges) found.emplace_back(e.producer, e.consumer, e.delta);
  std::sort(found.begin(), found.end());
  return found;
}

planner::happens_before order_of(draft& written) {
  return planner::effect_order(planner::make_plan(written.declaration()));
}

}  // namespace

TEST_CASE("what a thread does after a host task comes after its effect") {
  draft d{"copy"};
  d.add("first", 0).thread("one");
  d.add("second", 0, "copy").thread("one");
  const auto hb = order_of(d);
  CHECK(hb.ordered(0, 1, 0));
  CHECK(hb.ordered(0, 1, 1));
  CHECK_FALSE(hb.ordered(1, 0, 1));
}

TEST_CASE("a host task of the progress before is over, too") {
  draft d{"copy"};
  d.add("first", 0, "copy").thread("one");
  d.add("second", 0).thread("one");
  const auto hb = order_of(d);
  CHECK(hb.ordered(1, 0, 1));
  CHECK_FALSE(hb.ordered(1, 0, 0));
  CHECK_FALSE(hb.ordered(0, 1, 0));  // that it was submitted does not say that it is done
}

TEST_CASE("what one thread submits to two streams is in no order") {
  draft d{"copy", "compute"};
  d.add("first", 0, "copy").thread("one");
  d.add("second", 0, "compute").thread("one");
  const auto hb = order_of(d);
  CHECK_FALSE(hb.ordered(0, 1, 1));
  CHECK_FALSE(hb.ordered(1, 0, 1));
}

TEST_CASE("tickets say in which order collectives are submitted, not in which they are done") {
  draft d{"copy", "compute"};
  d.add("first", 0, "copy").collective();
  d.add("second", 0, "compute").collective();
  const auto hb = order_of(d);
  CHECK_FALSE(hb.ordered(0, 1, 0));
  CHECK_FALSE(hb.ordered(1, 0, 1));
}

TEST_CASE("a host task blocks for what a stream does, and only for the last of it") {
  draft d{"copy", "compute"};
  d.add("load", 0, "copy").writes({"batch"});
  d.add("train", 0, "copy").reads({"batch"}).writes({"loss"});
  d.add("evaluate", 0, "compute").reads({"loss"}).writes({"score"});
  d.add("report", 0).reads({"loss"}).depends_on({"load"});
  const auto p = planner::make_plan(d.declaration());
  CHECK(arrows(planner::blocking_waits(p)) == std::vector<arrow>{{1, 3, 0}});
}

TEST_CASE("a host task blocks neither for a ticket nor for the user's order") {
  draft d{"copy"};
  d.add("first", 0, "copy").collective();
  d.add("second", 0).collective();
  d.order({"first", "second"});
  CHECK(planner::blocking_waits(planner::make_plan(d.declaration())).empty());
}

TEST_CASE("a batch is handed out when every task is done with it, and then there is room") {
  draft d{"copy"};
  d.add("ahead", 2, "copy").reads({"source"}).writes({"batch"});
  d.add("train", 0).reads({"batch"});
  d.add("log", 1);
  const std::size_t pull = 3;
  const std::size_t deliver = 4;
  CHECK(arrows(planner::delivery_edges(planner::make_graph(d.declaration()))) ==
        std::vector<arrow>{{0, deliver, 2},
                           {1, deliver, 0},
                           {2, deliver, 1},
                           {pull, deliver, 2},
                           {deliver, pull, 1}});
}
