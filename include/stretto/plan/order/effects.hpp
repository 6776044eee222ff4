// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <stretto/plan/model/edge.hpp>
#include <stretto/plan/model/graph.hpp>
#include <stretto/plan/model/list.hpp>
#include <stretto/plan/model/plan.hpp>
#include <stretto/plan/model/view.hpp>
#include <stretto/plan/order/happens_before.hpp>

namespace stretto::planner {

/// The order of effects, whatever the backend. A host task's effect is complete when it returns, so
/// what its thread does next comes after it. A task on a stream is only submitted by its thread:
/// its effect comes when the stream gets there, so the thread's order says nothing of it.
/// Submission order (tickets, the user's order) orders no effects either. A task that does not fire
/// keeps its place: what it would wait for comes before whatever waits for it.
struct effects {
  tracks lines;
  list<edge> edges;
};

constexpr effects make_effects(const graph& g, view<std::size_t> order, view<edge> edges,
                               const thread_map& threads) {
  const std::size_t streams = g.streams.size();
  const auto by_nature = [&, &g = g, &threads = threads](std::size_t n) {
    return g.nodes[n].stream == none ? streams + threads.thread_of[n] : g.nodes[n].stream;
  };
  // Most threads only submit: only lines that somebody is on are counted.
  list<std::size_t> line(streams + threads.names.size(), none);
  std::size_t lines = 0;
  for (const std::size_t n : order)
    if (std::size_t& l = line[by_nature(n)]; l == none) l = lines++;
  effects result;
  result.lines = tracks::lay(order, lines, [&](std::size_t n) { return line[by_nature(n)]; });
  if (g.grouped) {
    for (std::size_t t = 0; t < threads.names.size(); ++t)
      if (line[streams + t] != none) result.lines.workers[line[streams + t]] = threads.workers[t];
    result.lines.count_entries();
  }
  const auto orders_effects = [&g = g](const edge& e) {
    if (e.why == reason::order) return g.nodes[e.producer].stream == none;
    return e.why != reason::ticket && e.why != reason::stream && e.delta >= 0;
  };
  result.edges.reserve(edges.size() + 2 * order.size());
  const edge* const all = edges.data();
  const std::size_t count = edges.size();
  for (std::size_t i = 0; i < count; ++i)
    if (orders_effects(all[i])) result.edges.push_back(all[i]);
  result.edges.append(track_edges(result.lines, order, reason::stream));

  // What a thread submits after a host task comes after it.
  for (const range chain : threads.chains) {
    std::size_t host = none;
    for (int turn = 0; turn < 2; ++turn) {
      for (std::size_t i = chain.first; i < chain.last; ++i) {
        const std::size_t n = threads.chained[i];
        if (g.nodes[n].stream == none) {
          if (turn == 1) break;
          host = n;
        } else if (host != none) {
          result.edges.push_back({host, n, turn, reason::thread, none, 0});
        }
      }
    }
  }
  return result;
}

}  // namespace stretto::planner
