// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Where there are many of something, the planner looks it up instead of comparing all with all. The
// same comes out: here against the comparison of all with all.

#include <doctest/doctest.h>
#include <algorithm>
#include <numeric>
#include <random>
#include <set>
#include <stretto/plan/rules/diagnose.hpp>
#include <tuple>
#include <vector>
#include "../../../benchmarks/planning/large_schedule.hpp"
#include "../../support/seed.hpp"

using namespace stretto::planner;

namespace {

using key = std::tuple<std::size_t, std::size_t, int>;
key wait_of(const edge& e) { return {e.consumer, e.producer, e.delta}; }

/// Entries of the dependency fields and of reads, as rule 6 must see them.
std::vector<finding> findings_by_hand(const large_schedule::task& t, std::size_t task,
                                      std::size_t known) {
  struct entry {
    std::size_t producer;  ///< by the number in its name
    int ago;
    field where;
    std::size_t position;
  };
  const auto number = [](const stretto::name& n) {
    return std::stoul(std::string(n.text.substr(n.text.find(' '))));
  };
  std::vector<entry> entries;
  const auto add = [&](const std::vector<dependency>& from, field where) {
    for (std::size_t i = 0; i < from.size(); ++i)
      entries.push_back({number(from[i].task), from[i].ago, where, i});
  };
  add(t.depends_on, field::depends_on);
  add(t.cross_iter, field::cross_iter_depends_on);
  add(t.sync, field::same_progress_sync);
  std::vector<finding> found;
  for (const entry& e : entries) {
    if (e.producer >= known) {
      found.push_back({kind::unknown_name, task, none, e.where, e.position});
    } else if (e.where == field::cross_iter_depends_on &&
               std::any_of(t.reads.begin(), t.reads.end(), [&](const access& read) {
                 return number(read.slot) == e.producer && e.ago == 2;  // who works two ahead
               })) {
      found.push_back({kind::redundant_cross_iter, task, e.producer, e.where, e.position});
    }
  }
  for (std::size_t i = 0; i < entries.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      const entry& later = entries[i];
      const entry& earlier = entries[j];
      if (later.producer >= known || later.producer != earlier.producer ||
          (later.where == earlier.where && later.ago != earlier.ago))
        continue;
      found.push_back({later.where == earlier.where ? kind::listed_twice : kind::field_overlap,
                       task, later.producer, later.where, later.position});
      break;
    }
  }
  for (std::size_t i = 0; i < t.reads.size(); ++i)
    if (std::any_of(t.reads.begin(), t.reads.begin() + static_cast<std::ptrdiff_t>(i),
                    [&](const access& a) { return a.slot == t.reads[i].slot; }))
      found.push_back({kind::listed_twice, task, none, field::reads, i});
  return found;
}

}  // namespace

TEST_CASE("fields of few and of many entries: the same findings") {
  std::mt19937 random(seeds::first(7));
  const auto pick = [&](std::size_t below) { return random() % below; };
  std::set<finding_kind> kinds;
  for (int round = 0; round < 300; ++round) {
    CAPTURE(round);
    const std::size_t producers = 1 + pick(60);
    large_schedule s;
    for (std::size_t t = 0; t < producers; ++t)
      s.writes(s.add(s.named("task", t), 2), s.named("slot", t));
    auto& task = s.add(s.named("reader", 0));
    const std::size_t most = 1 + pick(40);
    const auto entries = [&](std::vector<dependency>& into, bool earlier) {
      for (std::size_t i = pick(most); i > 0; --i)
        into.push_back({s.named("task", pick(producers + producers / 10)),
                        earlier ? 1 + static_cast<int>(pick(3)) : 0});
    };
    for (std::size_t i = pick(most); i > 0; --i) s.reads(task, s.named("slot", pick(producers)));
    entries(task.depends_on, false);
    entries(task.cross_iter, true);
    entries(task.sync, false);
    const std::vector<finding> expected = findings_by_hand(task, producers, producers);
    const list<finding> found = check_rules(s.declaration()).findings;
    REQUIRE(found.size() == expected.size());
    for (std::size_t i = 0; i < found.size(); ++i) {
      CAPTURE(i);
      kinds.insert(found[i].what);
      REQUIRE(found[i].what == expected[i].what);
      REQUIRE(found[i].task == expected[i].task);
      REQUIRE(found[i].other == expected[i].other);
      REQUIRE(found[i].where == expected[i].where);
      REQUIRE(found[i].position == expected[i].position);
    }
  }
  CHECK(kinds.size() == 4);
}

TEST_CASE("the first of equal waits is kept, of few and of many") {
  std::mt19937 random(seeds::first(3));
  std::vector<edge> edges;
  for (std::size_t consumer = 0; consumer < 40; ++consumer)
    for (std::size_t i = random() % 10 == 0 ? 150 : random() % 50; i > 0; --i)
      edges.push_back(
          {random() % 30, consumer, static_cast<int>(random() % 3), reason::data, edges.size(), 0});
  std::set<key> known;
  std::vector<std::size_t> expected;
  for (const edge& e : edges)
    if (known.insert(wait_of(e)).second) expected.push_back(e.slot);
  std::vector<std::size_t> kept;
  for (const edge& e : detail::each_once(list<edge>(view<edge>(edges)))) kept.push_back(e.slot);
  CHECK(kept == expected);
}

TEST_CASE("a sort by keys keeps the order of equals, of few and of many") {
  std::mt19937 random(seeds::first(5));
  for (std::size_t size = 0; size < 200; ++size) {
    list<std::size_t> keys;
    for (std::size_t i = 0; i < size; ++i) keys.push_back(random() % 10);
    const list<std::size_t> places = places_by_key(keys);
    std::vector<std::size_t> expected(size);
    std::iota(expected.begin(), expected.end(), std::size_t{0});
    std::sort(expected.begin(), expected.end(), [&](std::size_t a, std::size_t b) {
      return keys[a] != keys[b] ? keys[a] < keys[b] : a < b;
    });
    REQUIRE(places == expected);
  }
}

TEST_CASE("many texts have the numbers of their first appearance") {
  large_schedule s;
  text_index index;
  for (std::size_t i = 0; i < 1000; ++i) {
    REQUIRE(index.find(s.text("text", i)) == none);
    REQUIRE(index.number(s.text("text", i)) == i);
    REQUIRE(index.number(s.text("text", i / 2)) == i / 2);
  }
  for (std::size_t i = 0; i < 1000; ++i) REQUIRE(index.find(s.text("text", i)) == i);
  REQUIRE(index.texts().size() == 1000);
  // One given twice has two numbers, and is found by the first.
  for (std::size_t i = 0; i < 100; ++i) {
    index.add(s.text("text", i));
    REQUIRE(index.texts().size() == 1001 + i);
    REQUIRE(index.find(s.text("text", i)) == i);
  }
  REQUIRE(index.number("another") == 1100);
}

TEST_CASE("a chain of groups with queues and workers: each works further ahead than the next") {
  for (const bool backward : {false, true}) {
    for (const std::size_t groups : {std::size_t{5}, std::size_t{40}}) {
      CAPTURE(groups);
      const std::size_t tasks = 2 * groups;  // two in each
      large_schedule s;
      for (std::size_t i = 0; i < tasks; ++i) {
        const std::size_t t = backward ? tasks - 1 - i : i;
        auto& task = s.add(s.named("task", t), 0, {}, s.text("group", t / 2));
        s.writes(task, s.named("slot", t));
        s.reads(task, t == 0 ? stretto::name("source") : s.named("slot", t - 1));
      }
      const auto workers = [&](std::size_t g) { return g + 1 == groups ? 3 : g % 2 == 0 ? 1 : 2; };
      for (std::size_t g = 0; g < groups; ++g)
        s.groups.push_back({s.text("group", g), 1, g % 2 == 0 ? 1 : 2});
      // Given again: these workers count, that queue does not.
      s.groups.push_back({s.text("group", groups - 1), 9, 3});
      const declaration d = s.declaration();
      const graph g = planned_graph(d);
      int ahead = 0;
      for (std::size_t t = tasks; t-- > 0;) {
        const node& planned = g.nodes[backward ? tasks - 1 - t : t];
        if (t % 2 == 1) ahead += workers(t / 2);  // and a queue of one, less one
        CHECK(planned.lookahead == ahead);
        CHECK(planned.workers == workers(t / 2));
        CHECK(planned.workers == workers_on(d, s.text("group", t / 2)));
      }
    }
  }
}

TEST_CASE("slack for many slots goes to each its own, and what is said first counts") {
  large_schedule s;
  for (std::size_t t = 0; t < 50; ++t) {
    s.writes(s.add(s.named("task", t)), s.named("slot", t));
    if (t % 3 != 0) s.slacks.push_back({s.named("slot", t), t});
  }
  for (std::size_t t = 0; t < 50; ++t) s.slacks.push_back({s.named("slot", t), 1000 + t});
  s.slacks.push_back({stretto::name("nobody's"), 5});
  const declaration d = s.declaration();
  const plan p = make_plan(d);
  for (std::size_t slot = 0; slot < p.resolved.slot_list.size(); ++slot) {
    if (p.resolved.slot_list[slot] == d.from.slot) continue;
    const std::size_t t = p.resolved.writers[p.resolved.writers_of[slot].first].node;
    CHECK(p.copies[slot] == 1 + (t % 3 != 0 ? t : 1000 + t));
  }
}
