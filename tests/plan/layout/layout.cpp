// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The threads that a generated map has, and the least time that any map can take.

#include <doctest/doctest.h>
#include <initializer_list>
#include <stretto/plan/layout/layout.hpp>
#include <string_view>
#include <vector>
#include "../draft.hpp"

namespace {

namespace planner = stretto::planner;
using planner::ratio;
using texts = std::vector<std::string_view>;

ratio bound_of(std::initializer_list<long long> weights, std::size_t threads,
               const std::vector<long long>& loads = {}) {
  planner::timing t;
  std::vector<std::size_t> order;
  for (const long long w : weights) {
    order.push_back(t.weight.size());
    t.weight.push_back(w);
    t.into.push_back({0, 0});
  }
  planner::period_finder finder(t);
  return planner::period_bound(finder, t, order, threads, loads);
}

}  // namespace

TEST_CASE("the caller's thread, those that are asked for, and workers up to the number asked for") {
  draft d;
  d.add("a");
  d.add("b").thread("own");
  d.add("c").thread("caller");
  d.add("d").thread("worker 2");
  d.source_on("loading");
  planner::declaration declared = d.declaration();
  declared.generated = 6;
  const planner::thread_list all = planner::threads_of(declared);
  CHECK(all.names == texts{"caller", "own", "worker 2", "loading", "worker 1", "worker 3"});
  CHECK(all.named == 4);
  CHECK(all.find(declared, "worker 3") == 5);
  CHECK(all.find(declared, "worker 4") == planner::none);
  declared.caller_runs = "own";
  CHECK(planner::threads_of(declared).find(declared, "own") == 0);
}

TEST_CASE("there are no more workers than tasks, and those that are named there always are") {
  draft d;
  d.add("a").thread("one");
  d.add("b").thread("two");
  planner::declaration declared = d.declaration();
  declared.generated = 100;
  CHECK(planner::threads_of(declared).names.size() == 3 + 2);
  declared.generated = 1;
  CHECK(planner::threads_of(declared).names == texts{"caller", "one", "two"});
}

TEST_CASE("worker names have the digits of their number") {
  const auto name = [](std::size_t number) {
    const planner::detail::worker_name& w = planner::detail::worker_names[number - 1];
    return std::string_view(w.text.data(), w.size);
  };
  CHECK(name(1) == "worker 1");
  CHECK(name(10) == "worker 10");
  CHECK(name(99) == "worker 99");
  CHECK(name(100) == "worker 100");
  CHECK(name(255) == "worker 255");
}

TEST_CASE("no map takes less than its share, its longest task, or what a thread has to do anyway") {
  CHECK(bound_of({4, 4, 4, 4}, 2) == ratio{8, 1});
  CHECK(bound_of({9, 1, 1}, 2) == ratio{9, 1});
  CHECK(bound_of({3, 3, 3}, 2) == ratio{6, 1});  // no half of a task: 4.5 is not to be had
  CHECK(bound_of({1, 1, 1}, 2) == ratio{2, 1});
  CHECK(bound_of({4, 4}, 2, {0, 11}) == ratio{11, 1});
  CHECK(bound_of({0, 0}, 2) == ratio{0, 1});
}

TEST_CASE("a map is better by its period, then by its crossings") {
  const auto made = [](ratio period, std::size_t crossings) {
    planner::layout l;
    l.period = period;
    l.crossings = crossings;
    return l;
  };
  CHECK(better(made({1, 2}, 9), made({2, 3}, 0)));
  CHECK(better(made({1, 2}, 1), made({2, 4}, 2)));
  CHECK_FALSE(better(made({1, 2}, 2), made({2, 4}, 2)));
  CHECK_FALSE(better(made({2, 3}, 0), made({1, 2}, 9)));
}
