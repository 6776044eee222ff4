// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What is said of threads that have come to rest, by a plan and by what a monitor saw.

#include <doctest/doctest.h>
#include <cstddef>
#include <stretto/dynamic.hpp>
#include <stretto/plan/text/viewed_plan.hpp>
#include <stretto/stretto.hpp>
#include <stretto/watch/stall.hpp>
#include <string>
#include <utility>

namespace st = stretto;
using seconds = st::activity::seconds;

namespace {

/// `load` on `io` is one batch ahead of `train` on `gpu`; the caller pulls and hands out.
st::dynamic::schedule learning(int loaders = 1) {
  st::dynamic::schedule s;
  s.source.slot = "file";
  s.results = {"loss"};
  if (loaders > 1) s.groups = {{.thread = "io", .workers = loaders}};
  s.tasks.push_back({.name = "load",
                     .thread = "io",
                     .lookahead = loaders,
                     .reads = {"file"},
                     .writes = {"image"},
                     .body = [](int in, int& out) { out = in; }});
  s.tasks.push_back({.name = "train",
                     .thread = "gpu",
                     .reads = {"image"},
                     .writes = {"loss"},
                     .body = [](int in, int& out) { out = in; }});
  return s;
}

/// Threads that have run nothing yet, and how many batches each task has done.
st::activity at_rest(std::size_t loaded, std::size_t trained, std::size_t pulled,
                     std::size_t loaders = 1) {
  st::activity now;
  now.running = true;
  now.tasks.resize(4);
  const auto done = [&](std::size_t task, const char* name, std::size_t batches) {
    now.tasks[task].name = name;
    now.tasks[task].batches = batches;
    now.tasks[task].runs.count = batches;
  };
  done(0, "load", loaded);
  done(1, "train", trained);
  done(2, "pull", pulled);
  done(3, "deliver", trained);
  now.threads.resize(2 + loaders);
  now.threads[0].name = "caller";
  for (std::size_t w = 1; w <= loaders; ++w)
    now.threads[w].name = loaders == 1 ? "io" : "io " + std::to_string(w - 1);
  now.threads[1 + loaders].name = "gpu";
  for (auto& t : now.threads) t.since = seconds(3);
  now.begun = loaded;
  now.through = trained;
  return now;
}
void put(st::activity& now, std::size_t thread, std::size_t task, std::size_t batch, bool runs) {
  now.threads[thread].task = task;
  now.threads[thread].batch = batch;
  now.threads[thread].runs_a_task = runs;
}

std::string told(const st::activity& now, int loaders = 1, bool meets = false,
                 const st::watch::detail::awaited_before& before = {}) {
  const st::dynamic::planned_schedule planned(learning(loaders));
  const st::planner::viewed_plan viewed(planned.declaration(), planned.plan());
  const st::planner::plan_view view = viewed.view();
  return st::watch::detail::stall(view, meets, now, nullptr, before).text();
}
bool waits_for_source(const st::activity& now) {
  const st::dynamic::planned_schedule planned(learning());
  const st::planner::viewed_plan viewed(planned.declaration(), planned.plan());
  const st::planner::plan_view view = viewed.view();
  return st::watch::detail::stall(view, false, now).waits_for_source();
}

}  // namespace

TEST_CASE("a thread in a task, and those that wait for it") {
  st::activity now = at_rest(6, 4, 6);
  put(now, 0, 2, 5, false);
  put(now, 1, 0, 5, false);
  put(now, 2, 1, 4, true);
  CHECK(told(now) ==
        "batches in flight: 4 to 5\n"
        "  thread `caller` has waited for 3.00 s to run `deliver` on batch 4, which comes after "
        "`train` on batch 4 (reads `loss`)\n"
        "  thread `io` has waited for 3.00 s to run `load` on batch 6, which comes after `pull` on "
        "batch 6 (reads `file`), `train` on batch 4 (refills the copy of `image` that it used)\n"
        "  thread `gpu` has been in `train` on batch 4 for 3.00 s");
}

TEST_CASE("before anything has run, all wait for the first task, and that for the first pull") {
  st::activity now = at_rest(0, 0, 0);
  put(now, 0, 2, 0, true);
  CHECK(told(now) ==
        "batches in flight: none\n"
        "  thread `caller` has asked the source for batch 0 for 3.00 s\n"
        "  thread `io` has waited for 3.00 s to run `load` on batch 0, which comes after `pull` on "
        "batch 0 (reads `file`)\n"
        "  thread `gpu` has waited for 3.00 s to run `train` on batch 0, which comes after `load` "
        "on batch 0 (reads `image`), `pull` on batch 0 (tells whether there is a batch)");
}

TEST_CASE("before the first batch it is told which threads and ranks are waited for") {
  const st::activity now = at_rest(0, 0, 0, 2);
  CHECK(told(now, 2, false, {{false, false, true, false}, {}}) ==
        "batches in flight: none\n"
        "  thread `caller` has waited for 3.00 s for threads to be attached\n"
        "  thread `io 0` waits for the run to begin\n"
        "  thread `io 1` is not there: let one call attach(\"io\")\n"
        "  thread `gpu` waits for the run to begin");
  CHECK(told(now, 2, false, {{}, {3, 1}})
            .find("\n  thread `caller` has waited for 3.00 s for rank 3 to begin its run\n") !=
        std::string::npos);
  CHECK(
      told(now, 2, false, {{}, {1, 4}})
          .find("\n  thread `caller` has waited for 3.00 s for 4 ranks to begin their runs, rank 1 "
                "among them\n") != std::string::npos);
}

TEST_CASE("of a run that has failed it is told who keeps it from its end") {
  st::activity now = at_rest(6, 4, 7);
  now.failed_task = 1;
  now.failed_batch = 4;
  put(now, 0, 2, 7, true);
  put(now, 1, 0, 5, false);
  put(now, 2, 1, 4, false);
  CHECK_FALSE(waits_for_source(now));
  CHECK(told(now) ==
        "batches in flight: 4 to 5\n"
        "  the run has failed: `train` on batch 4\n"
        "  thread `caller` has asked the source for batch 7 for 3.00 s, and the run cannot end "
        "before it leaves that\n"
        "  thread `io` has nothing more to run\n"
        "  thread `gpu` has nothing more to run");
  // What comes before the failure goes through: batch 4 has yet to be loaded.
  now = at_rest(4, 4, 6);
  now.failed_task = 1;
  now.failed_batch = 5;
  put(now, 0, 2, 5, false);
  put(now, 1, 0, 4, true);
  put(now, 2, 1, 3, false);
  const std::string text = told(now);
  CHECK(text.find("thread `io` has been in `load` on batch 4 for 3.00 s, and the run cannot end "
                  "before it leaves that") != std::string::npos);
  CHECK(text.find("thread `gpu` has waited for 3.00 s to run `train` on batch 4, which comes after "
                  "`load` on batch 4 (reads `image`)") != std::string::npos);
  // A run at whose source nothing is in flight any more.
  now = at_rest(5, 5, 5);
  now.failed_task = 0;
  now.failed_batch = 5;
  put(now, 0, 2, 6, true);
  CHECK_FALSE(waits_for_source(now));
  now.failed_task = st::activity::none;
  CHECK(waits_for_source(now));
}

TEST_CASE("a caller who has all it needs is in the loop over results") {
  st::activity now = at_rest(6, 5, 6);
  put(now, 0, 3, 4, false);
  put(now, 1, 0, 5, false);
  put(now, 2, 1, 4, false);
  const std::string text = told(now);
  CHECK(text.find("batches in flight: 5\n") != std::string::npos);
  CHECK(text.find("thread `caller` has been in the loop over results, or elsewhere, for 3.00 s") !=
        std::string::npos);
}

TEST_CASE("a thread that nothing keeps may have no batch, or meets the others") {
  st::activity now = at_rest(6, 5, 6);
  put(now, 0, 3, 4, false);
  put(now, 1, 0, 5, false);
  put(now, 2, 1, 4, false);
  CHECK(told(now).find("thread `gpu` has run nothing for 3.00 s: `train` on batch 5 may begin, if "
                       "there is such a batch") != std::string::npos);
  CHECK(told(now, 1, true).find("`train` on batch 5 waits for the threads to meet") !=
        std::string::npos);
}

TEST_CASE("each worker runs every other batch, and is told of its own") {
  st::activity now = at_rest(0, 0, 4, 2);
  now.begun = 2;
  put(now, 0, 2, 3, false);
  put(now, 1, 0, 0, true);
  put(now, 2, 0, 1, true);
  CHECK(told(now, 2).find("thread `io 1` has been in `load` on batch 1 for 3.00 s") !=
        std::string::npos);
  put(now, 2, 0, 1, false);
  now.tasks[0].batches = now.tasks[0].runs.count = 1;
  const std::string text = told(now, 2);
  CHECK(text.find("thread `io 1` has run nothing for 3.00 s: `load` on batch 3 may begin") !=
        std::string::npos);
}

TEST_CASE("a task that runs for one of four batches is awaited for those only") {
  st::dynamic::schedule s = learning();
  s.at("train").every = 4;
  s.at("train").phase = 2;
  s.results = {"image"};
  const st::dynamic::planned_schedule planned(s);
  const st::planner::viewed_plan viewed(planned.declaration(), planned.plan());
  const st::planner::plan_view view = viewed.view();
  const auto text_of = [&](const st::activity& now) {
    return st::watch::detail::stall(view, false, now).text();
  };
  st::activity now = at_rest(6, 1, 6);  // trained: batch 2
  put(now, 0, 2, 5, false);
  put(now, 1, 0, 5, false);
  put(now, 2, 1, 2, false);
  // Batches 3 to 5 are none that `train` runs for: it comes after the loading of batch 6.
  CHECK(text_of(now).find("thread `gpu` has waited for 3.00 s to run `train` on batch 6, which "
                          "comes after `load` on batch 6 (reads `image`)") != std::string::npos);
}

TEST_CASE("in a run that goes on from other batches, those are through") {
  st::dynamic::schedule s = learning();
  s.at("train").every = 4;
  s.at("train").phase = 2;
  s.results = {"image"};
  const st::dynamic::planned_schedule planned(s);
  const st::planner::viewed_plan viewed(planned.declaration(), planned.plan());
  const st::planner::plan_view view = viewed.view();
  st::activity now = at_rest(0, 0, 0);
  now.first = 101;
  const auto text_of = [&] { return st::watch::detail::stall(view, false, now).text(); };
  std::string text = text_of();
  CHECK(text.find("thread `io` has waited for 3.00 s to run `load` on batch 101, which comes after "
                  "`pull` on batch 101") != std::string::npos);
  CHECK(text.find("thread `gpu` has waited for 3.00 s to run `train` on batch 102") !=
        std::string::npos);
  // It has loaded batches 101 to 104, and trained on batch 102.
  now = at_rest(4, 1, 4);
  now.first = 101;
  put(now, 0, 2, 104, false);
  put(now, 1, 0, 104, false);
  put(now, 2, 1, 102, false);
  text = text_of();
  CHECK(text.starts_with("batches in flight: 102 to 104"));
  CHECK(text.find("`train` on batch 106, which comes after `load` on batch 106") !=
        std::string::npos);
  CHECK(text.find("`load` on batch 105, which comes after `pull` on batch 105") !=
        std::string::npos);

  // With batch 105 pulled, that is no reason any more.
  now.tasks[2].batches = now.tasks[2].runs.count = 5;
  put(now, 0, 2, 105, false);
  CHECK(text_of().find("`pull` on batch 105") == std::string::npos);

  now = at_rest(0, 0, 0, 2);
  now.first = 101;
  text = told(now, 2);
  CHECK(text.find("thread `io 0` has waited for 3.00 s to run `load` on batch 102") !=
        std::string::npos);
  CHECK(text.find("thread `io 1` has waited for 3.00 s to run `load` on batch 101") !=
        std::string::npos);
}

TEST_CASE("a source that had no batch is not waited for") {
  st::activity now = at_rest(6, 4, 6);
  put(now, 0, 2, 6, false);
  put(now, 1, 0, 5, false);
  put(now, 2, 1, 4, true);
  CHECK(told(now).find("`pull` on batch 6") != std::string::npos);
  now.dry = true;
  CHECK(told(now).find("`pull`") == std::string::npos);
}

TEST_CASE("whose source is asked while nothing is in flight is at rest") {
  st::activity now = at_rest(5, 5, 5);
  put(now, 0, 2, 5, true);
  CHECK(waits_for_source(now));
  put(now, 1, 0, 5, true);
  CHECK(waits_for_source(now));  // the first that runs something
  put(now, 0, 2, 5, false);
  CHECK_FALSE(waits_for_source(now));
  now = at_rest(6, 5, 6);
  put(now, 0, 2, 6, true);
  CHECK_FALSE(waits_for_source(now));  // a batch in flight is kept by it
}
