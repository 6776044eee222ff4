// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Schedules with streams as a device works through them: by hand, and of random schedules, held
// against threads and streams that are stepped one by one.

#include <doctest/doctest.h>
#include <algorithm>
#include <cstddef>
#include <map>
#include <random>
#include <stretto/bound.hpp>
#include <stretto/dynamic.hpp>
#include <stretto/plan/order/fewest_waits.hpp>
#include <string>
#include <utility>
#include <vector>
#include "../../search/random_schedule.hpp"
#include "../../support/seed.hpp"

namespace {

namespace st = stretto;
namespace dynamic = stretto::dynamic;
namespace planner = stretto::planner;

/// One thread submits to two streams.
dynamic::schedule training() {
  dynamic::schedule s;
  s.name = "training";
  s.streams = {"copy", "compute"};
  s.source.slot = "file";
  s.results = {"loss"};
  s.tasks = {{.name = "h2d",
              .stream = "copy",
              .thread = "io",
              .lookahead = 1,
              .reads = {"file"},
              .writes = {"batch"}},
             {.name = "train",
              .stream = "compute",
              .thread = "io",
              .reads = {"batch"},
              .writes = {"loss"}}};
  s.slot<int>("file").slot<int>("batch").slot<int>("loss");
  return s;
}

/// When each task is at work on each batch, by name: its work on its stream, if it has one.
using work = std::map<std::pair<std::string, std::size_t>, std::pair<long long, long long>>;

/// Host threads go through their tasks, progress by progress. They wait for what host tasks are to
/// have done; of a task on a stream they wait until it is submitted, if they submit what comes
/// after it, or until the stream is through with it. A stream waits for its own work and that of
/// others.
work stepped(const dynamic::planned_schedule& planned, const std::vector<long long>& times,
             const std::vector<long long>& submissions, std::size_t batches) {
  const planner::plan& p = planned.plan();
  const planner::graph& g = p.resolved;
  const auto depth = static_cast<std::size_t>(g.max_lookahead);
  const auto submits = [&](std::size_t n) { return g.nodes[n].stream != planner::none; };
  const auto is_on_stream = [&](std::size_t n) { return n < g.tasks && submits(n); };
  std::vector<long long> threads(p.threads.names.size(), 0);
  std::vector<long long> streams(g.streams.size(), 0);
  long long communicator = 0;
  const auto blocking = planner::blocking_waits(p);
  const auto bound = planner::run_ahead_bound(p, {blocking.data(), blocking.size()});
  std::map<std::pair<std::size_t, std::size_t>, long long> host;
  std::map<std::pair<std::size_t, std::size_t>, long long> done;
  work all;
  for (std::size_t i = 0; i < batches + depth; ++i) {
    for (const std::size_t n : p.order) {
      const std::size_t lag = planned.lag()[n];
      const bool fires = lag <= i && i < batches + lag;
      long long& clock = threads[p.threads.thread_of[n]];
      long long on_stream = 0;
      const auto before = [&](const planner::edge& e, const auto& ends) {
        const auto delta = static_cast<std::size_t>(e.delta);
        return delta > i ? 0 : ends.at({e.producer, i - delta});
      };
      for (const planner::edge& e : p.edges) {
        if (e.consumer != n) continue;
        const bool submission = e.why == planner::reason::order || e.why == planner::reason::ticket;
        clock = std::max(clock, before(e, submission || submits(n) ? host : done));
        if (is_on_stream(n) && is_on_stream(e.producer) && !submission)
          on_stream = std::max(on_stream, before(e, done));
      }
      for (const planner::edge& e : planner::delivery_edges(g))
        if (e.consumer == n) clock = std::max(clock, before(e, host));
      for (const planner::edge& e : bound)
        if (e.consumer == n) clock = std::max(clock, before(e, done));
      long long began = clock;
      const std::size_t timed = (std::min)(n, times.size() - 1);
      if (is_on_stream(n)) {
        if (fires) clock += submissions[n];
        long long& stream = streams[g.nodes[n].stream];
        began = (std::max)({clock, on_stream, stream, g.nodes[n].collective ? communicator : 0});
        stream = began + (fires ? times[timed] : 0);
        if (g.nodes[n].collective) communicator = stream;
        done[{n, i}] = stream;
      } else {
        if (fires && n != g.deliver()) clock += times[timed];
        done[{n, i}] = clock;
      }
      host[{n, i}] = clock;
      if (fires && n != g.deliver())
        all[{std::string(planned.name_of(n)), i - lag}] = {began, done.at({n, i})};
    }
  }
  return all;
}

}  // namespace

TEST_CASE("a thread that only submits goes on while its streams work") {
  const dynamic::planned_schedule as_host(training());
  const dynamic::device_plan on_device(as_host);
  const auto costs = {st::task_cost{"h2d", 300}, st::task_cost{"train", 500}};
  CHECK(st::bound_of(as_host, costs).period().value() == 800);
  const auto bound = st::bound_of(on_device, costs);
  CHECK(bound.period().value() == 500);
  CHECK(bound.busy_thread() == "stream compute");

  // The next batch is pulled, and then submitted, when a result is handed out.
  const auto submitted = {st::task_cost{"h2d", 300}, st::task_cost{"train", 500},
                          st::task_cost{"submit h2d", 40}, st::task_cost{"submit train", 600}};
  CHECK(st::bound_of(on_device, submitted).period().value() == 40 + 600 + 500);
  dynamic::schedule s = training();
  std::swap(s.tasks[0], s.tasks[1]);
  const dynamic::device_plan train_first{dynamic::planned_schedule(s)};
  CHECK(st::bound_of(train_first, submitted).period().value() == 640);
  CHECK(st::bound_of(train_first, submitted).busy_thread() == "io");
  CHECK(on_device.plan().in_flight() == as_host.in_flight());
}

TEST_CASE("a thread that does host work after work of a stream waits for it") {
  dynamic::schedule s = training();
  s.tasks.push_back({.name = "log", .thread = "io", .reads = {"loss"}});
  const dynamic::device_plan planned{dynamic::planned_schedule(s)};
  CHECK(st::bound_of(planned, {{"h2d", 300}, {"train", 500}, {"log", 10}}).period().value() == 510);
}

TEST_CASE("what shares an engine of a device takes turns at it") {
  dynamic::schedule s = training();
  s.tasks[0].thread = "loader";
  const dynamic::planned_schedule planned(s);
  const dynamic::device_plan alone(planned);
  const dynamic::device_plan sharing(planned, {{"train", "h2d"}});
  const auto costs = {st::task_cost{"h2d", 300}, st::task_cost{"train", 500}};
  CHECK(st::bound_of(alone, costs).period().value() == 500);
  CHECK(st::bound_of(sharing, costs).period().value() == 800);
  CHECK_THROWS_WITH_AS(dynamic::device_plan(planned, {{"h2d", "save"}}),
                       "an engine of a device works for task `save`, which there is not",
                       st::usage_error);
  s.tasks.push_back({.name = "log", .thread = "io", .reads = {"loss"}});
  CHECK_THROWS_WITH_AS(dynamic::device_plan(dynamic::planned_schedule(s), {{"log"}}),
                       "an engine of a device works for task `log`, which is on no stream",
                       st::usage_error);
}

TEST_CASE("random schedules take as long as threads and streams that are stepped") {
  std::mt19937 random(seeds::first(20261127));
  int across = 0;
  for (int round = 0; round < 300; ++round) {
    CAPTURE(round);
    random_schedule::random_case made = random_schedule::random_case::valid(random, 6);
    dynamic::schedule& s = made.schedule;
    if (std::all_of(s.tasks.begin(), s.tasks.end(), [](auto& t) { return t.stream.empty(); }))
      continue;
    const dynamic::planned_schedule before(s);
    const dynamic::device_plan after(before);
    std::vector<st::task_cost> costs = made.costs();
    std::vector<long long> submissions;
    std::vector<std::string> names;
    for (const dynamic::task& t : s.tasks)
      names.push_back(dynamic::device_plan::submission_of(t.name));
    for (std::size_t t = 0; t < s.tasks.size(); ++t) {
      submissions.push_back(std::uniform_int_distribution<long long>(0, 30)(random));
      if (!s.tasks[t].stream.empty()) costs.push_back({names[t], submissions.back()});
    }
    constexpr std::size_t batches = 9;
    const st::simulation run =
        st::simulate(after, planner::view<st::task_cost>(costs.data(), costs.size()), batches);
    work simulated;
    for (const auto& r : run.runs())
      if (run.task(r.task).substr(0, 7) != "submit ")
        simulated[{std::string(run.task(r.task)), r.batch}] = {r.begin, r.end};
    CHECK(simulated == stepped(before, made.times, submissions, batches));
    const auto end = [&](std::size_t of) {
      return static_cast<double>(
          st::simulate(after, planner::view<st::task_cost>(costs.data(), costs.size()), of)
              .total());
    };
    const double bound =
        st::bound_of(after, planner::view<st::task_cost>(costs.data(), costs.size()))
            .period()
            .value();
    CHECK((end(300) - end(150)) / 150 == doctest::Approx(bound).epsilon(0.01));
    for (std::size_t slot = 0; slot < before.plan().copies.size(); ++slot) {
      const auto& slots_after = after.plan().resolved.slot_list;
      const auto name = before.plan().resolved.slot_list[slot].text;
      for (std::size_t other = 0; other < slots_after.size(); ++other)
        if (slots_after[other].text == name)
          CHECK(after.plan().copies[other] == before.plan().copies[slot]);
    }
    ++across;
  }
  CHECK(across > 100);
}

TEST_CASE("what has no plan of a device is refused") {
  const auto refused = [](dynamic::schedule s) {
    try {
      const dynamic::device_plan taken{dynamic::planned_schedule(std::move(s))};
    } catch (const st::usage_error& e) {
      return std::string(e.what());
    }
    return std::string("taken");
  };
  CHECK(refused(training()) == "taken");
  dynamic::schedule s = training();
  s.streams.clear();
  for (dynamic::task& t : s.tasks) t.stream.clear();
  CHECK(refused(s) == "schedule `training` has no plan of a device: no task is on a stream");
  s = training();
  s.groups = {{"io", 2, 1}};
  CHECK(refused(s) == "schedule `training` has no plan of a device: it has queues or workers");
  s = training();
  s.serial = true;
  CHECK(refused(s) ==
        "schedule `training` has no plan of a device: it does one batch after the other");
  s = training();
  s.tasks[1].every = 2;
  s.results.clear();
  CHECK(
      refused(s) ==
      "schedule `training` has no plan of a device: it has tasks that do not run for every batch");
  s = training();
  dynamic::rename_task(s, "train", "submit h2d");
  CHECK(refused(s) == "schedule `training` has no plan of a device: it has a task `submit h2d`");
  s = training();
  s.tasks[0].thread = "stream copy";
  CHECK(refused(s) == "schedule `training` has no plan of a device: it has a thread `stream copy`");
}
