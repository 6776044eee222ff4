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

/// Groups edges by consumer, keeping their order otherwise; \p ranges becomes where each consumer's
/// are. (Raw pointers and indices here and below: what an iterator's step costs a compiler is
/// several times as much memory.)
constexpr list<edge> by_consumer(std::size_t nodes, view<edge> edges, list<range>& ranges) {
  const std::size_t count = edges.size();
  const edge* const from = edges.data();
  list<edge> result;
  ranges.assign(nodes, range{});
  range* const groups = ranges.data();
  for (std::size_t i = 0; i < count; ++i) ++groups[from[i].consumer].last;
  edge* const to = result.overwrite(lay_out(ranges));
  for (std::size_t i = 0; i < count; ++i) to[groups[from[i].consumer].last++] = from[i];
  return result;
}
constexpr list<edge> by_consumer(std::size_t nodes, view<edge> edges) {
  list<range> ranges;
  return by_consumer(nodes, edges, ranges);
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
  const std::size_t count = by_consumer.size();
  const edge* const edges = by_consumer.data();
  for (std::size_t first = 0; first < count;) {
    const std::size_t consumer = edges[first].consumer;
    std::size_t last = first + 1;
    while (last < count && edges[last].consumer == consumer) ++last;
    of[consumer] = {first, last};
    first = last;
  }
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
