// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Random schedules, judged and planned by the compiler, against the runtime version's judgement and
// plans of the same schedules, written down in its own words: field by field.

#include <doctest/doctest.h>
#include <algorithm>
#include <set>
#include <stretto/dynamic.hpp>
#include <string>
#include <vector>
#include "compiled.hpp"

namespace {

namespace dynamic = stretto::dynamic;
using namespace differential;

template <std::size_t N>
std::string named(const std::array<std::string_view, N>& names, int number) {
  return std::string(names[static_cast<std::size_t>(number)]);
}

/// A drawn schedule as a value that a user would fill in.
dynamic::schedule as_value(const drawn& s) {
  dynamic::schedule v;
  v.streams = {"a", "b", "c"};
  v.source.slot = "source";
  if (s.source_ahead >= 0) v.source.lookahead = s.source_ahead;
  v.source.thread = named(thread_names, s.source_thread);
  v.caller_runs = named(thread_names, s.caller_runs);
  v.strict = s.strict;
  v.frugal = s.frugal;
  for (const int r : s.results.all()) v.results.push_back(named(slot_names, r));
  if (!s.turns.all().empty()) v.orders.emplace_back();
  for (const int t : s.turns.all()) v.orders.back().push_back(named(task_names, t));
  for (const drawn::group& g : s.groups.all())
    v.groups.push_back({named(thread_names, g.thread), g.queue, g.workers});
  for (const int more : s.slack_of.all()) v.slacks.push_back({named(slot_names, more), 2});
  for (int n = 0; n < s.tasks; ++n) {
    const drawn_task& from = s.all[static_cast<std::size_t>(n)];
    dynamic::task& t = v.tasks.emplace_back();
    t.name = named(task_names, n);
    if (from.stream >= 0) t.stream = named(stream_names, from.stream);
    if (from.thread >= 0) t.thread = named(thread_names, from.thread);
    t.lookahead = from.lookahead;
    t.collective = from.collective;
    t.every = from.every;
    t.phase = from.phase;
    const auto use = [&](int slot) -> dynamic::use {
      dynamic::use made(named(slot_names, slot));
      if (from.offset != 0) made.offset = from.lookahead + from.offset;
      made.items = s.per_call(slot, from);
      return made;
    };
    for (const int slot : from.reads.all()) t.reads.push_back(use(slot));
    for (const auto& e : from.earlier.all())
      t.reads.push_back(e.latest ? dynamic::use::latest_of(named(slot_names, e.slot), e.ago)
                                 : dynamic::use::previous(named(slot_names, e.slot), e.ago));
    for (const int slot : from.writes.all()) t.writes.push_back(use(slot));
    for (const auto& l : from.depends_on.all()) t.depends_on.push_back(named(task_names, l.task));
    for (const auto& l : from.cross_iter.all())
      t.cross_iter_depends_on.emplace_back(named(task_names, l.task), l.ago);
    for (const auto& l : from.sync.all()) t.same_progress_sync.push_back(named(task_names, l.task));
    for (const int r : from.observes.all()) t.observes.push_back(named(resource_names, r));
    for (const int r : from.mutates.all()) t.mutates.push_back(named(resource_names, r));
  }
  return v;
}

constexpr std::uint64_t at(const digest& d, field f) { return d.of[static_cast<std::size_t>(f)]; }

/// The fields that differ.
std::string different(const digest& a, const digest& b) {
  std::string names;
  for (std::size_t f = 0; f < field_names.size(); ++f)
    if (a.of[f] != b.of[f]) names.append(names.empty() ? "" : ", ").append(field_names[f]);
  return names;
}

}  // namespace

TEST_CASE("what a compiler says of a schedule is what the runtime version says of it") {
  const std::vector<digest> all = all_compiled();
  REQUIRE(all.size() >= 300);
  std::size_t valid = 0;
  std::size_t racing = 0;
  std::size_t run = 0;
  std::size_t repeated = 0;
  std::set<std::uint64_t> findings;
  std::set<std::uint64_t> plans;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const std::uint64_t seed = first_seed() + i;
    CAPTURE(seed);
    const dynamic::schedule s = as_value(draw(seed));
    const dynamic::declared declared(s);
    const digest runtime(declared.value());
    CHECK(different(all[i], runtime) == "");
    findings.insert(at(runtime, field::findings));
    if (!runtime.planned()) continue;
    ++valid;
    plans.insert(at(runtime, field::edges));
    const planner::view<planner::task> tasks = declared.value().tasks;
    repeated +=
        std::any_of(tasks.begin(), tasks.end(), [](const planner::task& t) { return t.calls > 1; });
    const bool races = !planner::diagnose(declared.value()).findings.empty();
    racing += races;

    // What is made to be run is that plan.
    const dynamic::diagnosis found = dynamic::diagnose(s);
    if (!found.misuses.empty()) continue;
    CHECK(found.ok() == !races);
    if (races) continue;
    ++run;
    const dynamic::planned_schedule planned(s);
    digest taken;
    taken.take(planned.plan());
    taken.of[static_cast<std::size_t>(field::findings)] = at(runtime, field::findings);
    taken.of[static_cast<std::size_t>(field::cycle)] = at(runtime, field::cycle);
    taken.of[static_cast<std::size_t>(field::races)] = at(runtime, field::races);
    CHECK(different(all[i], taken) == "");
  }
  // That is, the schedules are of many kinds.
  CHECK(valid > all.size() / 2);
  CHECK(plans.size() > valid / 2);
  CHECK(racing > all.size() / 50);
  CHECK(run > all.size() / 4);
  CHECK(findings.size() > all.size() / 10);
  CHECK(repeated > 0);
  MESSAGE(all.size(), " schedules: ", valid, " keep the rules, ", racing, " of them race, ", run,
          " can be run; ", plans.size(), " different plans");
}

TEST_CASE("a digest tells schedules apart in the field that differs") {
  drawn plain;
  plain.tasks = 3;
  for (int t = 0; t < 3; ++t) {
    drawn_task& own = plain.all[static_cast<std::size_t>(t)];
    own.stream = t;
    own.writes.add(t);
    if (t > 0) own.reads.add(t - 1);
  }
  const auto changed = [&](auto change) {
    drawn s = plain;
    change(s);
    return different(digest(packed(plain).value()), digest(packed(s).value()));
  };
  CHECK(changed([](drawn&) {}) == "");
  CHECK(changed([](drawn& s) { s.slack_of.add(1); }).find("copies") != std::string::npos);
  CHECK(changed([](drawn& s) { s.all[0].collective = true; }) == "tickets");
  CHECK(changed([](drawn& s) { s.all[1].thread = 0; }).find("thread_names") != std::string::npos);
  CHECK(changed([](drawn& s) { s.all[0].lookahead = 1; }).find("lookaheads") != std::string::npos);
  CHECK(changed([](drawn& s) { s.all[2].earlier.add({0, 1}); }).find("edges") != std::string::npos);
  CHECK(changed([](drawn& s) { s.all[2].offset = 1; }).starts_with("findings"));
  CHECK(changed([](drawn& s) { s.items[0] = 12; }) == "");  // each is called once
  CHECK(changed([](drawn& s) {
          s.items[0] = 12;
          s.all[0].calls = 2;
        }) == "");
  CHECK(changed([](drawn& s) {
          s.items[0] = 12;
          s.all[1].calls = 2;
        }).starts_with("findings"));
  CHECK(changed([](drawn& s) {
          s.all[0].mutates.add(0);
          s.all[2].mutates.add(0);
        }) == "races");
}
