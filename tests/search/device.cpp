// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Schedules that are looked for on a device: held against runs in virtual time of what was found,
// and against all schedules of few tasks.

#include <doctest/doctest.h>
#include <algorithm>
#include <cstddef>
#include <optional>
#include <random>
#include <stretto/bound.hpp>
#include <stretto/dynamic.hpp>
#include <stretto/search.hpp>
#include <string>
#include <utility>
#include <vector>
#include "../support/seed.hpp"
#include "random_schedule.hpp"

namespace {

namespace st = stretto;
namespace dynamic = stretto::dynamic;
namespace planner = stretto::planner;
namespace search = stretto::search;

/// A schedule with tasks on streams, what all of that costs, and what shares an engine.
struct device_case {
  dynamic::schedule schedule{};
  std::vector<std::string> names{};
  std::vector<long long> times{};
  dynamic::device_model device{};

  std::vector<st::task_cost> costs() const {
    std::vector<st::task_cost> all;
    for (std::size_t i = 0; i < names.size(); ++i) all.push_back({names[i], times[i]});
    return all;
  }
  planner::ratio bound_of(const dynamic::schedule& s) const {
    const dynamic::planned_schedule planned(s);
    const dynamic::device_plan on_device(planned, device.engines);
    const std::vector<st::task_cost> all = costs();
    return st::bound_of(on_device, planner::view<st::task_cost>(all.data(), all.size())).period();
  }
  /// From end to end of batches.
  double in_run(const dynamic::schedule& s) const {
    const dynamic::planned_schedule planned(s);
    const dynamic::device_plan on_device(planned, device.engines);
    const std::vector<st::task_cost> all = costs();
    const auto end = [&](std::size_t batches) {
      const planner::view<st::task_cost> taken(all.data(), all.size());
      return static_cast<double>(st::simulate(on_device, taken, batches).total());
    };
    return (end(1200) - end(600)) / 600;
  }
  search::found_schedule find(search::limits within) const {
    within.device = device;
    const std::vector<st::task_cost> all = costs();
    return search::find_schedule(schedule, planner::view<st::task_cost>(all.data(), all.size()),
                                 within, {.steps = 20'000'000});
  }
  /// Nothing if no host task waits for a stream.
  std::optional<search::found_schedule> find_if_awaited(const search::limits& within) const {
    try {
      return find(within);
    } catch (const st::usage_error& e) {
      CHECK(std::string(e.what()).find("nothing on the host waits") != std::string::npos);
      return std::nullopt;
    }
  }
};

/// Every third one has an engine for all that is on streams.
device_case random_case(std::mt19937& random, int most_tasks, int number) {
  while (true) {
    const auto made = random_schedule::random_case::valid(random, most_tasks);
    device_case c{made.schedule, {}, made.times, {}};
    std::vector<std::string> engine;
    for (const dynamic::task& t : c.schedule.tasks) {
      c.names.push_back(t.name);
      if (!t.stream.empty()) engine.push_back(t.name);
    }
    c.names.emplace_back("pull");
    for (const std::string& t : engine) {
      c.names.push_back(dynamic::device_plan::submission_of(t));
      c.times.push_back(std::uniform_int_distribution<long long>(0, 30)(random));
    }
    if (number % 3 == 0) c.device.engines = {engine};
    if (!engine.empty()) return c;
  }
}

/// The shortest period of all lookaheads, threads and orders, with as many copies as are of use.
planner::ratio best_of_all(const device_case& c, const search::limits& within) {
  planner::ratio best{1'000'000, 1};
  dynamic::schedule s = c.schedule;
  s.frugal = true;
  s.slacks.clear();
  for (const dynamic::task& t : s.tasks)
    for (const dynamic::use& u : t.writes)
      if (std::none_of(s.slacks.begin(), s.slacks.end(),
                       [&](const dynamic::slack& k) { return k.slot == u.slot; }))
        s.slacks.push_back({u.slot, 4});
  s.slacks.push_back({"source", 4});
  const std::size_t tasks = s.tasks.size();
  std::vector<std::size_t> order;
  for (std::size_t t = 0; t < tasks; ++t) order.push_back(t);
  const std::vector<dynamic::task> before = s.tasks;
  const auto attempt = [&](auto& self, std::size_t next) -> void {
    if (next < tasks) {
      dynamic::task& t = s.tasks[next];
      const bool free = before[order[next]].thread.empty() && !within.threads.empty();
      for (int ahead = 0; ahead < within.in_flight; ++ahead)
        for (const std::string& thread :
             free ? within.threads : std::vector<std::string>{t.thread}) {
          t.lookahead = ahead;
          t.thread = thread;
          self(self, next + 1);
        }
      t.thread = before[order[next]].thread;
      return;
    }
    if (!dynamic::diagnose(s).ok()) return;
    for (int ahead = 0; ahead < within.in_flight; ++ahead) {
      s.source.lookahead = ahead;
      if (std::any_of(s.tasks.begin(), s.tasks.end(),
                      [&](const dynamic::task& t) { return t.lookahead > ahead; }))
        continue;
      const planner::ratio now = c.bound_of(s);
      if (now < best) best = now;
    }
  };
  do {
    for (std::size_t t = 0; t < tasks; ++t) s.tasks[t] = before[order[t]];
    attempt(attempt, 0);
  } while (std::next_permutation(order.begin(), order.end()));
  return best;
}

bool shares_state(const dynamic::schedule& s) {
  return std::any_of(s.tasks.begin(), s.tasks.end(), [](const dynamic::task& t) {
    return !t.observes.empty() || !t.mutates.empty();
  });
}

/// A thread submits to two streams.
device_case copying() {
  device_case c;
  c.schedule.name = "training";
  c.schedule.streams = {"copy", "compute"};
  c.schedule.source.slot = "file";
  c.schedule.results = {"loss"};
  c.schedule.tasks = {
      {.name = "h2d", .stream = "copy", .thread = "io", .reads = {"file"}, .writes = {"batch"}},
      {.name = "train",
       .stream = "compute",
       .thread = "io",
       .reads = {"batch"},
       .writes = {"loss"}}};
  c.names = {"h2d", "train", "submit h2d", "submit train"};
  c.times = {300, 500, 10, 40};
  return c;
}

}  // namespace

TEST_CASE("what is found takes what it promises, by the bound and in a run") {
  std::mt19937 random(seeds::first(20261129));
  int found = 0;
  int proved = 0;
  for (int number = 0; number < 150; ++number) {
    CAPTURE(number);
    const device_case c = random_case(random, 6, number);
    search::limits within;
    within.in_flight = 3;
    if (number % 2 == 0) within.threads = {"x", "y"};
    const std::optional<search::found_schedule> made = c.find_if_awaited(within);
    if (!made) continue;
    ++found;
    proved += made->optimal() ? 1 : 0;
    CHECK(made->period == c.bound_of(made->schedule));
    CHECK(c.in_run(made->schedule) == doctest::Approx(made->period.value()).epsilon(0.01));
    CHECK(!(made->period < made->least));
  }
  CHECK(found > 100);
  CHECK(proved > found * 9 / 10);
}

TEST_CASE("no schedule of few tasks is better than what is found, nor than what is proved") {
  std::mt19937 random(seeds::first(20261130));
  int compared = 0;
  for (int number = 0; compared < 40; ++number) {
    CAPTURE(number);
    const device_case c = random_case(random, 3, number);
    if (shares_state(c.schedule) || !c.schedule.orders.empty()) continue;
    search::limits within;
    within.in_flight = 2;
    if (number % 2 == 0) within.threads = {"x", "y"};
    const std::optional<search::found_schedule> made = c.find_if_awaited(within);
    if (!made) continue;
    const planner::ratio best = best_of_all(c, within);
    CHECK(!(best < made->least));
    if (made->optimal() || c.device.engines.empty()) CHECK(made->period == best);
    ++compared;
  }
}

TEST_CASE("a proof names the stream, the engine or the thread that is busy") {
  device_case c = copying();
  search::found_schedule made = c.find({.in_flight = 3});
  CHECK(made.period.value() == 500);
  CHECK(made.optimal());
  CHECK(made.busy == "stream compute");
  CHECK(made.because == std::vector<std::string>{"train"});
  c.device.engines = {{"h2d", "train"}};
  made = c.find({.in_flight = 3});
  CHECK(made.period.value() == 800);
  CHECK(made.text().find("busy, `an engine for h2d train`: `h2d`, `train`\n") != std::string::npos);
  // What is said twice holds once.
  c.device.engines = {{"h2d", "train", "h2d"}, {"h2d", "train", "h2d"}};
  made = c.find({.in_flight = 3});
  CHECK(made.period.value() == 800);
  CHECK(made.period == c.bound_of(made.schedule));
  c.device.engines.clear();
  c.times = {300, 500, 400, 450};
  made = c.find({.in_flight = 3});
  CHECK(made.period.value() == 850);
  CHECK(made.busy == "io");
  CHECK(made.because == std::vector<std::string>{"submit h2d", "submit train"});
  c.schedule.tasks[0].thread.clear();
  c.schedule.tasks[1].thread.clear();
  made = c.find({.in_flight = 3, .threads = {"a", "b"}});
  CHECK(made.period.value() == 500);
  CHECK(made.on_device);
}

TEST_CASE("what knows of threads only says so") {
  device_case c = copying();
  const auto refused = [](const auto& call) {
    try {
      call();
    } catch (const st::usage_error& e) {
      return std::string(e.what());
    }
    return std::string("taken");
  };
  const search::limits within{.in_flight = 2, .device = dynamic::device_model{}};
  const std::string what =
      " knows of threads only: schedules of a device are looked for by "
      "`find_schedule`, and kept in files";
  CHECK(refused([&] { search::list_schedule(c.schedule, {}, within); }) ==
        "`list_schedule`" + what);
  CHECK(refused([&] { search::beam_search(c.schedule, {}, within); }) == "`beam_search`" + what);
  CHECK(refused([&] { search::assign_lookaheads(c.schedule, {}, within); }) ==
        "`assign_lookaheads`" + what);
  CHECK(refused([&] {
          search::find_streams(c.schedule, {}, within, {"copy", "compute"});
        }) == "`find_streams`" + what);
  CHECK(refused([&] { search::find_schedules(c.schedule, {}, within, 2); }) ==
        "`find_schedules`" + what);
  CHECK(refused([&] { search::cost_ranges(c.find({.in_flight = 2})); }) == "`cost_ranges`" + what);
  CHECK(refused([&] { c.device.engines = {{"save"}}, c.find({.in_flight = 2}); }) ==
        "an engine of a device works for task `save`, which there is not");
  c = copying();
  c.names[2] = "submit save";
  CHECK(refused([&] { c.find({.in_flight = 2}); }).find("`submit save`") != std::string::npos);
  c = copying();
  c.schedule.results.clear();
  c.schedule.source.slot.clear();
  c.schedule.tasks[0].reads.clear();
  CHECK(refused([&] {
          c.find({.in_flight = 2});
        }).find("nothing on the host waits for what streams of the device do") == 0);
}
