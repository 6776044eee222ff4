// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// How often tasks are called for a batch that consume and produce items of slots: against graphs
// whose numbers are published, against all numbers that are small enough to try, and in graphs
// that are made for numbers of calls.

#include <doctest/doctest.h>
#include <cstddef>
#include <numeric>
#include <random>
#include <stretto/plan/derive/repetitions.hpp>
#include <string>
#include <vector>
#include "../../support/seed.hpp"
#include "../draft.hpp"

namespace {

namespace planner = stretto::planner;
using failure = planner::repetitions::failure;

/// A task, and what it produces and consumes of which slots: of two that share one, an edge.
struct arc {
  std::size_t from;
  int produces;
  std::size_t to;
  int consumes;
};

/// A graph of tasks, one slot for each arc.
class graph {
 public:
  graph(std::size_t tasks, const std::vector<arc>& arcs)
      : names_(tasks), reads_(tasks), writes_(tasks) {
    slots_.reserve(arcs.size());
    for (std::size_t t = 0; t < tasks; ++t) names_[t] = "t" + std::to_string(t);
    for (const arc& a : arcs) {
      slots_.push_back("s" + std::to_string(slots_.size()));
      planner::access use{stretto::name(slots_.back())};
      use.items = a.produces;
      writes_[a.from].push_back(use);
      use.items = a.consumes;
      reads_[a.to].push_back(use);
    }
    for (std::size_t t = 0; t < tasks; ++t) {
      planner::task row;
      row.id = stretto::name(names_[t]);
      row.reads = reads_[t];
      row.writes = writes_[t];
      rows.push_back(row);
    }
  }
  graph(const graph&) = delete;
  graph& operator=(const graph&) = delete;

  std::vector<planner::task> rows;

 private:
  std::vector<std::string> names_, slots_;
  std::vector<std::vector<planner::access>> reads_, writes_;
};

std::vector<int> calls_of(std::size_t tasks, const std::vector<arc>& arcs) {
  const graph g(tasks, arcs);
  const planner::repetitions found = planner::find_repetitions(g.rows);
  CHECK(found.what == failure::nothing);
  return {found.calls.begin(), found.calls.end()};
}

/// A chain: what each produces, and the next consumes.
std::vector<arc> chain(const std::vector<std::pair<int, int>>& rates) {
  std::vector<arc> arcs;
  for (std::size_t i = 0; i < rates.size(); ++i)
    arcs.push_back({i, rates[i].first, i + 1, rates[i].second});
  return arcs;
}

bool balanced(const std::vector<arc>& arcs, const std::vector<int>& calls) {
  for (const arc& a : arcs)
    if (a.produces * calls[a.from] != a.consumes * calls[a.to]) return false;
  return true;
}

/// The least numbers from 1 to \p most that balance all arcs, by trying; empty: there are none.
std::vector<int> tried(std::size_t tasks, const std::vector<arc>& arcs, int most) {
  std::vector<int> calls(tasks, 1);
  while (!balanced(arcs, calls)) {
    std::size_t t = 0;
    while (t < tasks && calls[t] == most) calls[t++] = 1;
    if (t == tasks) return {};
    ++calls[t];
  }
  return calls;
}

}  // namespace

TEST_CASE("repetitions: of graphs that are published") {
  // CD to DAT, 44.1 kHz to 48 kHz: S. S. Bhattacharyya, P. K. Murthy, E. A. Lee, "Synthesis of
  // embedded software from synchronous dataflow specifications", Journal of VLSI Signal Processing
  // 21, 1999; it is the sample rate converter of SDF3.
  CHECK(calls_of(6, chain({{1, 1}, {2, 3}, {2, 7}, {8, 7}, {5, 1}})) ==
        std::vector<int>{147, 147, 98, 28, 32, 160});
  // Its slots hold what a flat single appearance schedule of it has between its tasks.
  graph converter(6, chain({{1, 1}, {2, 3}, {2, 7}, {8, 7}, {5, 1}}));
  planner::repeat_calls(converter.rows);
  const planner::slot_items items(converter.rows);
  std::size_t all = 0;
  for (const planner::task& t : converter.rows)
    for (const planner::access& a : t.writes) all += items[a.slot];
  CHECK(all == 147 + 294 + 196 + 224 + 160);
  // The H.263 decoder of SDF3 (S. Stuijk, M. Geilen, T. Basten): 1,190 calls in all.
  CHECK(calls_of(4, chain({{594, 1}, {1, 1}, {1, 594}})) == std::vector<int>{1, 594, 594, 1});
}

TEST_CASE("repetitions: whether a cycle is consistent depends on each of its numbers") {
  CHECK(calls_of(3, {{0, 1, 1, 1}, {1, 2, 2, 1}, {0, 2, 2, 1}}) == std::vector<int>{1, 1, 2});
  const graph broken(3, {{0, 1, 1, 1}, {1, 2, 2, 1}, {0, 1, 2, 1}});
  const planner::repetitions found = planner::find_repetitions(broken.rows);
  CHECK(found.what == failure::inconsistent);
  CHECK(found.calls == std::vector<int>{1, 1, 1});
}

TEST_CASE(
    "repetitions: tasks that share nothing are called independently, and those without once") {
  CHECK(calls_of(6, {{0, 2, 1, 3}, {3, 4, 4, 6}}) == std::vector<int>{3, 2, 1, 3, 2, 1});
}

TEST_CASE("repetitions: several tasks consume a slot, and each consumes all of it") {
  draft d;
  d.add("a").produces("x", 4);
  d.add("b").consumes("x", 6).reads({"y"});
  d.add("c").consumes("x", 1);
  d.add("d").writes({"y"});
  const planner::repetitions found = planner::find_repetitions(d.declaration().tasks);
  CHECK(found.calls == std::vector<int>{3, 2, 12, 1});
  const planner::slot_items items(d.declaration().tasks);
  CHECK(items[stretto::name("x")] == 12);
  CHECK(items[stretto::name("y")] == 1);
}

TEST_CASE("repetitions: a weight is that of all calls of a batch") {
  draft d;
  d.add("a").produces("x", 4).weight(5);
  d.add("b").consumes("x", 6).weight(2147483647);
  d.add("c").weight(7);
  const planner::view<planner::task> tasks = d.declaration().tasks;
  CHECK(tasks[0].weight == 15);
  CHECK(tasks[0].calls == 3);
  CHECK(tasks[1].weight == 2147483647);
  CHECK(tasks[2].weight == 7);
  CHECK(tasks[2].calls == 1);
}

TEST_CASE("repetitions: small graphs, consistent or not, against all numbers up to 36") {
  std::mt19937 random(seeds::first(20));
  std::size_t consistent = 0;
  std::size_t inconsistent = 0;
  for (int round = 0; round < 400; ++round) {
    const std::size_t tasks = 3;
    const auto any = [&random](int from, int to) {
      return std::uniform_int_distribution<int>(from, to)(random);
    };
    std::vector<arc> arcs;
    for (int i = 0; i < any(1, 4); ++i) {
      const auto from = static_cast<std::size_t>(any(0, 2));
      arcs.push_back({from, any(1, 3), static_cast<std::size_t>(any(0, 2)), any(1, 3)});
    }
    const graph g(tasks, arcs);
    const planner::repetitions found = planner::find_repetitions(g.rows);
    const std::vector<int> expected = tried(tasks, arcs, 36);
    if (expected.empty()) {
      ++inconsistent;
      CHECK(found.what == failure::inconsistent);
    } else {
      ++consistent;
      CHECK(found.what == failure::nothing);
      CHECK(found.calls == expected);
    }
  }
  CHECK(consistent > 50);
  CHECK(inconsistent > 50);
}

TEST_CASE(
    "repetitions: large graphs that are made for numbers of calls, and of which one is changed") {
  std::mt19937 random(seeds::first(4));
  for (int round = 0; round < 100; ++round) {
    const auto any = [&random](int from, int to) {
      return std::uniform_int_distribution<int>(from, to)(random);
    };
    const auto tasks = static_cast<std::size_t>(any(2, 40));
    std::vector<int> calls(tasks);
    for (int& c : calls) c = any(1, 60);
    calls[0] = 1;  // so that these are the least ones
    std::vector<arc> arcs;
    const auto join = [&](std::size_t from, std::size_t to) {
      const int common = std::gcd(calls[from], calls[to]);
      const int times = any(1, 3);
      arcs.push_back({from, times * calls[to] / common, to, times * calls[from] / common});
    };
    for (std::size_t t = 1; t < tasks; ++t)
      join(static_cast<std::size_t>(any(0, static_cast<int>(t) - 1)), t);
    for (int more = any(1, 10); more > 0; --more)
      join(static_cast<std::size_t>(any(0, static_cast<int>(tasks) - 1)),
           static_cast<std::size_t>(any(0, static_cast<int>(tasks) - 1)));
    CHECK(calls_of(tasks, arcs) == calls);
    arcs.back().produces += 1;  // it closes a cycle
    const graph changed(tasks, arcs);
    CHECK(planner::find_repetitions(changed.rows).what == failure::inconsistent);
  }
}

TEST_CASE("repetitions: a batch has 65,536 items of a slot at most") {
  CHECK(calls_of(2, {{0, 65536, 1, 1}}) == std::vector<int>{1, 65536});
  CHECK(calls_of(2, {{0, 256, 1, 255}}) == std::vector<int>{255, 256});
  const auto fails = [](std::size_t tasks, const std::vector<arc>& arcs) {
    const graph g(tasks, arcs);
    const planner::repetitions found = planner::find_repetitions(g.rows);
    CHECK(found.calls == std::vector<int>(tasks, 1));
    return found.what == failure::too_many;
  };
  CHECK(fails(2, {{0, 257, 1, 256}}));
  CHECK(fails(2, {{0, 65537, 1, 1}}));
  CHECK(fails(2, {{0, 65535, 1, 65536}}));
  CHECK(fails(3, chain({{256, 1}, {257, 1}})));
  CHECK(fails(3, chain({{1, 256}, {1, 257}})));
  // In steps of which each is far below what a number holds, and all of them are not.
  CHECK(fails(9, chain({{65521, 1},
                        {65519, 1},
                        {65497, 1},
                        {65479, 1},
                        {65449, 1},
                        {65447, 1},
                        {65437, 1},
                        {65423, 1}})));
  CHECK(fails(9, chain({{1, 65521},
                        {1, 65519},
                        {1, 65497},
                        {1, 65479},
                        {1, 65449},
                        {1, 65447},
                        {1, 65437},
                        {1, 65423}})));
  // Consumers whose numbers have no divisor in common: two, and four, whose product wraps around.
  CHECK(fails(3, {{0, 1, 1, 65521}, {0, 1, 2, 65519}}));
  CHECK(fails(5, {{0, 1, 1, 65521}, {0, 1, 2, 65519}, {0, 1, 3, 65497}, {0, 1, 4, 65419}}));
}

TEST_CASE("repetitions: are constants") {
  static constexpr auto calls = [] {
    planner::access a{};
    a.items = 3;
    planner::access b{};
    b.items = 2;
    planner::task tasks[2];
    tasks[0].writes = {&a, 1};
    tasks[1].reads = {&b, 1};
    const planner::repetitions found = planner::find_repetitions(tasks);
    return 10 * found.calls[0] + found.calls[1];
  }();
  static_assert(calls == 23);
  CHECK(calls == 23);
}
