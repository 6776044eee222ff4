// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Random schedules of types against the same schedules as values: made of the types, and written
// down by hand. Their plans are the same field by field; those that are run do the same, each task
// after all that comes before it.

#include "types.hpp"
#include <doctest/doctest.h>
#include <algorithm>
#include <set>
#include "../../behaviour/execute/deadline.hpp"

namespace stress {
void disturb(std::size_t, std::size_t) {}  // the probe has delays of its own
interrupting::interruption interrupted(std::size_t node, std::size_t batch, std::size_t time) {
  return interrupting::interruption(batch * 64 + node * 2 + time);
}
}  // namespace stress

namespace {

namespace planner = stretto::planner;
using namespace differential;

template <class Items>
auto as_vector(const Items& items) {
  return std::vector<typename Items::value_type>(items.begin(), items.end());
}

plan_fields fields_of(const dynamic::planned_schedule& planned) {
  const planner::plan& p = planned.plan();
  plan_fields f;
  f.order = as_vector(p.order);
  f.lag = planned.lag();
  f.copies = as_vector(p.copies);
  f.fillers = as_vector(p.fillers);
  f.tickets = as_vector(p.tickets);
  f.thread_of = as_vector(p.threads.thread_of);
  f.chained = as_vector(p.threads.chained);
  f.workers = as_vector(p.threads.workers);
  f.chains = as_vector(p.threads.chains);
  for (const std::string_view t : p.threads.names) f.thread_names.emplace_back(t);
  for (const st::name& s : p.resolved.slot_list) f.slots.emplace_back(s.text);
  f.edges = as_vector(p.edges);
  f.stream_waits = as_vector(p.stream_waits);
  f.minimal_stream_waits = as_vector(planned.minimal_stream_waits());
  f.host_waits = as_vector(p.host_waits);
  f.run_ahead_waits = as_vector(planned.run_ahead_waits());
  f.in_flight = planned.in_flight();
  f.fingerprint = planned.fingerprint();
  return f;
}

bool same(const std::vector<planner::edge>& a, const std::vector<planner::edge>& b) {
  return std::equal(
      a.begin(), a.end(), b.begin(), b.end(), [](const planner::edge& x, const planner::edge& y) {
        return x.producer == y.producer && x.consumer == y.consumer && x.delta == y.delta &&
               x.why == y.why && x.slot == y.slot && x.offset == y.offset;
      });
}

/// All but names.
void check_same_plan(const plan_fields& a, const plan_fields& b) {
  CHECK(a.order == b.order);
  CHECK(a.lag == b.lag);
  CHECK(a.copies == b.copies);
  CHECK(a.fillers == b.fillers);
  CHECK(a.tickets == b.tickets);
  CHECK(a.thread_of == b.thread_of);
  CHECK(a.chained == b.chained);
  CHECK(a.workers == b.workers);
  CHECK(std::equal(a.chains.begin(), a.chains.end(), b.chains.begin(), b.chains.end(),
                   [](const planner::range& x, const planner::range& y) {
                     return x.first == y.first && x.last == y.last;
                   }));
  CHECK(same(a.edges, b.edges));
  CHECK(same(a.stream_waits, b.stream_waits));
  CHECK(same(a.minimal_stream_waits, b.minimal_stream_waits));
  CHECK(same(a.host_waits, b.host_waits));
  CHECK(same(a.run_ahead_waits, b.run_ahead_waits));
  CHECK(a.in_flight == b.in_flight);
}

/// With a queue and workers where they can be, or one of the two.
dynamic::schedule with_groups(const dynamic::schedule& plain, const stress::shape& s) {
  constexpr const char* names[] = {"host", "x", "a", "b", "c"};
  for (const auto& [queue, workers] : {std::pair{true, true}, {false, true}, {true, false}}) {
    dynamic::schedule v = plain;
    if (queue && s.queue > 0) v.groups.push_back({names[s.queued], s.queue, 1});
    if (workers && s.workers > 1) v.groups.push_back({names[s.shared], 0, s.workers});
    if (dynamic::diagnose(v).ok()) return v;
  }
  return plain;
}

/// The schedule of a seed, written down without a look at its types.
dynamic::schedule by_hand(const stress::shape& s, std::size_t variant) {
  const auto slot = [](std::size_t n) { return "value " + std::to_string(n); };
  const auto name = [](std::size_t n) { return "task " + std::to_string(n); };
  dynamic::schedule v;
  v.streams = {"a", "b", "c"};
  v.source = {.slot = slot(stress::shape::most), .lookahead = s.source_ahead};
  if (s.reader) v.source.thread = "reader";
  v.results = {slot(0), slot(1)};
  for (std::size_t n = 0; n < s.tasks; ++n) {
    const stress::shape::task& from = s.all[n];
    dynamic::task& t = v.tasks.emplace_back();
    t.name = name(n);
    if (from.stream >= 0) t.stream = v.streams[static_cast<std::size_t>(from.stream)];
    if (from.thread >= 0) t.thread = from.thread == 0 ? "x" : "caller";
    t.lookahead = from.lookahead;
    t.collective = from.collective;
    t.writes = {slot(n)};
    if (from.reads_source) t.reads.emplace_back(v.source.slot);
    for (std::size_t o = 0; o < n; ++o) {
      switch (from.to[o]) {
        case stress::link::none: break;
        case stress::link::reads: t.reads.emplace_back(slot(o)); break;
        case stress::link::updates: t.writes.emplace_back(slot(o)); break;
        case stress::link::depends_on: t.depends_on.push_back(name(o)); break;
        case stress::link::cross_iter: t.cross_iter_depends_on.emplace_back(name(o)); break;
        case stress::link::cross_iter_2: t.cross_iter_depends_on.emplace_back(name(o), 2); break;
        case stress::link::sync: t.same_progress_sync.push_back(name(o)); break;
      }
    }
  }
  switch (variant) {
    case 1:  // a task's own thread goes before the map
      for (dynamic::task& t : v.tasks)
        if (t.thread.empty()) t.thread = t.name;
      break;
    case 2:
      for (dynamic::task& t : v.tasks)
        if (t.thread.empty()) t.thread = "caller";
      break;
    case 3: return dynamic::serial(v);
    case 4:
      v.slacks = {{slot(0), 2}};
      v.tasks[1].weight = 3;
      break;
    default: return with_groups(v, s);
  }
  return v;
}

}  // namespace

TEST_CASE("the plans of types are the plans of the same schedules as values") {
  const std::vector<subject> all = all_subjects();
  REQUIRE(all.size() >= 40);
  std::set<std::uint64_t> different;
  std::size_t by_hand_too = 0;
  for (const subject& s : all) {
    CAPTURE(s.seed);
    const plan_fields types = s.plan();
    different.insert(types.fingerprint);
    const plan_fields value = fields_of(dynamic::planned_schedule(s.outline()));
    check_same_plan(types, value);
    CHECK(types.thread_names == value.thread_names);
    CHECK(types.slots == value.slots);
    CHECK(types.fingerprint == value.fingerprint);
    const stress::shape drawn = stress::shape_of(s.seed);
    if (drawn.has_coroutines()) continue;  // which bodies tell, and none are written down
    ++by_hand_too;
    check_same_plan(types, fields_of(dynamic::planned_schedule(by_hand(drawn, s.variant))));
  }
  CHECK(different.size() == all.size());
  CHECK(by_hand_too >= all.size() / 2);
}

TEST_CASE("types and values hand out the same, and each task runs after all that it waits for") {
  std::size_t run = 0;
  const std::vector<subject> all = all_subjects();
  for (const subject& s : all) {
    if (s.run == nullptr) continue;
    CAPTURE(s.seed);
    ++run;
    for (const std::size_t batches : {std::size_t{0}, std::size_t{2}, std::size_t{17}}) {
      CAPTURE(batches);
      const deadline limit("a run of types and one of values");
      const outcome types = s.run(batches, s.seed);
      const outcome value = s.run_value(batches, s.seed + 1);
      CHECK(types.complaints == "");
      CHECK(value.complaints == "");
      CHECK(types.results.size() == batches);
      CHECK(types.results == value.results);
      CHECK(types.runs == std::vector<std::size_t>(types.runs.size(), batches));
      CHECK(types.runs == value.runs);
    }
  }
  CHECK(run >= all.size() / 9);
}
