// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Which thread runs what, and who has workers.

#include <doctest/doctest.h>
#include <array>
#include <stretto/plan/derive/threads.hpp>
#include <string_view>
#include <vector>
#include "../draft.hpp"

namespace {

namespace planner = stretto::planner;
using numbers = std::vector<std::size_t>;

}  // namespace

TEST_CASE("a task is on the thread that it names, else on its stream's, else on that of the host") {
  planner::task t;
  CHECK(planner::thread_name(t) == "host");
  t.stream = "main";
  CHECK(planner::thread_name(t) == "main");
  t.thread = "own";
  CHECK(planner::thread_name(t) == "own");
}

TEST_CASE("threads are numbered as the order meets them, the caller's first; chains keep it") {
  draft d{"copy", "main"};
  d.add("train", 0, "main");
  d.add("load", 1, "copy");
  d.add("log");
  d.add("reduce", 0, "main");
  const std::array<std::size_t, 6> order{4, 1, 3, 0, 2, 5};
  planner::declaration declared = d.declaration();
  const planner::thread_map m = planner::make_thread_map(declared, order);
  CHECK(m.names == std::vector<std::string_view>{"caller", "copy", "main", "host"});
  CHECK(m.thread_of == numbers{2, 1, 3, 2, 0, 0});
  CHECK(m.chained == numbers{4, 5, 1, 3, 0, 2});
  CHECK(m.place == numbers{1, 0, 0, 0, 0, 1});
  REQUIRE(m.chains.size() == 4);
  CHECK(m.chains[2].first == 3);
  CHECK(m.chains[2].last == 5);
  CHECK(m.workers == numbers{1, 1, 1, 1});

  declared.caller_runs = "main";
  const planner::thread_map by_caller = planner::make_thread_map(declared, order);
  CHECK(by_caller.thread_of == numbers{0, 1, 2, 0, 0, 0});
  CHECK(by_caller.chained == numbers{4, 3, 0, 5, 1, 2});
}

TEST_CASE("a coroutine is a group of its own, behind all that threads run") {
  draft d{"copy"};
  d.add("fetch").thread("work");
  d.add("count").thread("work");
  d.add("ask", 0, "copy");
  std::vector<planner::task> tasks(d.declaration().tasks.begin(), d.declaration().tasks.end());
  tasks[0].suspends = tasks[2].suspends = true;
  planner::declaration declared = d.declaration();
  declared.tasks = tasks;
  CHECK(planner::has_coroutines(declared));
  const std::array<std::size_t, 5> order{3, 0, 1, 2, 4};
  const planner::thread_map m = planner::make_thread_map(declared, order);
  CHECK(m.names == std::vector<std::string_view>{"caller", "work", "fetch", "ask"});
  CHECK(m.thread_of == numbers{2, 1, 3, 0, 0});
  CHECK(m.chained == numbers{3, 4, 1, 0, 2});
  // Begun by the thread that they name, or by the calling one.
  CHECK(m.begun_by == numbers{planner::none, planner::none, 1, 0});

  // Also one that is called as a thread, and of a thread that the caller runs.
  tasks[0].id = stretto::name("work");
  const planner::thread_map called_alike = planner::make_thread_map(declared, order);
  CHECK(called_alike.names == std::vector<std::string_view>{"caller", "work", "work", "ask"});
  CHECK(called_alike.thread_of == numbers{2, 1, 3, 0, 0});
  declared.caller_runs = "work";
  const planner::thread_map by_caller = planner::make_thread_map(declared, order);
  CHECK(by_caller.names == std::vector<std::string_view>{"caller", "work", "ask"});
  CHECK(by_caller.thread_of == numbers{1, 0, 2, 0, 0});
  CHECK(by_caller.begun_by == numbers{planner::none, 0, 0});
}

TEST_CASE("workers are for host tasks that do not pull; all others have one, however asked") {
  draft d{"copy"};
  d.add("load").thread("loading");
  d.add("copy", 0, "copy").thread("copying");
  d.add("reduce").thread("reducing").collective();
  d.add("work").thread("working");
  d.source_on("pulling");
  d.group("loading", 0, 3).group("copying", 1, 4).group("reducing", 0, 4);
  d.group("pulling", 0, 4).group("working", 2).group("caller", 0, 4);
  const planner::declaration declared = d.declaration();
  const planner::group_index groups(declared);
  struct expected {
    std::string_view thread;
    int workers;
    std::size_t place;
  };
  for (const expected& e :
       {expected{"loading", 3, 0}, expected{"copying", 1, 1}, expected{"reducing", 1, 2},
        expected{"pulling", 1, 3}, expected{"working", 1, 4}, expected{"caller", 1, 5},
        expected{"strange", 1, planner::none}}) {
    CHECK(planner::workers_on(declared, e.thread) == e.workers);
    CHECK(groups.workers_on(e.thread) == e.workers);
    CHECK(groups.find(e.thread) == e.place);
  }
  CHECK(planner::has_group(declared, "loading"));
  CHECK(planner::has_group(declared, "pulling"));
  CHECK_FALSE(planner::has_group(declared, "copy"));  // the task is elsewhere
  const std::array<std::size_t, 6> order{4, 0, 1, 2, 3, 5};
  const planner::thread_map m = planner::make_thread_map(declared, order);
  CHECK(m.workers[m.thread_of[0]] == 3);
  CHECK(m.workers[m.thread_of[3]] == 1);
}

TEST_CASE("workers share a task's object, unless each run waits for the one before") {
  draft d;
  d.add("free").thread("working").cross_iter("free", 2).cross_iter("other");
  d.add("in_turn").thread("working").cross_iter("in_turn");
  d.add("other").thread("alone");
  d.group("working", 0, 2);
  const planner::declaration declared = d.declaration();
  CHECK(planner::shared_by_workers(declared, 0));
  CHECK_FALSE(planner::shared_by_workers(declared, 1));
  CHECK_FALSE(planner::shared_by_workers(declared, 2));
}
