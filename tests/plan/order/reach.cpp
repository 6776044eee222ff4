// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Where streams, threads or pairs are too many for vector clocks, `reach` answers in their place:
// the same, question by question and plan by plan.

#include <doctest/doctest.h>
#include <algorithm>
#include <random>
#include <stretto/plan/order/fewest_waits.hpp>
#include <stretto/plan/rules/races.hpp>
#include <vector>
#include "../../../benchmarks/planning/shapes.hpp"
#include "../../support/random_schedule.hpp"
#include "../../support/seed.hpp"

using namespace stretto::planner;

namespace {

bool same(const edge& a, const edge& b) {
  return a.producer == b.producer && a.consumer == b.consumer && a.delta == b.delta &&
         a.why == b.why && a.slot == b.slot && a.offset == b.offset;
}
bool same(const list<edge>& a, const list<edge>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const edge& x, const edge& y) { return same(x, y); });
}

/// All orders that a plan's tests ask about: of effects, and of threads that run ahead.
template <class Use>
void for_each_order(const plan& p, Use use) {
  const effects e = make_effects(p.resolved, p.order, p.edges, p.threads);
  use(e.lines, e.edges);
  const tracks lines = tracks::lay(p.order, p.threads.names.size(),
                                   [&](std::size_t n) { return p.threads.thread_of[n]; });
  list<edge> edges = p.edges;
  edges.append(delivery_edges(p.resolved));
  edges.append(track_edges(lines, p.order, reason::thread));
  use(lines, edges);
}

/// What `reach` says of each edge and each pair of nodes, by clocks. How many edges are implied.
std::size_t require_the_same_order(const plan& p) {
  std::size_t known = 0;
  for_each_order(p, [&](const tracks& lines, const list<edge>& edges) {
    const happens_before hb(lines, p.order, edges);
    reach forward(p.order, edges);
    reach backward(p.order, edges, true);
    const list<char> implied = forward.implied(edges);
    for (std::size_t i = 0; i < edges.size(); ++i) {
      CAPTURE(i);
      REQUIRE((implied[i] != 0) == hb.implied(edges[i]));
      known += implied[i] != 0;
    }
    for (std::size_t first = 0; first < p.order.size(); first += reach::most_sources) {
      std::vector<std::size_t> sources;
      for (std::size_t n = first; n < p.order.size() && sources.size() < reach::most_sources; ++n)
        sources.push_back(n);
      for (const int depth : {0, 1, 3}) {
        forward.look(sources, depth);
        backward.look(sources, depth);
        for (std::size_t s = 0; s < sources.size(); ++s) {
          for (std::size_t n = 0; n < p.order.size(); ++n) {
            if (n == sources[s]) continue;
            REQUIRE((forward.reached(n) >> s & 1U) == hb.ordered(sources[s], n, depth));
            REQUIRE((backward.reached(n) >> s & 1U) == hb.ordered(n, sources[s], depth));
          }
        }
      }
    }
  });
  return known;
}

/// What is planned with `reach`, by clocks.
void require_the_same_plan(const declaration& d, const plan& p) {
  const list<edge> candidates =
      detail::select_by_consumer(p.order.size(), p.edges, [&](const edge& e) {
        return e.delta == 0 && p.threads.thread_of[e.producer] != p.threads.thread_of[e.consumer];
      });
  const list<edge> at_barrier = detail::barrier_waits_of_many(p.order, candidates, p.threads);
  const list<edge> by_clocks = detail::barrier_waits_by_clocks(p.order, candidates, p.threads);
  REQUIRE(same(at_barrier, by_clocks));

  const effects e = make_effects(p.resolved, p.order, p.edges, p.threads);
  const detail::resource_uses uses(d);
  const list<race> many = detail::races_of_many(uses, p.order, e.edges).find();
  const list<race> few = detail::races_by_clocks(uses, happens_before(e.lines, p.order, e.edges));
  REQUIRE(many.size() == few.size());
  for (std::size_t i = 0; i < many.size(); ++i) {
    REQUIRE(many[i].task == few[i].task);
    REQUIRE(many[i].other == few[i].other);
    REQUIRE(many[i].resource == few[i].resource);
    REQUIRE(many[i].forth == few[i].forth);
    REQUIRE(many[i].back == few[i].back);
  }
}

/// A valid schedule of many tasks in which all else is random: lookaheads fall from task to task.
void fill(large_schedule& s, unsigned seed, std::size_t tasks, shapes::lines lines) {
  std::mt19937 random(seed);
  const auto pick = [&](std::size_t below) { return random() % below; };
  shapes::declare_streams(s, lines);
  const int deepest = static_cast<int>(pick(5)) * (pick(3) == 0 ? 20 : 1);
  for (std::size_t t = 0; t < tasks; ++t) {
    const int ahead = static_cast<int>((tasks - 1 - t) * static_cast<std::size_t>(deepest) / tasks);
    auto& task = shapes::add(s, lines, ahead, pick(8));
    task.row.collective = pick(20) == 0;
    s.writes(task, s.named("slot", t));
    for (std::size_t back = 1 + pick(30); back <= t && task.reads.size() < 2; back += 1 + pick(30))
      s.reads(task, s.named("slot", t - back));
    const std::size_t other = pick(tasks);
    if (other == t) continue;
    const stretto::name named = s.named("task", other);
    switch (pick(4)) {
      case 0:
        if (other < t) task.depends_on.push_back({named, 0});
        break;
      case 1:
        if (other < t) task.sync.push_back({named, 0});
        break;
      case 2: task.cross_iter.push_back({named, deepest + 1 + static_cast<int>(pick(3))}); break;
      default: break;
    }
    for (const char* resource : {"weights", "cache", "journal"}) {
      const std::size_t how = pick(40);
      if (how == 0) task.mutates.emplace_back(resource);
      if (how == 1) task.observes.emplace_back(resource);
    }
  }
}

}  // namespace

TEST_CASE("reach and clocks know the same order of small schedules") {
  std::size_t implied = 0;
  random_schedule::for_each_valid(1500, seeds::first(1), [&](const declaration& d, unsigned seed) {
    CAPTURE(seed);
    const plan p = make_plan(d);
    implied += require_the_same_order(p);
    require_the_same_plan(d, p);
  });
  CHECK(implied > 1000);
}

TEST_CASE(
    "reach and clocks know the same order and make the same plans of schedules of any shape") {
  std::size_t races_found = 0;
  std::size_t implied = 0;
  for (const unsigned seed : seeds::from(0, 24)) {
    const auto lines = static_cast<shapes::lines>(seed % 3);
    CAPTURE(seed);
    large_schedule s;
    fill(s, seed, 20 + 7 * (seed % 24), lines);
    const declaration d = s.declaration();
    REQUIRE(check_rules(d).findings.empty());
    const plan p = make_plan(d);
    implied += require_the_same_order(p);
    require_the_same_plan(d, p);
    races_found += races(d, p).size();
  }
  CHECK(implied > 1000);
  CHECK(races_found > 100);
}

TEST_CASE("where workers take turns, reach and clocks know the same order") {
  std::mt19937 random(seeds::first(11));
  std::size_t implied = 0;
  std::size_t all = 0;
  random_schedule::for_each_valid(
      3000, seeds::first(700000),
      [&](const declaration& d, unsigned seed) {
        CAPTURE(seed);
        const plan p = make_plan(d);
        tracks lines = tracks::lay(p.order, p.threads.names.size(),
                                   [&](std::size_t n) { return p.threads.thread_of[n]; });
        for (std::size_t& w : lines.workers) w = 1 + random() % 4;
        lines.count_entries();
        list<edge> edges = p.edges;
        for (const edge& e : p.edges)  // and some that span more
          if (random() % 4 == 0)
            edges.push_back({e.producer, e.consumer, e.delta + static_cast<int>(random() % 6),
                             reason::reuse, none, 0});
        edges.append(track_edges(lines, p.order, reason::thread));
        const happens_before hb(lines, p.order, edges);
        const list<char> known = reach(p.order, edges, lines.workers_by_node()).implied(edges);
        for (std::size_t i = 0; i < edges.size(); ++i) {
          CAPTURE(i);
          REQUIRE((known[i] != 0) == hb.implied(edges[i]));
          implied += known[i] != 0;
          ++all;
        }
      },
      9);
  CHECK(implied > all / 10);
  CHECK(implied < all * 9 / 10);
}

TEST_CASE("the fewest waits of many streams and threads are those that clocks leave") {
  for (const auto lines : {shapes::lines::streams, shapes::lines::own_thread}) {
    for (const bool fan : {false, true}) {
      large_schedule s;
      fan ? shapes::fan(s, 150, lines) : shapes::pipeline(s, 150, lines);
      const declaration d = s.declaration();
      REQUIRE(diagnose(d).findings.empty());
      const plan p = make_plan(d);
      const happens_before hb = effect_order(p);
      list<edge> kept;
      for (const edge& e : p.stream_waits)
        if (!hb.implied(e)) kept.push_back(e);
      CHECK(same(minimal_stream_waits(p), kept));
      CHECK(kept.empty() == (lines == shapes::lines::own_thread));
    }
  }
}

TEST_CASE("a wait on a shorter edge from the same task implies the longer one") {
  // 0 at one progress, 1 at that progress or five later: along two edges of different length.
  const std::vector<std::size_t> order{0, 1, 2};
  const std::vector<edge> edges{
      {0, 1, 2, reason::data, none, 0},       {0, 1, 5, reason::reuse, none, 0},
      {0, 1, 5, reason::cross_iter, none, 0}, {1, 2, 0, reason::data, none, 0},
      {0, 2, 1, reason::data, none, 0},       {0, 2, 2, reason::reuse, none, 0}};
  const list<char> implied = reach(order, edges).implied(edges);
  CHECK(implied == std::vector<char>{0, 1, 1, 0, 0, 1});
}

TEST_CASE("a path may be as long as an int can say") {
  const int far = std::numeric_limits<int>::max();
  const std::vector<std::size_t> order{0, 1, 2};
  const std::vector<edge> edges{{0, 1, far, reason::data, none, 0},
                                {1, 2, far, reason::data, none, 0},
                                {0, 2, far, reason::data, none, 0},
                                {1, 0, 0, reason::data, none, 0}};
  const std::vector<std::size_t> turned{1, 0, 2};
  CHECK(reach(turned, edges).implied(edges) == std::vector<char>{0, 1, 0, 0});
}
