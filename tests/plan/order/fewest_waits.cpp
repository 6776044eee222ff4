// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The fewest waits of small pipelines, worked out by hand. (That they keep every edge and none can
// go is shown of random ones in happens_before.cpp.)

#include <doctest/doctest.h>
#include <algorithm>
#include <stretto/plan/make_plan.hpp>
#include <stretto/plan/order/fewest_waits.hpp>
#include <utility>
#include <vector>
#include "../draft.hpp"

namespace {

namespace planner = stretto::planner;
using planner::edge;

struct wait {
  std::size_t producer;
  std::size_t consumer;
  int delta;
  bool operator==(const wait&) const = default;
};

std::vector<wait> of(const planner::list<edge>& edges) {
  std::vector<wait> all;
  for (const edge& e : edges) all.push_back({e.producer, e.consumer, e.delta});
  return all;
}

}  // namespace

TEST_CASE("a stream that waited for a later task need not wait for an earlier one") {
  draft d{"copy", "main"};
  d.add("load", 0, "copy").writes({"a"});
  d.add("more", 0, "copy").writes({"b"});
  d.add("train", 0, "main").reads({"a", "b"});
  const planner::plan p = planner::make_plan(d.declaration());
  CHECK(of(p.stream_waits) == std::vector<wait>{{2, 0, 1}, {2, 1, 1}, {0, 2, 0}, {1, 2, 0}});
  // `train` waits for `more`, after `load`; and what fills copies again, for it.
  CHECK(of(planner::minimal_stream_waits(p)) == std::vector<wait>{{2, 0, 1}, {1, 2, 0}});
}

TEST_CASE("host tasks block for the last of what they need of a stream") {
  draft d{"main"};
  d.add("first", 0, "main").writes({"a"});
  d.add("second", 0, "main").writes({"b"});
  d.add("log").reads({"a", "b"});
  const planner::plan p = planner::make_plan(d.declaration());
  const std::vector<wait> blocking = of(planner::blocking_waits(p));
  CHECK(std::count(blocking.begin(), blocking.end(), wait{1, 2, 0}) == 1);
  CHECK(std::count(blocking.begin(), blocking.end(), wait{0, 2, 0}) == 0);
}

TEST_CASE("only host tasks block: a stream's task waits on the device") {
  draft d{"copy", "main"};
  d.add("load", 0, "copy").writes({"a"});
  d.add("train", 0, "main").reads({"a"}).writes({"b"});
  d.add("log").reads({"b"});
  const planner::plan p = planner::make_plan(d.declaration());
  CHECK(of(planner::blocking_waits(p)) == std::vector<wait>{{1, 2, 0}});
}

TEST_CASE("where no host task waits for a stream, pulling waits for an earlier progress") {
  const auto bound = [](draft& d) {
    const planner::plan p = planner::make_plan(d.declaration());
    const auto blocking = planner::blocking_waits(p);
    CHECK(blocking.empty());
    return of(planner::run_ahead_bound(p, {blocking.data(), blocking.size()}));
  };
  draft d{"copy", "main", "other"};
  d.add("load", 1, "copy").writes({"a"});
  d.add("train", 0, "main").reads({"a"});
  SUBCASE("the last task comes after the others") {
    CHECK(bound(d) == std::vector<wait>{{1, 2, 2}});  // 2: pull
  }
  SUBCASE("a stream of which nobody knows") {
    d.add("alone", 0, "other");
    CHECK(bound(d) == std::vector<wait>{{2, 3, 2}, {1, 3, 2}});
  }
}

TEST_CASE("there is no such wait where a host task waits, or where there is no stream") {
  draft d{"main"};
  d.add("train", 0, "main").writes({"a"});
  d.add("log").reads({"a"});
  const planner::plan p = planner::make_plan(d.declaration());
  const auto blocking = planner::blocking_waits(p);
  CHECK(planner::run_ahead_bound(p, {blocking.data(), blocking.size()}).empty());
  draft none;
  none.add("log");
  CHECK(planner::run_ahead_bound(planner::make_plan(none.declaration()), {}).empty());
}

TEST_CASE("threads that run ahead wait for the last that a batch went through, and for room") {
  draft d;
  d.add("load", 1).writes({"batch"}).thread("loading");
  d.add("train").reads({"batch"}).thread("caller");
  const planner::plan p = planner::make_plan(d.declaration());
  // 0: load, 1: train, 2: pull, 3: deliver; all but the first on the caller's thread. Two copies:
  // what is filled was trained on two batches ago, and that is before the pull that `load` waits
  // for.
  CHECK(of(planner::run_ahead_waits(p)) == std::vector<wait>{{2, 0, 0}, {0, 1, 1}});
}
