// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Of all edges those that somebody has to wait for: between streams, and at a barrier.

#include <doctest/doctest.h>
#include <initializer_list>
#include <numeric>
#include <stretto/plan/order/waits.hpp>
#include <utility>
#include <vector>

namespace {

namespace planner = stretto::planner;
using planner::edge;
using planner::none;
using planner::reason;

using pairs = std::vector<std::pair<std::size_t, std::size_t>>;

pairs of(const planner::list<edge>& edges) {
  pairs all;
  for (const edge& e : edges) all.emplace_back(e.producer, e.consumer);
  return all;
}

edge made(std::size_t producer, std::size_t consumer, int delta = 0, reason why = reason::data) {
  return {producer, consumer, delta, why, none, 0};
}

// Nodes 0 to N - 1 in that order, each on the thread given.
struct threads_of {
  planner::list<std::size_t> order{};
  planner::graph g{};
  planner::thread_map map{};

  explicit threads_of(const std::vector<std::size_t>& threads, std::size_t count) {
    g.nodes.assign(threads.size(), {});
    map.names.assign(count, "");
    map.workers.assign(count, 1);
    for (std::size_t n = 0; n < threads.size(); ++n) order.push_back(n);
    map.thread_of.append(threads);
    map.place.assign(threads.size(), 0);
    for (std::size_t t = 0; t < count; ++t) {
      const std::size_t first = map.chained.size();
      for (std::size_t n = 0; n < threads.size(); ++n) {
        if (threads[n] != t) continue;
        map.place[n] = map.chained.size() - first;
        map.chained.push_back(n);
      }
      map.chains.push_back({first, map.chained.size()});
    }
  }
  pairs waits(std::initializer_list<edge> edges) const {
    return of(planner::barrier_waits(g, order, {edges.begin(), edges.size()}, map));
  }
};

}  // namespace

TEST_CASE("streams wait for each other, once for each producer and distance") {
  planner::graph g;
  g.nodes.assign(5, {});
  g.nodes[0].stream = 0;
  g.nodes[1].stream = 0;
  g.nodes[2].stream = 1;
  g.nodes[3].stream = 1;
  const std::vector<edge> edges{made(2, 3),
                                made(0, 3),
                                made(0, 2, 0),
                                made(0, 2, 1),
                                made(0, 2, 0, reason::reuse),
                                made(1, 2, 0, reason::order),
                                made(1, 2, 0, reason::ticket),
                                made(4, 2),
                                made(0, 4)};
  const planner::list<edge> waits = planner::stream_waits(g, edges);
  CHECK(of(waits) == pairs{{0, 2}, {0, 2}, {0, 3}});
  CHECK(waits[0].delta == 0);
  CHECK(waits[0].why == reason::data);
  CHECK(waits[1].delta == 1);
}

TEST_CASE("of equal waits the first is kept, where a consumer has few or many") {
  for (const unsigned producers : {4U, 31U, 32U, 33U, 200U}) {
    planner::list<edge> all;
    for (std::size_t consumer = 500; consumer < 503; ++consumer)
      for (const reason why : {reason::data, reason::update})
        for (std::size_t p = 0; p < producers; ++p) {
          all.push_back(made(p, consumer, 0, why));
          if (p % 2 == 0) all.push_back(made(p, consumer, 1, why));
        }
    const planner::list<edge> kept = planner::detail::each_once(all);
    CHECK(kept.size() == 3 * (producers + (producers + 1) / 2));
    for (const edge& e : kept) CHECK(e.why == reason::data);
  }
}

TEST_CASE("at a barrier a thread waits for the last of another's, which brings the others") {
  const threads_of two({0, 0, 1}, 2);
  CHECK(two.waits({made(0, 2), made(1, 2)}) == pairs{{1, 2}});
  CHECK(two.waits({made(0, 2)}) == pairs{{0, 2}});
}

TEST_CASE("at a barrier an earlier wait of the same thread, or of one waited for, is enough") {
  const threads_of two({0, 1, 1}, 2);
  CHECK(two.waits({made(0, 1), made(0, 2)}) == pairs{{0, 1}});
  const threads_of three({0, 1, 2}, 3);
  CHECK(three.waits({made(0, 1), made(1, 2), made(0, 2)}) == pairs{{0, 1}, {1, 2}});
}

TEST_CASE("what a barrier orders anyway, or a thread's own order, is no wait") {
  const threads_of two({0, 0, 1}, 2);
  CHECK(two.waits({made(0, 2, 1), made(0, 1), made(2, 0, 3)}).empty());
}

TEST_CASE("where there are too many threads for clocks the waits are the same") {
  const std::size_t many = planner::most_clocks + 1;
  std::vector<std::size_t> each(many);
  std::iota(each.begin(), each.end(), 0U);
  const threads_of wide(each, many);
  CHECK(wide.waits({made(0, 1), made(1, 2), made(0, 2), made(5, 9)}) ==
        pairs{{0, 1}, {1, 2}, {5, 9}});
}
