// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <stretto/plan/model/algorithm.hpp>
#include <stretto/plan/model/edge.hpp>
#include <stretto/plan/model/list.hpp>
#include <stretto/plan/model/plan.hpp>
#include <stretto/plan/model/view.hpp>

namespace stretto::planner {

namespace detail {

/// Whether edges that span no progress lead from a node back to it: what a sort cannot place. All
/// others lead on to a later progress.
constexpr bool has_cycle(std::size_t nodes, view<edge> edges) {
  list<std::size_t> counts(nodes, 0);
  std::size_t* const missing = counts.data();
  list<range> ranges(nodes, range{});
  range* const out = ranges.data();
  const std::size_t count = edges.size();
  const edge* const all = edges.data();
  for (std::size_t i = 0; i < count; ++i) {
    if (all[i].delta != 0) continue;
    ++missing[all[i].consumer];
    ++out[all[i].producer].last;
  }
  list<std::size_t> sorted(lay_out(ranges), 0);
  std::size_t* const consumers = sorted.data();
  for (std::size_t i = 0; i < count; ++i)
    if (all[i].delta == 0) consumers[out[all[i].producer].last++] = all[i].consumer;
  list<std::size_t> begun(nodes, none);
  std::size_t* const ready = begun.data();
  std::size_t known = 0;
  for (std::size_t n = 0; n < nodes; ++n)
    if (missing[n] == 0) ready[known++] = n;
  for (std::size_t at = 0; at < known; ++at) {
    const range r = out[ready[at]];
    for (std::size_t i = r.first; i < r.last; ++i)
      if (--missing[consumers[i]] == 0) ready[known++] = consumers[i];
  }
  return known < nodes;
}

/// A cycle whose deltas add up to 0 or less, as edges, each from the consumer of the one before it.
/// With every delta scaled up and each edge one less, that is a cycle of negative weight: Bellman
/// and Ford's search.
constexpr list<edge> cycle_to_no_later_progress(std::size_t nodes, view<edge> edges) {
  list<long> reached(nodes, 0);
  list<std::size_t> through(nodes, none);
  std::size_t shortened = none;
  for (std::size_t round = 0; round <= nodes; ++round) {
    shortened = none;
    for (std::size_t i = 0; i < edges.size(); ++i) {
      const edge& e = edges[i];
      const long along = reached[e.producer] + e.delta * static_cast<long>(nodes + 1) - 1;
      if (along >= reached[e.consumer]) continue;
      reached[e.consumer] = along;
      through[e.consumer] = i;
      shortened = e.consumer;
    }
    if (shortened == none) return {};
  }
  // What is still shortened hangs on a cycle: that many steps back is on it.
  for (std::size_t step = 0; step < nodes; ++step) shortened = edges[through[shortened]].producer;
  list<edge> found;
  std::size_t at = shortened;
  do {
    found.push_back(edges[through[at]]);
    at = found.back().producer;
  } while (at != shortened);
  for (std::size_t i = 0; i < found.size() / 2; ++i) {
    edge& mirrored = found[found.size() - 1 - i];
    mirrored = replace(found[i], mirrored);
  }
  return found;
}

}  // namespace detail

/// Runs that wait for each other in the unrolled pipeline, if there are any: a cycle of edges that
/// leads from a run back to it, or to an earlier one. \p edges are all that a run may wait for
/// (declared, tickets, refilling, ...), \p chained and \p chains the nodes of each thread, in
/// whatever order it runs them. Empty: no executor that keeps these edges can get stuck, neither
/// one whose threads run ahead of each other nor one with a barrier per progress, which keeps all
/// edges of delta 1 and more by itself.
constexpr list<edge> deadlock(std::size_t nodes, view<edge> edges, view<std::size_t> chained,
                              view<range> chains) {
  list<edge> all;
  all.reserve(edges.size() + nodes);
  bool backward = false;
  all.append(edges);
  // NOLINTNEXTLINE(modernize-loop-convert): an index takes a compiler less than an iterator
  for (std::size_t i = 0; i < edges.size(); ++i) backward = backward || edges[i].delta < 0;
  for (const range& chain : chains) {
    for (std::size_t i = chain.first; i < chain.last; ++i) {
      const bool first = i == chain.first;
      const std::size_t before = chained[first ? chain.last - 1 : i - 1];
      all.push_back({before, chained[i], first ? 1 : 0, reason::thread, none, 0});
    }
  }
  if (!backward && !detail::has_cycle(nodes, all)) return {};
  return detail::cycle_to_no_later_progress(nodes, all);
}

/// A deadlock of a plan: empty for every plan of a valid declaration, on any threads.
constexpr list<edge> deadlock(const plan& p) {
  return deadlock(p.order.size(), p.edges, p.threads.chained, p.threads.chains);
}

}  // namespace stretto::planner
