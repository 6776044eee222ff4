// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cstdio>
#include <ranges>
#include <stretto/bound.hpp>
#include <stretto/dynamic.hpp>
#include <stretto/from_types.hpp>
#include <stretto/scheduled.hpp>
#include <stretto/search.hpp>
#include <stretto/stretto.hpp>
#include <stretto/watch.hpp>
#include <vector>

namespace st = stretto;

struct files : st::slot<int> {};
struct image : st::slot<int> {};
struct score : st::slot<int> {};

struct decode {
  void operator()(st::in<files> in, st::out<image> out) const { out = *in; }
};
struct infer {
  void operator()(st::in<image> in, st::out<score> out) const { out = *in; }
};
struct rating : st::schedule<st::source<files>, st::result<score>, decode, infer> {};

// What was printed, kept.
// clang-format off
struct fast_rating
    : st::replan<rating,
                 st::frugal,
                 st::place<decode, st::lookahead<1>, st::thread<"a">>,
                 st::place<infer, st::thread<"b">>> {};
static_assert(st::tasks_are<fast_rating, "decode", "infer">);
static_assert(
    st::is_optimal_at<fast_rating>({300, 1}, {{"decode", 300}, {"infer", 250}}),
    "fast_rating takes another time per progress than was found, or another plan may be faster: look for a plan again");
// clang-format on

// [scheduled]
struct weighed
    : st::replan<rating, st::place<decode, st::weight<300>>, st::place<infer, st::weight<250>>> {};
struct found_rating : st::scheduled<weighed, st::offered_threads<"a", "b">, st::max_in_flight<3>> {
};
static_assert(st::is_optimal<found_rating>());
// [scheduled]

// What was printed for these weights, kept.
// clang-format off
struct fast_weighed
    : st::replan<weighed,
                 st::frugal,
                 st::place<decode, st::lookahead<1>, st::thread<"a">>,
                 st::place<infer, st::thread<"b">>> {};
static_assert(st::tasks_are<fast_weighed, "decode", "infer">);
static_assert(st::costs_are<fast_weighed,
                            st::cost_within<"decode", 300, 250>,
                            st::cost_within<"infer", 250, 0, 300>>);
// clang-format on

namespace {

/// A training loop, one batch after the other: nothing is said of lookaheads and threads.
st::dynamic::schedule serial_loop() {
  st::dynamic::schedule s;
  s.streams = {"memcpy", "compute"};
  s.source.slot = "files";
  s.results = {"loss"};
  const auto task = [&](const char* name, const char* stream) -> st::dynamic::task& {
    st::dynamic::task& t = s.tasks.emplace_back();
    t.name = name;
    t.stream = stream;
    return t;
  };
  st::dynamic::task& decode = task("decode", "");
  decode.reads = {"files"};
  decode.writes = {"images"};
  st::dynamic::task& augment = task("augment", "");
  augment.reads = {"images"};
  augment.writes = {"batch"};
  st::dynamic::task& h2d = task("h2d", "memcpy");
  h2d.reads = {"batch"};
  h2d.writes = {"batch_gpu"};
  st::dynamic::task& train = task("train", "compute");
  train.reads = {"batch_gpu"};
  train.writes = {"loss"};
  s.slot<int>("files").slot<std::vector<char>>("images").slot<std::vector<float>>("batch");
  s.slot<std::vector<float>>("batch_gpu").slot<float>("loss");
  return s;
}

}  // namespace

int main() {
  const st::dynamic::schedule by_hand = serial_loop();
  std::printf("=== find\n");
  // [find]
  st::search::limits within;
  within.in_flight = 4;
  within.threads = {"worker", "launcher"};
  const st::search::found_schedule found = st::search::find_schedule(
      by_hand, {{"decode", 300}, {"augment", 250}, {"h2d", 80}, {"train", 420}}, within);
  std::printf("%s", found.text().c_str());
  for (const auto& task : found.schedule.tasks)
    std::printf("  %s: %d ahead, on %s\n", task.name.c_str(), task.lookahead, task.thread.c_str());
  // [find]
  std::printf("=== counts\n");
  // [counts]
  within.threads = {"worker", "launcher", "another", "yet another"};
  const st::search::thread_counts counts = st::search::try_thread_counts(
      by_hand, {{"decode", 300}, {"augment", 250}, {"h2d", 80}, {"train", 420}}, within);
  std::printf("%s", counts.text().c_str());
  // [counts]
  std::printf("=== ranges\n");
  // [ranges]
  const auto ranges = st::search::cost_ranges(
      counts.best(), {{"decode", 300}, {"augment", 250}, {"h2d", 80}, {"train", 420}});
  std::printf("%s", st::search::to_text(ranges).c_str());
  // [ranges]
  std::printf("=== several\n");
  // [several]
  within.threads = {"worker", "launcher"};
  const std::vector<st::search::found_schedule> several = st::search::find_schedules(
      by_hand, {{"decode", 300}, {"augment", 250}, {"h2d", 80}, {"train", 420}}, within, 3);
  for (const auto& one : several) {
    std::printf("%g:", one.period.value());
    for (const auto& task : one.schedule.tasks)
      std::printf(" %s %d ahead on %s;", task.name.c_str(), task.lookahead, task.thread.c_str());
    std::printf(" %d hand-overs\n", one.hand_overs);
  }
  // [several]
  // [in turn]
  st::pipeline<rating> first;
  st::pipeline<fast_rating> second;
  const auto batches = std::views::iota(0, 200);
  const std::vector<st::measured_times> measured =
      st::measure_in_turn(9, {[&] { return st::time_per_result(first.run(batches), 20); },
                              [&] { return st::time_per_result(second.run(batches), 20); }});
  const bool told_apart = !measured[0].alike(measured[1]);
  const bool faster = told_apart && measured[1].median < measured[0].median;
  // [in turn]
  static_cast<void>(faster);
  std::printf("=== streams\n");
  // [streams]
  st::dynamic::schedule on_device = by_hand;
  on_device.find("augment")->stream = "compute";  // or on `memcpy`, if that is better
  const auto placed = st::search::find_streams(
      on_device, {{"decode", 300}, {"augment", 250}, {"h2d", 80}, {"train", 420}},
      {.in_flight = 4, .threads = {"a", "b", "c"}}, {"memcpy", "compute"});
  std::printf("%s", placed.text().c_str());
  for (const auto& task : placed.schedule.tasks)
    if (!task.stream.empty()) std::printf("  %s: on %s\n", task.name.c_str(), task.stream.c_str());
  // [streams]
  std::printf("=== types\n");
  // [types]
  const auto costs = {st::task_cost{"decode", 300}, st::task_cost{"infer", 250}};
  within = {.in_flight = 3, .threads = {"a", "b"}};
  const auto rated = st::search::find_schedule(st::dynamic::outline<rating>(), costs, within);
  std::printf("%s", st::search::as_replan<rating>(rated, costs, "fast_rating").c_str());
  // [types]
  std::printf("=== weighed\n");
  const auto by_weight = st::search::find_schedule(st::dynamic::outline<weighed>(), {}, within);
  std::printf("%s", st::search::as_replan<weighed>(by_weight, {}, "fast_weighed").c_str());
  std::printf("=== device\n");
  // [device]
  st::dynamic::schedule submitted = by_hand;
  submitted.find("augment")->stream = "compute";
  const auto costs_of_both = {st::task_cost{"decode", 300},      st::task_cost{"augment", 250},
                              st::task_cost{"h2d", 280},         st::task_cost{"train", 420},
                              st::task_cost{"submit train", 60}, st::task_cost{"submit h2d", 20}};
  const auto on_streams = st::search::find_schedule(
      submitted, costs_of_both,
      {.in_flight = 4, .threads = {"worker", "launcher"}, .device = st::dynamic::device_model{}});
  std::printf("%s", on_streams.text().c_str());
  // [device]

  std::printf("=== tools\n");
  // [tools]
  const std::vector<st::task_cost> times{
      {"decode", 300}, {"augment", 250}, {"h2d", 80}, {"train", 420}};
  within = {.in_flight = 4, .threads = {"worker", "launcher"}, .frozen = {"train"}};
  const auto show = [](const char* by, const st::search::found_schedule& made) {
    std::printf("%s: %g, %d in flight, %lld bytes\n", by, made.period.value(), made.in_flight,
                static_cast<long long>(made.bytes));
  };
  show("list_schedule", st::search::list_schedule(by_hand, times, within));
  show("assign_lookaheads", st::search::assign_lookaheads(by_hand, times, within));
  show("beam_search", st::search::beam_search(by_hand, times, within));
  show("find_schedule", st::search::find_schedule(by_hand, times, within));
  // [tools]
  std::printf("=== scheduled\n");
  std::printf("%s", st::bound_of<found_rating>().text().c_str());
  std::printf("%s", st::least_of<found_rating>().text().c_str());
  const st::dynamic::planned_schedule planned(found.schedule);
  const auto bound =
      st::bound_of(planned, {{"decode", 300}, {"augment", 250}, {"h2d", 80}, {"train", 420}});
  return bound.period() == found.period && found.optimal() ? 0 : 1;
}
