// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What no other plan of the same tasks goes below: as constants, of values, and of random schedules
// next to plans that are made of their tasks otherwise.

#include <doctest/doctest.h>
#include <algorithm>
#include <cstddef>
#include <initializer_list>
#include <optional>
#include <random>
#include <stretto/bound.hpp>
#include <stretto/dynamic.hpp>
#include <stretto/from_types.hpp>
#include <stretto/search.hpp>
#include <stretto/stretto.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>
#include "../advice/random_schedules.hpp"
#include "../support/seed.hpp"
#include "learning.hpp"
#include "timed_plans.hpp"

namespace {

namespace st = stretto;
using st::planner::ratio;
using why = st::plan_least::why;

using namespace of_three_threads;

struct roomy : st::replan<learning, st::slack<image>> {};
struct deep : st::replan<roomy, st::place<decode, st::lookahead<3>>,
                         st::place<crop, st::lookahead<2>>, st::place<train, st::thread<"gpu">>> {};

constexpr bool because_of(const st::plan_least& least, why reason,
                          std::initializer_list<std::string_view> tasks) {
  return least.reason() == reason &&
         std::equal(least.because().begin(), least.because().end(), tasks.begin(), tasks.end());
}

// Two batches in flight pass `pull`, `decode`, `crop` and `train`, one after the other.
static_assert(st::least_of<learning>().period() == ratio{900, 2});
static_assert(because_of(st::least_of<learning>(), why::cycle,
                         {"pull", "decode", "crop", "train"}));
static_assert(st::least_of<learning>().batches() == 2);
static_assert(st::least_of<learning>().in_flight() == 2);
// As it is it takes 500; a copy more, and nothing is faster.
static_assert(!st::is_optimal<learning>());
static_assert(st::is_optimal<roomy>());
// With four, `train` takes as long; what it costs decides.
static_assert(because_of(st::least_of<deep>(), why::task, {"train"}));
static_assert(st::is_optimal<deep>());
static_assert(st::least_of<deep>({{"train", 100}}).period() == ratio{300, 1});
static_assert(because_of(st::least_of<deep>({{"pull", 700}}), why::task, {"pull"}));
// Two threads cannot do 850 in less than 425, and one of them has two of the three tasks.
struct two : st::replan<deep, st::place<train, st::thread<"decoder">>> {};
static_assert(st::least_of<two>().threads() == 2);
static_assert(because_of(st::least_of<two>(), why::crowd, {"train", "decode", "crop"}));
static_assert(st::least_of<two>().share() == 2);
static_assert(st::least_of<two>().period() == ratio{500, 1});
static_assert(!st::is_optimal<two>());  // `decode`, `train`: 650
struct best_two : st::replan<deep, st::place<crop, st::thread<"decoder">>> {};
static_assert(st::is_optimal<best_two>());
// If they are shorter, all they do counts, in multiples of 50.
static_assert(because_of(st::least_of<two>({{"train", 550}, {"crop", 50}, {"decode", 550}}),
                         why::threads, {}));
static_assert(st::least_of<two>({{"train", 550}, {"crop", 50}, {"decode", 550}}).period() ==
              ratio{600, 1});
static_assert(st::least_of<deep>().share() == 0);

// Of five tasks, one of two threads has three.
template <int Number>
struct part {
  static constexpr int weight = Number < 2 ? 50 : 40;
  using thread = st::thread<Number % 2 == 0 ? "x" : "y">;
  using reads = st::reads<file>;
  void operator()(int) const {}
};
struct parted : st::schedule<st::source<file>, part<0>, part<1>, part<2>, part<3>, part<4>> {};
static_assert(st::least_of<parted>().period() == ratio{120, 1});
static_assert(st::least_of<parted>().share() == 3);
static_assert(st::least_of<parted>().because().size() == 5);

struct state : st::slot<int> {};
struct forward {  // with what `update` made of the batch before
  static constexpr int weight = 300;
  static constexpr int lookahead = 1;
  void operator()(st::in<file> in, st::previous<state> before, st::out<image> out) const {
    out = *in + before.value_or(0);
  }
};
struct update {
  static constexpr int weight = 100;
  static constexpr int lookahead = 1;
  using thread = st::thread<"other">;
  void operator()(st::in<image> in, st::out<state> out, st::out<loss> l) const { l = out = *in; }
};
struct looping : st::schedule<st::source<file>, st::result<loss>, forward, update> {};
static_assert(because_of(st::least_of<looping>(), why::cycle, {"forward", "update"}));
static_assert(st::least_of<looping>().period() == ratio{400, 1});
static_assert(st::least_of<looping>().batches() == 1);
static_assert(st::is_optimal<looping>());  // whoever runs them

struct on_a_stream {
  static constexpr int weight = 70;
  static constexpr int lookahead = 1;
  using stream = st::stream<"copy">;
  using thread = st::thread<"a">;
  void operator()(st::in<file> in, st::out<image> out) const { out = *in; }
};
struct on_it_too {
  static constexpr int weight = 60;
  using stream = st::stream<"copy">;
  using thread = st::thread<"b">;
  void operator()(st::in<image> in, st::out<loss> out) const { out = *in; }
};
struct copying : st::schedule<st::source<file>, st::result<loss>, st::streams<"copy">, on_a_stream,
                              on_it_too> {};
static_assert(because_of(st::least_of<copying>(), why::stream, {"on_a_stream", "on_it_too"}));
static_assert(st::least_of<copying>().busy_stream() == "copy");
static_assert(st::least_of<copying>().period() == ratio{130, 1});

struct rated {  // of every fourth batch: a quarter of it counts for each
  static constexpr int weight = 800;
  static constexpr int every = 4;
  void operator()(st::window<file, 4>, st::out<image> out) const { out = 0; }
};
struct per_batch {
  static constexpr int weight = 90;
  using thread = st::thread<"other">;
  void operator()(st::in<file> in, st::latest<image, 1>, st::out<loss> out) const { out = *in; }
};
struct rates : st::schedule<st::source<file>, st::result<loss>, rated, per_batch> {};
static_assert(because_of(st::least_of<rates>(), why::task, {"rated"}));
static_assert(st::least_of<rates>().period() == ratio{200, 1});
static_assert(st::least_of<rates>({{"rated", 1200}}).period() == ratio{300, 1});

struct shared  // two threads take turns at `decode`
    : st::replan<deep, st::workers<"decoder", 2>> {};
static_assert(st::least_of<shared>({{"decode", 1000}}).period() == ratio{1000, 2});

template <class Made>
std::string refusal(Made make) {
  try {
    static_cast<void>(make());
  } catch (const st::usage_error& e) {
    return e.what();
  }
  return "nothing is wrong";
}

st::plan_least least_of(const timed_plan& p) {
  return {
      p.declared, p.plan.resolved, p.plan.edges, p.plan.threads.thread_of, p.plan.threads.workers,
      {}};
}

/// Another plan of a schedule's tasks, on the threads that it has and with as many batches in
/// flight; not always a valid one.
st::dynamic::schedule otherwise(st::dynamic::schedule s, int in_flight,
                                const std::vector<std::string>& threads, std::mt19937& random) {
  const auto pick = [&](int most) { return std::uniform_int_distribution<int>(0, most)(random); };
  for (st::dynamic::task& t : s.tasks) {
    if (pick(1) == 0) t.lookahead = pick(in_flight - 1);
    if (pick(1) == 0) t.thread = threads[static_cast<std::size_t>(pick(int(threads.size()) - 1))];
    for (auto* uses : {&t.reads, &t.writes})
      for (st::dynamic::use& u : *uses) u.offset.reset();
    for (const st::dynamic::use& u : t.writes)
      if (pick(3) == 0 &&
          std::none_of(s.slacks.begin(), s.slacks.end(),
                       [&](const st::dynamic::slack& known) { return known.slot == u.slot; }))
        s.slacks.push_back({u.slot, 1 + pick(2)});
  }
  std::shuffle(s.tasks.begin(), s.tasks.end(), random);
  return s;
}

}  // namespace

TEST_CASE("what it says, it says as text, too") {
  CHECK(st::least_of<learning>().text() ==
        "no plan of these tasks with 3 threads and 2 batches in flight takes less than 450 per "
        "progress: `pull` > `decode` > `crop` > `train` > `pull` 2 batches later, 900 in all\n");
  CHECK(st::least_of<deep>().text() ==
        "no plan of these tasks with 3 threads and 4 batches in flight takes less than 350 per "
        "progress: `train` takes that by itself\n");
  CHECK(st::least_of<two>().text() ==
        "no plan of these tasks with 2 threads and 4 batches in flight takes less than 500 per "
        "progress: a thread has 2 of these tasks at least: `train`, `decode`, `crop`\n");
  CHECK(st::least_of<two>({{"train", 550}, {"crop", 50}, {"decode", 550}}).text() ==
        "no plan of these tasks with 2 threads and 4 batches in flight takes less than 600 per "
        "progress: all threads are busy\n");
  CHECK(st::least_of<copying>().text() ==
        "no plan of these tasks with 2 threads and 2 batches in flight takes less than 130 per "
        "progress: stream `copy` is busy with `on_a_stream`, `on_it_too`\n");
}

TEST_CASE("costs of what is no task, and costs that cannot be, are refused") {
  CHECK(refusal([] {
          return st::least_of<learning>({{"trian", 1}});
        }) == "task `trian` is not one of this plan");
  CHECK(refusal([] {
          return st::is_optimal<learning>({{"train", 1}, {"train", 2}});
        }) == "task `train` is told the cost of twice");
  CHECK(refusal([] {
          return st::least_of<learning>({{"train", -1}});
        }) == "task `train` costs less than nothing");
}

TEST_CASE("of values it is what it is of types") {
  const st::dynamic::planned_schedule planned(st::dynamic::from_types<learning>());
  CHECK(st::least_of(planned).text() == st::least_of<learning>().text());
  CHECK(!st::is_optimal(planned));
  CHECK(st::is_optimal(st::dynamic::planned_schedule(st::dynamic::from_types<roomy>())));
  CHECK(st::least_of(planned, {{"train", 1000}}).period() == ratio{1000, 1});
}

template <class Planned>
concept can_be_asked = requires(Planned&& planned, st::planner::view<st::task_cost> costs) {
  st::least_of(std::forward<Planned>(planned));
  st::bound_of(std::forward<Planned>(planned));
} || requires(Planned&& planned, st::planner::view<st::task_cost> costs) {
  st::least_of(std::forward<Planned>(planned), costs);
  st::bound_of(std::forward<Planned>(planned), costs, st::barrier{});
};
// What they return names the plan's tasks.
static_assert(can_be_asked<st::dynamic::planned_schedule&>);
static_assert(can_be_asked<const st::dynamic::planned_schedule&>);
static_assert(!can_be_asked<st::dynamic::planned_schedule>);
static_assert(!can_be_asked<const st::dynamic::planned_schedule>);

TEST_CASE("workers that share a task take a part of it each") {
  st::dynamic::schedule s;
  s.source.slot = "file";
  s.tasks = {{.name = "load", .lookahead = 2, .weight = 300, .reads = {"file"}},
             {.name = "check", .weight = 100, .reads = {"file"}}};
  const auto least = [&s] {
    const st::dynamic::planned_schedule planned(s);
    return std::pair(st::least_of(planned).period().value(),
                     st::bound_of(planned).period().value());
  };
  s.at("load").thread = "loading";
  s.at("check").thread = "checking";
  CHECK(least() == std::pair(300.0, 300.0));
  // As many threads, of which two share all that there is: another number of workers.
  s.at("check").thread = "loading";
  s.groups = {{.thread = "loading", .workers = 2}};
  CHECK(least() == std::pair(200.0, 200.0));
}

TEST_CASE("no plan is faster than its own bound") {
  std::size_t proved = 0;
  for (const bool grouped : {false, true})
    timed_plan::for_each(500, grouped, 7, [&](const timed_plan& p) {
      const ratio least = least_of(p).period();
      const ratio period = p.bound().period();
      CHECK_FALSE(period < least);
      proved += period == least ? 1 : 0;
    });
  CHECK(proved > 300);  // so that it is no bound of nothing
}

TEST_CASE("no other plan of the same tasks is faster") {
  std::mt19937 random(seeds::first(11));
  std::size_t others = 0;
  timed_plan::for_each(150, false, 23, [&](const timed_plan& p) {
    const st::dynamic::schedule from = random_schedules::outline(p.declared, false, random);
    const auto now = random_schedules::planned(from);
    if (!now) return;
    const st::plan_least least = st::least_of(*now);
    std::vector<std::string> threads;
    for (std::size_t n = 0; n < from.tasks.size(); ++n)
      threads.emplace_back(now->plan().threads.names[now->plan().threads.thread_of[n]]);
    for (int turn = 0; turn < 20; ++turn) {
      const st::dynamic::schedule other = otherwise(from, least.in_flight(), threads, random);
      if (!st::dynamic::diagnose(other).ok()) continue;
      const st::dynamic::planned_schedule planned(other);
      const st::plan_least same = st::least_of(planned);
      if (same.threads() > least.threads() || same.in_flight() > least.in_flight()) continue;
      CHECK_FALSE(st::bound_of(planned).period() < least.period());
      ++others;
    }
  });
  CHECK(others > 300);
}

TEST_CASE("what a search finds is not faster, and is mostly proved") {
  std::mt19937 random(seeds::first(5));
  std::size_t found = 0;
  std::size_t proved = 0;
  timed_plan::for_each(60, false, 31, [&](const timed_plan& p) {
    st::dynamic::schedule s = random_schedules::outline(p.declared, true, random);
    for (st::dynamic::task& t : s.tasks) t.thread.clear();
    s.groups.clear();
    if (!st::dynamic::diagnose(s).ok()) return;
    st::search::limits within;
    within.in_flight = 3;
    within.threads = {"one", "two"};
    const auto best = st::search::find_schedule(s, {}, within, {.steps = 1'000'000});
    const st::dynamic::planned_schedule planned(best.schedule);
    const st::plan_least least = st::least_of(planned);
    CHECK_FALSE(best.period < least.period());
    // The search may have taken fewer threads and batches than its bound allows.
    using reason = st::search::proof::why;
    if (best.reason != reason::search && best.reason != reason::thread)
      CHECK_FALSE(least.period() < best.least);
    ++found;
    proved += st::is_optimal(planned) ? 1 : 0;
  });
  CHECK(found > 20);
  CHECK(proved > found / 2);
}
