// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What an observer is told of tasks that follow each other with nothing in between.

#include <doctest/doctest.h>
#include <cstddef>
#include <ranges>
#include <span>
#include <string>
#include <string_view>
#include <vector>
#include "../../support/tested.hpp"

namespace st = stretto;

namespace {

struct number : st::slot<int> {};
struct one : st::slot<int> {};
struct two : st::slot<int> {};
struct three : st::slot<int> {};
struct four : st::slot<int> {};
struct five : st::slot<int> {};

using a = st::thread<"a">;
using b = st::thread<"b">;

template <class Thread, class In, class Out>
struct task_on {
  using thread = Thread;
  using reads = st::reads<In>;
  using writes = st::writes<Out>;
  void operator()(int in, int& out) const { out = in + 1; }
};
struct first : task_on<a, number, one> {
  static constexpr int lookahead = 1;
};
struct second : task_on<a, one, two> {
  static constexpr int lookahead = 1;
};
struct third : task_on<b, two, three> {};
struct fourth : task_on<b, three, four> {};
struct apart : st::schedule<st::source<number>, st::result<four>, first, second, third, fourth> {};

template <class In, class Out>
struct task {
  using reads = st::reads<In>;
  using writes = st::writes<Out>;
  void operator()(int in, int& out) const { out = in + 1; }
};
struct early : task<number, one> {
  static constexpr int lookahead = 1;
};
struct middle : task<one, two> {};
struct late : task<two, four> {};
struct alone : st::schedule<st::source<number>, st::result<four>, st::threads<st::on_caller>, early,
                            middle, late> {};

/// Tells its own thread's next task apart from what others wait for.
struct told_late : task_on<a, two, five> {
  static constexpr int lookahead = 1;
};
struct between
    : st::schedule<st::source<number>, st::result<four>, first, second, told_late, third, fourth> {
};
struct elsewhere : task_on<b, number, two> {
  static constexpr int lookahead = 1;
};
struct ahead : task_on<a, number, one> {};
struct behind : task_on<a, two, three> {};
struct last : task_on<a, three, four> {};
struct crossing
    : st::schedule<st::source<number>, st::result<four>, ahead, elsewhere, behind, last> {};
struct now_and_then : task_on<a, number, one> {
  static constexpr int every = 4;
};
struct after_it : task_on<a, number, two> {};
struct and_then : task_on<a, two, three> {};
struct rated
    : st::schedule<st::source<number>, st::result<three>, now_and_then, after_it, and_then> {};

/// How often a task began right after another one, by name.
struct watcher {
  using stretto_tag = st::tag::observer;
  static constexpr bool observes = true;
  struct row {
    std::string name;
    std::size_t begun = 0;
    std::size_t back_to_back = 0;
  };
  inline static std::vector<row> rows;  // each written by one thread

  void attached(std::span<const std::string_view>, std::span<const std::string_view> tasks) {
    rows.clear();
    for (const std::string_view t : tasks) rows.push_back({std::string(t)});
  }
  void started(std::size_t, std::size_t task, std::size_t) { ++rows[task].begun; }
  void started(std::size_t, std::size_t task, std::size_t, st::back_to_back) {
    ++rows[task].begun;
    ++rows[task].back_to_back;
  }
  void finished(std::size_t, std::size_t, std::size_t) {}
  static std::size_t back_to_back(std::string_view task) {
    for (const row& r : rows)
      if (r.name == task) {
        return r.back_to_back;
      }
    FAIL("no such task");
    return 0;
  }
};

template <class Schedule>
void run() {
  tested::pipeline<Schedule, watcher> p;
  std::size_t results = 0;
  for (const int r : p.run(std::views::iota(0, 20))) {
    static_cast<void>(r);
    ++results;
  }
  CHECK(results == 20);
}

}  // namespace

TEST_CASE("on one thread tasks follow each other, and the pull follows the loop over results") {
  run<alone>();
  CHECK(watcher::back_to_back("pull") == 0);
  for (const char* const task : {"early", "middle", "late"})
    CHECK(watcher::back_to_back(task) >= 18);
}

TEST_CASE("a task that waits for another thread follows nothing") {
  run<apart>();
  CHECK(watcher::back_to_back("first") == 0);
  CHECK(watcher::back_to_back("second") >= 16);
  CHECK(watcher::back_to_back("third") == 0);
  CHECK(watcher::back_to_back("fourth") >= 16);
}

TEST_CASE("nor does one that waits between others of its own thread") {
  run<crossing>();
  CHECK(watcher::back_to_back("behind") == 0);
  CHECK(watcher::back_to_back("last") >= 16);
}

TEST_CASE("nor does one before which others were told") {
  run<between>();
  CHECK(watcher::back_to_back("second") >= 16);
  CHECK(watcher::back_to_back("told_late") == 0);
}

TEST_CASE("nor one before which only a task came that did not run") {
  run<rated>();
  CHECK(watcher::back_to_back("after_it") <= 5);
  CHECK(watcher::back_to_back("and_then") >= 16);
}
