// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Thread maps made by the compiler, run: the same results as without threads, on the threads that
// the plan says.

#include <doctest/doctest.h>
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <set>
#include <stretto/stretto.hpp>
#include <string_view>
#include <thread>
#include <vector>
#include "../../../benchmarks/fourteen/checked.hpp"
#include "../../../benchmarks/fourteen/pipeline.hpp"
#include "../../support/tested.hpp"
#include "deadline.hpp"

namespace {

namespace st = stretto;

constexpr std::size_t counts[] = {0, 1, 2, 3, 50};

std::vector<std::uint64_t> batches(std::size_t count) {
  std::vector<std::uint64_t> result(count);
  for (std::size_t b = 0; b < count; ++b) result[b] = b * 7 + 1;
  return result;
}

/// Proves the order, and keeps who ran each task. A task has one thread, so this needs no lock.
struct noted : benchmarks::work::checked {
  template <std::size_t Task, class... Slot>
  static void task(Slot&... slots) {
    ran_on[Task].insert(std::this_thread::get_id());
    checked::task<Task>(slots...);
  }
  static inline std::array<std::set<std::thread::id>, 14> ran_on;
};

// A third of the work for each of three threads: 12 on the stream "default", 12 on "memcpy", 12 on
// the other two.
using work = benchmarks::fourteen<noted>;
struct weighted : st::replan<work::pipelined, st::place<work::h2d, st::weight<4>>,
                             st::place<work::start_shuffle, st::weight<4>>,
                             st::place<work::finish_shuffle, st::weight<4>>,
                             st::place<work::start_input_dist, st::weight<5>>,
                             st::place<work::wait_input_dist, st::weight<5>>,
                             st::place<work::prefetch_embeddings, st::weight<2>>,
                             st::place<work::forward, st::weight<3>>,
                             st::place<work::backward, st::weight<3>>> {};
struct on_two : st::replan<weighted, st::threads<st::generated<2>>> {};
struct on_three : st::replan<weighted, st::threads<st::generated<3>>> {};

template <class Schedule, class... Options>
std::vector<std::uint64_t> results(std::size_t count) {
  noted::restart(count);
  noted::ran_on = {};
  tested::pipeline<Schedule, Options...> pipeline;
  std::vector<std::uint64_t> all;
  for (const std::uint64_t r : pipeline.run(batches(count))) all.push_back(r);
  return all;
}

template <class Schedule, class Pace>
void check_fourteen(std::size_t threads) {
  const deadline limit("a generated map");
  constexpr auto& plan = st::plan_of<Schedule>;
  CHECK(plan.threads == threads);
  constexpr std::string_view names[] = {"caller", "worker 1", "worker 2"};
  for (std::size_t t = 0; t < threads; ++t)
    CHECK(std::count(plan.thread_names.begin(), plan.thread_names.end(), names[t]) == 1);
  CHECK(plan.thread_names[0] == "caller");
  for (const std::size_t count : counts) {
    CAPTURE(count);
    const auto wanted = results<st::serial<Schedule>>(count);
    CHECK(wanted.size() == count);
    CHECK(results<Schedule, Pace>(count) == wanted);
    CHECK(noted::violations() == 0);

    std::set<std::thread::id> all;
    for (std::size_t t = 0; t < 14; ++t) {
      CAPTURE(t);
      REQUIRE(noted::ran_on[t].size() == (count == 0 ? 0 : 1));
      if (count == 0) continue;
      const std::thread::id id = *noted::ran_on[t].begin();
      all.insert(id);
      CHECK((id == std::this_thread::get_id()) == (plan.thread_of[t] == 0));
      for (std::size_t other = 0; other < t; ++other)
        CHECK((id == *noted::ran_on[other].begin()) ==
              (plan.thread_of[t] == plan.thread_of[other]));
    }
    CHECK(all.size() == (count == 0 ? 0 : threads));
  }
}

// Tasks with a thread of their own among others.

struct raw : st::slot<std::uint64_t> {};
struct read_in : st::slot<std::uint64_t> {};
struct unpacked : st::slot<std::uint64_t> {};
struct summed : st::slot<std::uint64_t> {};

/// Which thread each task had according to its context, "" before it ran and "?" if they differ.
std::array<std::string_view, 3> seen;

template <std::size_t Task>
struct named {
  static constexpr int weight = 3;
  static constexpr int lookahead = 2 - static_cast<int>(Task);
  void operator()(st::context auto& ctx, const std::uint64_t& in, std::uint64_t& out) const {
    std::string_view& name = seen[Task];
    name = name.empty() || name == ctx.thread() ? ctx.thread() : "?";
    out = in * 31 + Task;
  }
};
struct read : named<0> {
  using thread = st::thread<"disk">;
  using reads = st::reads<raw>;
  using writes = st::writes<read_in>;
};
struct unpack : named<1> {
  using reads = st::reads<read_in>;
  using writes = st::writes<unpacked>;
};
struct sum : named<2> {
  using thread = st::thread<"caller">;
  using reads = st::reads<unpacked>;
  using writes = st::writes<summed>;
};
struct pinned : st::schedule<st::source<raw>, st::result<summed>, read, unpack, sum,
                             st::threads<st::generated<3>>> {};

template <class Pace>
void check_pinned() {
  const deadline limit("a generated map with pinned tasks");
  tested::pipeline<st::serial<pinned>> baseline;
  tested::pipeline<pinned, Pace> pipeline;
  for (const std::size_t count : counts) {
    CAPTURE(count);
    std::vector<std::uint64_t> wanted;
    for (const std::uint64_t r : baseline.run(batches(count))) wanted.push_back(r);
    CHECK(wanted.size() == count);
    seen = {};
    std::vector<std::uint64_t> got;
    for (const std::uint64_t r : pipeline.run(batches(count))) got.push_back(r);
    CHECK(got == wanted);
    if (count == 0) continue;
    CHECK(seen[0] == "disk");
    CHECK(seen[1] == "worker 1");
    CHECK(seen[2] == "caller");
  }
}

// Two tasks that share a resource, with no order but that of the one thread that runs both.

struct table : st::resource<> {};
struct update {
  static constexpr int weight = 5;
  using reads = st::reads<raw>;
  using mutates = st::mutates<table>;
  void operator()(const std::uint64_t&) const {}
};
struct look_up {
  static constexpr int weight = 5;
  using reads = st::reads<raw>;
  using writes = st::writes<summed>;
  using observes = st::observes<table>;
  void operator()(const std::uint64_t& in, std::uint64_t& out) const { out = in; }
};
struct sharing : st::schedule<st::source<raw>, st::result<summed>, update, look_up> {};
struct kept_together : st::replan<sharing, st::threads<st::generated<1>>> {};
struct split : st::replan<sharing, st::threads<st::generated<2>>> {};

static_assert(st::is_valid<sharing>);
static_assert(st::is_valid<kept_together>);
static_assert(!st::is_valid<split>);

}  // namespace

TEST_CASE("the 14-task pipeline on two generated threads, running ahead") {
  check_fourteen<on_two, st::run_ahead>(2);
}
TEST_CASE("the 14-task pipeline on two generated threads, meeting after every progress") {
  check_fourteen<on_two, st::barrier>(2);
}
TEST_CASE("the 14-task pipeline on three generated threads, running ahead") {
  check_fourteen<on_three, st::run_ahead>(3);
}
TEST_CASE("the 14-task pipeline on three generated threads, meeting after every progress") {
  check_fourteen<on_three, st::barrier>(3);
}
TEST_CASE("a task with a thread of its own runs there, running ahead") {
  check_pinned<st::run_ahead>();
}
TEST_CASE("a task with a thread of its own runs there, meeting after every progress") {
  check_pinned<st::barrier>();
}
TEST_CASE("a map that splits tasks which only their thread orders is refused") {
  const auto sentences = st::explain_findings<split>();
  REQUIRE(sentences.size() == 1);
  CHECK(sentences[0].find("race: task `look_up` observes `table`, which `update` uses too") == 0);
}
