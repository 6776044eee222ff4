// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <stretto/plan/model/algorithm.hpp>
#include <stretto/plan/model/edge.hpp>
#include <stretto/plan/model/edge_groups.hpp>
#include <stretto/plan/model/graph.hpp>
#include <stretto/plan/model/list.hpp>
#include <stretto/plan/model/plan.hpp>
#include <stretto/plan/model/view.hpp>
#include <stretto/plan/order/reach.hpp>
#include <utility>

namespace stretto::planner {

namespace detail {

/// Whether a wait of a consumer was kept before, where the consumer has too many to look through:
/// by producer.
struct kept_waits {
  list<std::size_t> latest;    ///< by producer: its last wait, of whatever consumer
  list<std::size_t> previous;  ///< by wait: the one before of its producer

  constexpr void add(const list<edge>& kept) {
    for (std::size_t i = previous.size(); i < kept.size(); ++i) {
      const std::size_t producer = kept[i].producer;
      while (latest.size() <= producer) latest.push_back(none);
      previous.push_back(replace(latest[producer], i));
    }
  }
  constexpr bool has(const list<edge>& kept, std::size_t group, const edge& e) const {
    std::size_t i = e.producer < latest.size() ? latest[e.producer] : none;
    while (i != none && i >= group && kept[i].delta != e.delta) i = previous[i];
    return i != none && i >= group;
  }
};

/// Keeps the first of the edges that ask for the same wait: same consumer, producer and delta.
/// \p by_consumer is sorted by consumer.
constexpr list<edge> each_once(const list<edge>& by_consumer) {
  constexpr std::size_t few = 32;
  list<edge> kept;
  kept_waits index;
  std::size_t group = 0;
  for (const edge& e : by_consumer) {
    if (kept.empty() || kept.back().consumer != e.consumer) group = kept.size();
    bool known = false;
    if (kept.size() - group > few) {
      index.add(kept);
      known = index.has(kept, group, e);
    } else {
      for (std::size_t i = group; i < kept.size() && !known; ++i)
        known = kept[i].producer == e.producer && kept[i].delta == e.delta;
    }
    if (!known) kept.push_back(e);
  }
  return kept;
}

/// Selects edges and groups them by consumer, keeping their order otherwise.
template <class Select>
constexpr list<edge> select_by_consumer(std::size_t nodes, view<edge> edges, Select select) {
  list<edge> selected;
  const std::size_t count = edges.size();
  const edge* const all = edges.data();
  for (std::size_t i = 0; i < count; ++i)
    if (select(all[i])) selected.push_back(all[i]);
  return by_consumer(nodes, selected);
}

}  // namespace detail

/// Every wait between tasks of different streams, each once, grouped by consumer: what a device
/// backend has to order with events. The full list; none is left out because others imply it. (The
/// user's order is one of submission.)
constexpr list<edge> stream_waits(const graph& g, view<edge> edges) {
  const node* const of = g.nodes.data();
  return detail::each_once(detail::select_by_consumer(g.nodes.size(), edges, [of](const edge& e) {
    const std::size_t producer = of[e.producer].stream;
    const std::size_t consumer = of[e.consumer].stream;
    return producer != none && consumer != none && producer != consumer && e.why != reason::order &&
           e.why != reason::ticket;
  }));
}

/// Up to this many streams or threads, vector clocks; beyond, `reach`.
inline constexpr std::size_t most_clocks = 64;

namespace detail {

/// By node: where it is in the order.
constexpr list<std::size_t> positions(view<std::size_t> order) {
  list<std::size_t> position(order.size(), 0);
  for (std::size_t i = 0; i < order.size(); ++i) position[order[i]] = i;
  return position;
}

/// Sorts edges by consumer, those of one by where the producer is, the latest first.
constexpr list<edge> latest_first(const list<edge>& edges, const list<std::size_t>& position) {
  list<std::size_t> keys(edges.size(), 0);
  for (std::size_t i = 0; i < edges.size(); ++i)
    keys[i] = (edges[i].consumer + 1) * position.size() - position[edges[i].producer];
  list<edge> sorted;
  sorted.reserve(edges.size());
  for (const std::size_t i : places_by_key(keys)) sorted.push_back(edges[i]);
  return sorted;
}

/// The waits of a barrier where there are many threads, of those that cross between them.
constexpr list<edge> barrier_waits_of_many(view<std::size_t> order, const list<edge>& candidates,
                                           const thread_map& threads) {
  list<edge> inside = each_once(candidates);
  const std::size_t asked = inside.size();
  for (const range chain : threads.chains)
    for (std::size_t i = chain.first + 1; i < chain.last; ++i)
      inside.push_back({threads.chained[i - 1], threads.chained[i], 0, reason::thread, none, 0});
  const list<char> implied = reach(order, inside).implied({inside.data(), asked});
  list<edge> rest;
  for (std::size_t i = 0; i < asked; ++i)
    if (implied[i] == 0) rest.push_back(inside[i]);
  return latest_first(rest, positions(order));
}

/// The waits with a barrier, where threads are few enough for vector clocks.
constexpr list<edge> barrier_waits_by_clocks(view<std::size_t> order, const list<edge>& candidates,
                                             const thread_map& threads) {
  const list<range> of = groups_of(order.size(), candidates);

  constexpr std::size_t few = 16;

  // A vector clock per node: how much of each thread's chain is known to come before it.
  const std::size_t width = threads.names.size();
  list<std::size_t> clock(order.size() * width, 0);
  const list<std::size_t> position = positions(order);
  list<std::size_t> latest(width, none);  // the last node seen on each thread
  list<edge> mine;                        // of a node
  list<edge> kept;
  for (const std::size_t n : order) {
    std::size_t* const own = clock.data() + n * width;
    const auto merge = [&, &threads = threads](std::size_t before) {
      const std::size_t* const there = clock.data() + before * width;
      for (std::size_t t = 0; t < width; ++t)
        if (there[t] > own[t]) own[t] = there[t];
      std::size_t& known = own[threads.thread_of[before]];
      known = larger(known, threads.place[before] + 1);
    };
    std::size_t& previous = latest[threads.thread_of[n]];
    if (previous != none) merge(previous);
    previous = n;
    mine.assign(0, {});
    mine.append({candidates.data() + of[n].first, of[n].last - of[n].first});
    // The latest producer first: it may bring the others with it.
    if (mine.size() > few) {
      mine = latest_first(mine, position);
    } else {
      insertion_sort(mine, [&](const edge& a, const edge& b) {
        return position[a.producer] > position[b.producer];
      });
    }
    for (const edge& e : mine) {
      if (own[threads.thread_of[e.producer]] > threads.place[e.producer]) continue;
      merge(e.producer);
      kept.push_back(e);
    }
  }
  return by_consumer(order.size(), kept);
}

}  // namespace detail

/// The waits between host threads inside one progress, when all threads meet at its end: the fewest
/// that, with the threads' own order, keep every edge of delta 0. Grouped by consumer.
constexpr list<edge> barrier_waits(const graph& g, view<std::size_t> order, view<edge> edges,
                                   const thread_map& threads) {
  const auto crosses = [&threads = threads](const edge& e) {
    return e.delta == 0 && threads.thread_of[e.producer] != threads.thread_of[e.consumer];
  };
  const list<edge> candidates = detail::select_by_consumer(g.nodes.size(), edges, crosses);
  if (threads.names.size() > most_clocks)
    return detail::barrier_waits_of_many(order, candidates, threads);
  return detail::barrier_waits_by_clocks(order, candidates, threads);
}

}  // namespace stretto::planner
