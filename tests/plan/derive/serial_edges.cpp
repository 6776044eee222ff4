// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Streams and collectives run in order, round and round; the source tells who has a batch.

#include <doctest/doctest.h>
#include <array>
#include <stretto/plan/derive/serial_edges.hpp>
#include <vector>
#include "../draft.hpp"

namespace {

namespace planner = stretto::planner;
using planner::reason;

struct link {
  std::size_t producer;
  std::size_t consumer;
  int delta;
  bool operator==(const link&) const = default;
};

std::vector<link> of(const planner::list<planner::edge>& edges, reason why) {
  std::vector<link> found;
  for (const planner::edge& e : edges)
    if (e.why == why) found.push_back({e.producer, e.consumer, e.delta});
  return found;
}

}  // namespace

TEST_CASE("a stream runs its tasks in the plan's order, and begins again when it is through") {
  draft d{"copy", "main"};
  d.add("train", 0, "main");
  d.add("load", 2, "copy");
  d.add("log", 0, "main").collective();
  d.add("reduce", 0, "main").collective();
  d.add("alone");
  const planner::graph g = planner::make_graph(d.declaration());
  const std::array<std::size_t, 7> order{5, 1, 3, 0, 2, 4, 6};

  CHECK(planner::tickets(g, order) == std::vector<std::size_t>{3, 2});
  const planner::list<planner::edge> edges = planner::queue_edges(g, order);
  CHECK(of(edges, reason::stream) == std::vector<link>{{3, 0, 0}, {0, 2, 0}, {2, 3, 1}});
  CHECK(of(edges, reason::ticket) == std::vector<link>{{3, 2, 0}, {2, 3, 1}});
  CHECK(of(edges, reason::batch) ==
        std::vector<link>{{5, 0, 2}, {5, 1, 0}, {5, 2, 2}, {5, 3, 2}, {5, 4, 2}, {5, 6, 2}});
}
