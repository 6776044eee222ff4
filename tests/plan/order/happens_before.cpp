// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The order that the planner derives, against a pipeline unrolled by brute force.

#include <doctest/doctest.h>
#include <span>
#include <stretto/plan/order/fewest_waits.hpp>
#include <stretto/plan/rules/races.hpp>
#include <stretto/plan/text/explain.hpp>
#include "../../support/random_schedule.hpp"
#include "../../support/seed.hpp"

namespace {

namespace planner = stretto::planner;
using planner::edge;

/// Which runs of a few consecutive progresses come before which: every path, found by search.
class unrolled {
 public:
  unrolled(std::size_t nodes, int progresses, std::span<const edge> edges)
      : nodes_(nodes), progresses_(static_cast<std::size_t>(progresses)), edges_(edges) {}

  /// Whether `before` at progress 0 leads to `after` at progress `delta`.
  bool leads(std::size_t before, std::size_t after, int delta,
             const edge* without = nullptr) const {
    std::vector<char> seen(nodes_ * progresses_, 0);
    std::vector<std::pair<std::size_t, int>> open{{before, 0}};
    while (!open.empty()) {
      const auto [node, at] = open.back();
      open.pop_back();
      for (const edge& e : edges_) {
        const int next = at + e.delta;
        if (e.producer != node || next > delta || &e == without) continue;
        if (e.consumer == after && next == delta) return true;
        char& known = seen[e.consumer * progresses_ + static_cast<std::size_t>(next)];
        if (known != 0) continue;
        known = 1;
        open.emplace_back(e.consumer, next);
      }
    }
    return false;
  }

 private:
  std::size_t nodes_;
  std::size_t progresses_;
  std::span<const edge> edges_;
};

constexpr int farthest = 4;

std::vector<edge> joined(std::vector<edge> a, const std::vector<edge>& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

/// Host threads' order plus the given waits.
std::vector<edge> on_threads(const planner::plan& p, const std::vector<edge>& waits) {
  const auto lines = planner::tracks::lay(p.order, p.threads.names.size(),
                                          [&](std::size_t n) { return p.threads.thread_of[n]; });
  return joined(planner::track_edges(lines, p.order, planner::reason::thread), waits);
}

}  // namespace

TEST_CASE("the order of effects is what a search over the unrolled pipeline finds") {
  random_schedule::for_each_valid(
      4000, seeds::first(1), [](const planner::declaration& d, unsigned seed) {
        CAPTURE(seed);
        const auto p = planner::make_plan(d);
        const auto effects = planner::make_effects(p.resolved, p.order, p.edges, p.threads);
        const auto hb = planner::effect_order(p);
        const unrolled search(p.order.size(), farthest + 1, effects.edges);
        for (std::size_t a = 0; a < p.order.size(); ++a)
          for (std::size_t b = 0; b < p.order.size(); ++b)
            for (int delta = 0; delta <= farthest; ++delta)
              if (a != b) REQUIRE(hb.ordered(a, b, delta) == search.leads(a, b, delta));
      });
}

TEST_CASE("the minimal waits have the closure of all, and none can go") {
  std::size_t all = 0;
  std::size_t kept = 0;
  random_schedule::for_each_valid(
      4000, seeds::first(50000), [&](const planner::declaration& d, unsigned seed) {
        CAPTURE(seed);
        const auto p = planner::make_plan(d);
        const auto waits = planner::run_ahead_waits(p);
        const auto edges = on_threads(p, waits);
        const unrolled search(p.order.size(), 16, edges);
        const auto must = joined(p.edges, planner::delivery_edges(p.resolved));
        for (const edge& e : must)
          if (e.delta < 16) REQUIRE(search.leads(e.producer, e.consumer, e.delta));
        for (const edge& e : edges)
          if (std::find_if(waits.begin(), waits.end(), [&](const edge& w) {
                return w.producer == e.producer && w.consumer == e.consumer && w.delta == e.delta;
              }) != waits.end())
            REQUIRE(!search.leads(e.producer, e.consumer, e.delta, &e));
        all += must.size();
        kept += waits.size();
      });
  CHECK(kept < all / 2);
}

TEST_CASE("the minimal waits between streams have the closure of all, and none can go") {
  std::size_t dropped = 0;
  random_schedule::for_each_valid(
      4000, seeds::first(100000), [&](const planner::declaration& d, unsigned seed) {
        CAPTURE(seed);
        const auto p = planner::make_plan(d);
        const auto waits = planner::minimal_stream_waits(p);
        dropped += p.stream_waits.size() - waits.size();
        // All effects' edges but the waits between streams, and of those only the minimal ones.
        const auto between_streams = [&](const edge& e) {
          const std::size_t producer = p.resolved.nodes[e.producer].stream;
          const std::size_t consumer = p.resolved.nodes[e.consumer].stream;
          return producer != planner::none && consumer != planner::none && producer != consumer;
        };
        std::vector<edge> rest;
        for (const edge& e : planner::make_effects(p.resolved, p.order, p.edges, p.threads).edges)
          if (!between_streams(e)) rest.push_back(e);
        const auto edges = joined(rest, waits);
        const unrolled search(p.order.size(), 16, edges);
        for (const edge& e : p.stream_waits) REQUIRE(search.leads(e.producer, e.consumer, e.delta));
        for (std::size_t i = rest.size(); i < edges.size(); ++i)
          REQUIRE(!search.leads(edges[i].producer, edges[i].consumer, edges[i].delta, &edges[i]));
      });
  CHECK(dropped > 100);
}

TEST_CASE("a race is a pair that some two runs of leave unordered") {
  std::size_t racing = 0;
  std::size_t ordered = 0;
  random_schedule::for_each_valid(
      6000, seeds::first(200000), [&](const planner::declaration& d, unsigned seed) {
        CAPTURE(seed);
        const auto p = planner::make_plan(d);
        const auto effects = planner::make_effects(p.resolved, p.order, p.edges, p.threads);
        const unrolled search(p.order.size(), farthest + 1, effects.edges);
        const auto found = planner::races(d, p);
        const auto uses = [](std::span<const stretto::name> list, const stretto::name& r) {
          return std::find(list.begin(), list.end(), r) != list.end();
        };
        for (std::size_t a = 0; a < d.tasks.size(); ++a) {
          for (std::size_t b = 0; b < a; ++b) {
            for (const stretto::name resource : {stretto::name("r0"), stretto::name("r1")}) {
              const auto& ta = d.tasks[a];
              const auto& tb = d.tasks[b];
              const bool share = (uses(ta.mutates, resource) &&
                                  (uses(tb.mutates, resource) || uses(tb.observes, resource))) ||
                                 (uses(tb.mutates, resource) && uses(ta.observes, resource));
              const bool reported =
                  std::any_of(found.begin(), found.end(), [&](const planner::race& r) {
                    return r.task == a && r.other == b && r.resource == resource;
                  });
              // Runs far apart are in order, since each turn adds one: those nearby decide.
              bool unordered = false;
              for (int apart = -farthest; apart <= farthest; ++apart) {
                const bool forth = apart >= 0 && search.leads(a, b, apart);
                const bool back = apart <= 0 && search.leads(b, a, -apart);
                unordered = unordered || (!forth && !back);
              }
              REQUIRE(reported == (share && unordered));
              racing += reported;
              ordered += share && !reported;
            }
          }
        }
      });
  CHECK(racing > 100);
  CHECK(ordered > 100);
}

TEST_CASE("explain gives a path of real edges that adds up, or says there is none") {
  random_schedule::for_each_valid(
      200, seeds::first(300000), [](const planner::declaration& d, unsigned seed) {
        CAPTURE(seed);
        const auto p = planner::make_plan(d);
        const auto hb = planner::effect_order(p);
        const auto effects = planner::make_effects(p.resolved, p.order, p.edges, p.threads).edges;
        for (std::size_t a = 0; a < p.order.size(); ++a) {
          for (std::size_t b = 0; b < p.order.size(); ++b) {
            for (int delta = 0; a != b && delta <= 3; ++delta) {
              planner::list<planner::edge> path;
              for (const auto e : planner::why_ordered(effects, p.order.size(), a, b, delta))
                path.push_back(effects[e]);
              REQUIRE(path.empty() == !hb.ordered(a, b, delta));
              if (path.empty()) continue;
              int total = 0;
              for (std::size_t i = 0; i < path.size(); ++i) {
                total += path[i].delta;
                if (i > 0) REQUIRE(path[i - 1].consumer == path[i].producer);
              }
              REQUIRE(path.front().producer == a);
              REQUIRE(path.back().consumer == b);
              REQUIRE(total <= delta);
            }
          }
        }
      });
}
