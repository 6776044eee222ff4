// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <array>
#include <cstddef>
#include <stretto/plan/model/edge.hpp>
#include <stretto/plan/model/graph.hpp>
#include <stretto/plan/model/list.hpp>
#include <stretto/plan/model/view.hpp>

/// \file
/// Edges grouped by consumer, and where each consumer's are.
namespace stretto::planner {

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

/// Lets a group that is empty, or ends before \p place, reach to it.
constexpr void extend(range& group, std::size_t place) {
  if (group.first == group.last) group.first = place;
  group.last = place + 1;
}

/// Where each node's edges are in a list grouped by consumer.
constexpr list<range> groups_of(std::size_t nodes, view<edge> by_consumer) {
  list<range> groups(nodes, range{});
  range* const of = groups.data();
  std::size_t place = 0;
  for (const edge& e : by_consumer) extend(of[e.consumer], place++);
  return groups;
}

/// Waits as constants: the edges, grouped by consumer, where each consumer's are, and which nodes
/// somebody waits for.
template <std::size_t Nodes, std::size_t Waits>
struct wait_table {
  std::array<edge, Waits> edges{};
  std::array<range, Nodes> of{};
  std::array<bool, Nodes> awaited{};

  constexpr explicit wait_table(view<edge> by_consumer) {
    std::size_t place = 0;
    for (const edge& e : by_consumer) {
      edges[place] = e;
      extend(of[e.consumer], place++);
      awaited[e.producer] = true;
    }
  }
  constexpr std::size_t size() const { return Waits; }
};

}  // namespace stretto::planner
