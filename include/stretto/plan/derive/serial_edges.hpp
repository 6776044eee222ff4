// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <stretto/plan/model/edge.hpp>
#include <stretto/plan/model/graph.hpp>
#include <stretto/plan/model/list.hpp>
#include <stretto/plan/model/view.hpp>

namespace stretto::planner {

/// Orders the members of a queue: each after the one before it, the first after the last of the
/// progress before.
constexpr void add_chain(view<std::size_t> members, reason why, list<edge>& edges) {
  if (members.size() < 2) return;
  for (std::size_t i = 1; i < members.size(); ++i)
    edges.push_back({members[i - 1], members[i], 0, why, none, 0});
  edges.push_back({members.back(), members.front(), 1, why, none, 0});
}

/// The collectives in the order in which every rank submits them.
constexpr list<std::size_t> tickets(const graph& g, view<std::size_t> order) {
  list<std::size_t> result;
  for (const std::size_t n : order)
    if (g.nodes[n].collective) result.push_back(n);
  return result;
}

/// The edges of what runs in order by nature: streams, the collectives' tickets, and the source,
/// which tells every task whether its batch exists.
constexpr list<edge> queue_edges(const graph& g, view<std::size_t> order) {
  list<edge> edges;
  list<list<std::size_t>> streams(g.streams.size(), list<std::size_t>{});
  for (const std::size_t n : order)
    if (g.nodes[n].stream != none) streams[g.nodes[n].stream].push_back(n);
  for (const auto& members : streams) add_chain(members, reason::stream, edges);
  add_chain(tickets(g, order), reason::ticket, edges);
  const int pulled_ahead = g.nodes[g.pull()].lookahead;
  for (std::size_t n = 0; n < g.nodes.size(); ++n)
    if (n != g.pull())
      edges.push_back({g.pull(), n, pulled_ahead - g.nodes[n].lookahead, reason::batch, none, 0});
  return edges;
}

}  // namespace stretto::planner
