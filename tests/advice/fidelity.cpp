// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What was measured, held against what the model tells.

#include <doctest/doctest.h>
#include <algorithm>
#include <chrono>
#include <cstddef>
#include <stretto/advice.hpp>
#include <stretto/bound.hpp>
#include <stretto/dynamic.hpp>
#include <string>
#include <vector>
#include "chains.hpp"

namespace {

namespace st = stretto;
namespace dynamic = stretto::dynamic;
using kind = st::plan_change::kind;

/// Both on one thread of their own, for 300 and 200 of time.
const dynamic::planned_schedule& two() {
  static const dynamic::planned_schedule planned(chain({{300, 0, "a"}, {200, 0, "a"}}));
  return planned;
}

/// A run in virtual time, of which spans are changed.
template <class Change>
st::timeline changed(Change change) {
  const st::simulation run = st::simulate(two(), {}, 100);
  const st::timeline exact = run.record();
  st::timeline record;
  std::vector<std::string_view> threads(exact.threads().begin(), exact.threads().end());
  std::vector<std::string_view> tasks(exact.tasks().begin(), exact.tasks().end());
  record.attached(threads, tasks);
  for (std::size_t t = 0; t < threads.size(); ++t)
    for (st::timeline::span s : exact.spans(t)) {
      change(s);
      record.add(t, s);
    }
  return record;
}

/// Each batch takes longer: before a task, or in it.
st::timeline longer(std::size_t task, bool before) {
  constexpr std::chrono::nanoseconds more(60);
  return changed([&](st::timeline::span& s) {
    const auto batch = static_cast<int>(s.batch);
    // The source's thread waits longer still, because the other one does not come for more.
    const auto shift = (s.task > 1 ? 2 : 1) * more * batch;
    s.begin += shift;
    s.end += shift;
    if (s.task > 1) return;
    // All that a thread does later for the batch, and what it does of the next one at first.
    const bool later = s.task > task || (s.task == task && before);
    if (later) s.begin += more;
    if (later || s.task == task) s.end += more;
  });
}

}  // namespace

TEST_CASE("a run tells the time per progress, and of each task what it took and waited") {
  const st::timeline record = changed([](const st::timeline::span&) {});
  const st::measured_run run(record);
  CHECK(run.period == 500);
  REQUIRE(run.shares.size() >= 2);
  CHECK(run.shares[0].task == "t1");
  CHECK(run.shares[0].took == 300);
  CHECK(run.shares[0].waited == 0);
  CHECK(run.shares[1].took == 200);
  const st::advice found = st::advise(two(), run);
  CHECK(found.checked().holds());
  CHECK(found.text().starts_with("modelled 500, measured 500: 0 % apart\n"));
  CHECK(!found.edits().empty());
}

TEST_CASE("the time per progress is the usual one of a run that changes its pace") {
  const st::timeline record = changed([](st::timeline::span& s) {
    const auto shift = std::chrono::nanoseconds(60) * (std::max)(0, static_cast<int>(s.batch) - 24);
    s.begin += shift;
    s.end += shift;
  });
  CHECK(st::measured_run(record).period == 560);
}

TEST_CASE("a run of few batches tells no time per progress, and is taken at its word") {
  const st::timeline record = st::simulate(two(), {}, 5).record();
  const st::measured_run run(record);
  CHECK(run.period == 0);
  CHECK(st::advise(two(), run).text().starts_with("a progress takes 500 at best"));
}

TEST_CASE("a task of which there is no run is refused: its weight is no time") {
  const char* const said =
      "the record has no run of task `t1`: record more batches, or add what it takes to the run's "
      "`costs`";
  CHECK_THROWS_WITH_AS(st::advise(two(), st::measured_run(st::timeline())), said, st::usage_error);
  const st::timeline record = st::simulate(two(), {}, 40).record();
  st::measured_run run(record);
  std::erase_if(run.costs, [](const st::task_cost& c) { return c.task == "t1"; });
  CHECK_THROWS_WITH_AS(st::advise(two(), run), said, st::usage_error);
  run.costs.push_back({"t1", 300});
  CHECK(st::advise(two(), run).checked().holds());
}

TEST_CASE("where a task waits longer than the model says is said, and nothing is advised") {
  const st::timeline record = longer(1, true);
  const st::measured_run run(record);
  CHECK(run.period == 560);
  const st::advice found = st::advise(two(), run);
  CHECK(!found.checked().holds());
  CHECK(found.checked().task == "t2");
  CHECK(found.checked().waiting);
  CHECK(found.edits().empty());
  CHECK(found.text() ==
        "modelled 500, measured 560: 10.7 % apart\n"
        "no advice: the model does not tell what this plan takes; most of it: before `t2` a thread "
        "waits 60 longer than modelled\n");
}

TEST_CASE("which task takes longer than what it is said to is said") {
  const st::timeline record = longer(0, false);
  st::measured_run run(record);
  for (st::task_cost& c : run.costs)
    if (c.task == "t1") c.time = 300;
  const st::advice found = st::advise(two(), run);
  CHECK(found.checked().task == "t1");
  CHECK(!found.checked().waiting);
  CHECK(found.checked().residual == 60);
  CHECK(found.text().ends_with("most of it: `t1` takes 60 longer than modelled\n"));
}

TEST_CASE("so it is where less was measured") {
  const st::timeline record = changed([](const st::timeline::span&) {});
  st::measured_run run(record);
  for (st::task_cost& c : run.costs)
    if (c.task == "t2") c.time = 300;
  const st::advice found = st::advise(two(), run);
  CHECK(found.checked().task == "t2");
  CHECK(found.text() ==
        "modelled 600, measured 500: 20 % apart\n"
        "no advice: the model does not tell what this plan takes; most of it: `t2` takes 100 less "
        "than modelled\n");
}

TEST_CASE("a run of a pipeline is one, too") {
  dynamic::schedule s = chain({{300, 1, "a"}, {200, 0, "caller"}});
  for (dynamic::task& t : s.tasks) t.body = [](const int& in, int& out) { out = in; };
  dynamic::pipeline pipeline(s, st::timeline{});
  for (const dynamic::result& r : pipeline.run(std::vector<int>(200, 1))) CHECK(r.get<int>() == 1);
  const st::measured_run run(pipeline.observer());
  CHECK(run.period > 0);
  CHECK(run.costs.size() == 3);
  const st::advice found = st::advise(pipeline.plan(), run);
  CHECK(found.checked().measured == run.period);
}
