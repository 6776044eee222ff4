// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cstddef>
#include <stretto/plan/edge.hpp>
#include <stretto/plan/graph.hpp>
#include <stretto/plan/list.hpp>
#include <stretto/plan/threads.hpp>
#include <stretto/plan/view.hpp>

namespace stretto::plan {

namespace detail {

/// Keeps the first of the edges that ask for the same wait: same consumer, producer and delta.
/// \p by_consumer is sorted by consumer.
constexpr list<edge> each_once(const list<edge>& by_consumer) {
  list<edge> kept;
  std::size_t group = 0;
  for (const edge& e : by_consumer) {
    if (kept.empty() || kept.back().consumer != e.consumer) group = kept.size();
    bool known = false;
    for (std::size_t i = group; i < kept.size() && !known; ++i)
      known = kept[i].producer == e.producer && kept[i].delta == e.delta;
    if (!known) kept.push_back(e);
  }
  return kept;
}

/// Groups edges by consumer, keeping their order otherwise.
constexpr list<edge> by_consumer(std::size_t nodes, view<edge> edges) {
  list<range> ranges(nodes, range{});
  range* const groups = ranges.data();
  for (const edge& e : edges) ++groups[e.consumer].last;
  list<edge> result(lay_out(ranges), edge{});
  edge* const to = result.data();
  for (const edge& e : edges) to[groups[e.consumer].last++] = e;
  return result;
}

/// Selects edges and groups them by consumer, keeping their order otherwise.
template <class Select>
constexpr list<edge> select_by_consumer(std::size_t nodes, view<edge> edges, Select select) {
  list<edge> selected;
  selected.reserve(edges.size());
  for (const edge& e : edges)
    if (select(e)) selected.push_back(e);
  return by_consumer(nodes, selected);
}

/// Where each node's edges are in a list grouped by consumer.
constexpr list<range> consumer_groups(std::size_t nodes, view<edge> by_consumer) {
  list<range> groups(nodes, range{});
  range* const of = groups.data();
  std::size_t place = 0;
  for (const edge& e : by_consumer) {
    range& r = of[e.consumer];
    if (r.first == r.last) r.first = place;
    r.last = ++place;
  }
  return groups;
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

/// The waits between host threads inside one progress, when all threads meet at its end: the fewest
/// that, with the threads' own order, keep every edge of delta 0. Grouped by consumer.
constexpr list<edge> barrier_waits(const graph& g, view<std::size_t> order, view<edge> edges,
                                   const thread_map& threads) {
  const auto crosses = [&](const edge& e) {
    return e.delta == 0 && threads.thread_of[e.producer] != threads.thread_of[e.consumer];
  };
  const list<edge> candidates = detail::select_by_consumer(g.nodes.size(), edges, crosses);
  const list<range> of = detail::consumer_groups(g.nodes.size(), candidates);

  // A vector clock per node: how much of each thread's chain is known to come before it.
  const std::size_t width = threads.names.size();
  list<std::size_t> clock(g.nodes.size() * width, 0);
  list<std::size_t> position(g.nodes.size(), 0);
  for (std::size_t i = 0; i < order.size(); ++i) position[order[i]] = i;
  list<std::size_t> latest(width, none);  // the last node seen on each thread
  list<edge> kept;
  for (const std::size_t n : order) {
    std::size_t* const own = clock.data() + n * width;
    const auto merge = [&](std::size_t before) {
      const std::size_t* const there = clock.data() + before * width;
      for (std::size_t t = 0; t < width; ++t)
        if (there[t] > own[t]) own[t] = there[t];
      std::size_t& known = own[threads.thread_of[before]];
      known = std::max(known, threads.place[before] + 1);
    };
    std::size_t& previous = latest[threads.thread_of[n]];
    if (previous != none) merge(previous);
    previous = n;
    list<edge> mine;
    for (std::size_t i = of[n].first; i < of[n].last; ++i) mine.push_back(candidates[i]);
    // The latest producer first: it may bring the others with it.
    insertion_sort(mine, [&](const edge& a, const edge& b) {
      return position[a.producer] > position[b.producer];
    });
    for (const edge& e : mine) {
      if (own[threads.thread_of[e.producer]] > threads.place[e.producer]) continue;
      merge(e.producer);
      kept.push_back(e);
    }
  }
  return detail::by_consumer(g.nodes.size(), kept);
}

}  // namespace stretto::plan
