// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What is said of streams that have come to rest, by a plan, by what a monitor saw, and by what a
// device says of its events.

#include <doctest/doctest.h>
#include <cstddef>
#include <map>
#include <optional>
#include <stretto/dynamic.hpp>
#include <stretto/plan/text/viewed_plan.hpp>
#include <stretto/watch/device_work.hpp>
#include <stretto/watch/stall.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace st = stretto;
using seconds = st::activity::seconds;

namespace {

constexpr std::size_t none = st::activity::none;
enum : std::size_t { copy, scale, train, pull, deliver };

/// `copy` is one batch ahead of the others; one thread puts all of it on streams.
st::dynamic::schedule learning(int trained_of = 1) {
  st::dynamic::schedule s;
  s.source.slot = "file";
  s.results = {"loss"};
  s.streams = {"h2d", "compute"};
  const auto body = [](int in, int& out) { out = in; };
  s.tasks.push_back({.name = "copy",
                     .stream = "h2d",
                     .thread = "gpu",
                     .lookahead = 1,
                     .reads = {"file"},
                     .writes = {"image"},
                     .body = body});
  s.tasks.push_back({.name = "scale",
                     .stream = "compute",
                     .thread = "gpu",
                     .reads = {"image"},
                     .writes = {"scaled"},
                     .body = body});
  s.tasks.push_back({.name = "train",
                     .stream = "compute",
                     .thread = "gpu",
                     .every = trained_of,
                     .reads = {"scaled"},
                     .writes = {"loss"},
                     .body = body});
  if (trained_of > 1) s.results = {"scaled"};
  return s;
}

/// Says of events what a test wants.
struct device {
  std::map<std::pair<std::size_t, std::size_t>, bool> done;  // by node and progress
  std::vector<std::size_t> events{2, 0, 2, 0, 0};
  bool serial = false;
  bool wide = false;

  struct inquiry {};
  static inquiry inquire() { return {}; }
  std::optional<bool> has_done(inquiry, std::size_t node, std::size_t progress) const {
    const auto said = done.find({node, progress});
    return said == done.end() ? std::nullopt : std::optional(said->second);
  }
  static std::size_t stream_of(std::size_t node) {
    return node == copy ? 0 : node <= train ? 1 : none;
  }
  std::size_t events_of(std::size_t node) const { return events[node]; }
  bool in_wide_graph(std::size_t node) const { return wide && node <= train; }
  bool host_waits_for_all() const { return serial; }
  template <class Use>
  void each_awaited(std::size_t node, Use use) const {
    if (node == scale) use(copy, 1);
    if (node == deliver && !serial) use(train, 0);
  }
};

/// The thread has put all on streams up to `copy` of batch 6 and `train` of batch 5.
st::activity after_six() {
  st::activity now;
  now.running = true;
  now.tasks.resize(5);
  const auto is = [&](std::size_t task, const char* name, std::size_t batches) {
    now.tasks[task].name = name;
    now.tasks[task].batches = now.tasks[task].runs.count = batches;
  };
  is(copy, "copy", 7);
  is(scale, "scale", 6);
  is(train, "train", 6);
  is(pull, "pull", 7);
  is(deliver, "deliver", 0);
  now.threads.resize(2);
  now.threads[0] = {.name = "caller", .task = pull, .batch = 6, .since = seconds(3)};
  now.threads[1] = {.name = "gpu", .task = train, .batch = 5, .since = seconds(3)};
  now.begun = 7;
  now.through = 6;
  return now;
}

std::string told(const device& d, const st::activity& now, int trained_of = 1) {
  const st::dynamic::planned_schedule planned(learning(trained_of));
  const st::planner::viewed_plan viewed(planned.declaration(), planned.plan());
  const st::planner::plan_view view = viewed.view();
  const auto work =
      st::watch::detail::device_work::asked_of(d, st::watch::detail::turns(view, now));
  const std::string all = st::watch::detail::stall(view, false, now, &work).text();
  return all.substr(all.find("\n  thread"));
}
bool tells(const std::string& all, std::string_view line) {
  const bool is_there = all.find("\n  " + std::string(line)) != std::string::npos;
  if (!is_there) MESSAGE(all);
  return is_there;
}

}  // namespace

TEST_CASE("a stream that does not go on, one that waits for it, and a thread that waits for that") {
  device d;
  d.done = {{{copy, 5}, false}, {{copy, 6}, false}, {{train, 5}, true}, {{train, 6}, false}};
  const std::string all = told(d, after_six());
  CHECK(tells(all,
              "stream `h2d` has not finished `copy` on batch 5, which waits for nothing any more"));
  CHECK(tells(all,
              "stream `compute` has not finished `scale` on batch 5, nor begun it: it waits for "
              "`copy` on batch 5, which stream `h2d` has not finished"));
  CHECK(tells(all,
              "thread `caller` has waited for 3.00 s to run `deliver` on batch 5, which comes "
              "after `train` on batch 5 (reads `loss`), which stream `compute` has not finished"));
}

TEST_CASE("of what has no event something is known by what comes after it, and who waits for it") {
  device d;
  SUBCASE("nothing") {
    d.done = {{{copy, 5}, true}, {{copy, 6}, true}, {{train, 5}, true}, {{train, 6}, false}};
    CHECK(
        tells(told(d, after_six()),
              "stream `compute` has not finished `train` on batch 5; before that, it is not known "
              "to have finished `scale` on batch 5"));
  }
  SUBCASE("all") {
    d.events[copy] = 0;
    d.done = {{{train, 5}, true}, {{train, 6}, true}};
    const std::string all = told(d, after_six());
    CHECK(
        tells(all, "stream `compute` has finished all that it was given, `train` on batch 5 last"));
    CHECK(tells(all, "stream `h2d` is not known to have finished `copy` on batch 6"));
  }
  SUBCASE("whether what is waited for has been done") {
    d.events[copy] = 0;
    d.done = {{{train, 5}, true}, {{train, 6}, false}};
    CHECK(tells(told(d, after_six()),
                "stream `compute` has not finished `train` on batch 5; before "
                "that, it is not known to have finished `scale` on batch 5"));
  }
}

TEST_CASE("a device that says nothing") {
  const std::string all = told({}, after_six());
  CHECK(tells(all,
              "stream `h2d` is not known to have finished `copy` on batch 5, `copy` on batch 6"));
  CHECK(tells(all,
              "thread `caller` has waited for 3.00 s to run `deliver` on batch 5, which comes "
              "after `train` on batch 5 (reads `loss`), of which nobody knows whether stream "
              "`compute` has finished it"));
}

TEST_CASE("nothing has been given to streams") {
  st::activity now = after_six();
  for (auto& t : now.tasks) t.batches = t.runs.count = 0;
  for (auto& t : now.threads) t.task = none;
  device d;
  CHECK(tells(told(d, now), "stream `h2d` has been given nothing yet"));
  // Of the first task, which is at work, neither.
  now.threads[1].task = copy;
  now.threads[1].batch = 0;
  now.threads[1].runs_a_task = true;
  d.done = {{{copy, 0}, true}};
  CHECK(tells(told(d, now), "stream `h2d` has been given nothing yet"));
}

TEST_CASE("batches of runs before are not asked for") {
  st::activity now = after_six();
  now.first = 6;
  now.tasks[copy].batches = now.tasks[pull].batches = 1;
  now.tasks[scale].batches = now.tasks[train].batches = 0;
  now.threads[1] = {.name = "gpu", .task = copy, .batch = 6, .since = seconds(3)};
  device d;
  d.done = {{{copy, 5}, false}, {{copy, 6}, false}, {{train, 5}, false}};
  const std::string all = told(d, now);
  CHECK(tells(all,
              "stream `h2d` has not finished `copy` on batch 6, which waits for nothing any more"));
  CHECK(tells(all, "stream `compute` has been given nothing yet"));

  // That what is asked of is not known to be done is said of it alone.
  d.done.erase({copy, 6});
  CHECK(tells(told(d, now), "stream `h2d` is not known to have finished `copy` on batch 6"));
}

TEST_CASE("an event that may have been recorded again says less") {
  // At the end of a run the thread goes on without work for `copy`.
  st::activity now = after_six();
  now.dry = true;
  device d;
  d.events[copy] = 1;
  d.done = {{{copy, 6}, false}, {{train, 5}, true}, {{train, 6}, false}};
  now.threads[1] = {.name = "gpu", .task = train, .batch = 6, .since = seconds(3)};
  now.tasks[train].batches = now.tasks[scale].batches = 7;
  d.done[{train, 7}] = false;
  CHECK(tells(told(d, now),
              "stream `h2d` has not finished all that it was given, `copy` on batch 6 "
              "last"));
  d.done[{copy, 6}] = true;
  CHECK(tells(told(d, now),
              "stream `h2d` has finished all that it was given, `copy` on batch 6 last"));
}

TEST_CASE("a task that runs for one of three batches is told of for those only") {
  st::activity now = after_six();
  now.tasks[train].batches = now.tasks[train].runs.count = 2;  // batches 2 and 5
  device d;
  d.done = {{{copy, 5}, true}, {{copy, 6}, true}, {{train, 5}, false}, {{train, 6}, false}};
  CHECK(tells(told(d, now, 3),
              "stream `compute` has not finished `train` on batch 5; before that, it "
              "is not known to have finished `scale` on batch 5"));
}

TEST_CASE("graphs that span streams, and a serial plan") {
  device d;
  d.done = {{{copy, 5}, true}, {{copy, 6}, true}, {{train, 5}, true}, {{train, 6}, false}};
  d.wide = true;
  d.events[copy] = 0;
  const std::string all = told(d, after_six());
  CHECK(tells(all, "stream `h2d` is not known to have finished"));
  CHECK(tells(all,
              "stream `compute` has not finished `train` on batch 5, which is launched in a "
              "graph with others; before that"));
  d = {};
  d.serial = true;
  CHECK(tells(told(d, after_six()),
              "thread `caller` has run nothing for 3.00 s: `deliver` on batch "
              "5 comes after all that streams have been given"));
}
