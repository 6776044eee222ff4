// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Edges by consumer: grouped, found, and kept as constants.

#include <doctest/doctest.h>
#include <array>
#include <stretto/plan/model/edge_groups.hpp>
#include <vector>

namespace {

namespace planner = stretto::planner;
using planner::edge;
using planner::range;

constexpr edge between(std::size_t producer, std::size_t consumer, int delta) {
  edge e{};
  e.producer = producer;
  e.consumer = consumer;
  e.delta = delta;
  return e;
}

bool is(const range& r, std::size_t first, std::size_t last) {
  return r.first == first && r.last == last;
}

}  // namespace

TEST_CASE("edges are grouped by consumer, in their order otherwise") {
  const std::array edges{between(0, 2, 1), between(3, 1, 5), between(1, 2, 0), between(2, 1, 7)};
  const planner::list<edge> grouped = planner::by_consumer(4, {edges.data(), edges.size()});
  REQUIRE(grouped.size() == 4);
  CHECK(grouped[0].delta == 5);
  CHECK(grouped[1].delta == 7);
  CHECK(grouped[2].delta == 1);
  CHECK(grouped[3].delta == 0);

  const planner::list<range> of = planner::groups_of(4, grouped);
  REQUIRE(of.size() == 4);
  CHECK(is(of[1], 0, 2));
  CHECK(is(of[2], 2, 4));
  CHECK(of[0].first == of[0].last);
  CHECK(of[3].first == of[3].last);
}

TEST_CASE("no edges: every group is empty") {
  const planner::list<range> of = planner::groups_of(2, {});
  CHECK(of[0].first == of[0].last);
  CHECK(of[1].first == of[1].last);
}

TEST_CASE("a table of waits knows the edges, where they are, and who is waited for") {
  static constexpr std::array edges{between(3, 1, 5), between(0, 1, 7), between(0, 2, 1)};
  constexpr planner::wait_table<4, 3> table({edges.data(), edges.size()});
  static_assert(table.size() == 3);
  CHECK(is(table.of[1], 0, 2));
  CHECK(is(table.of[2], 2, 3));
  CHECK(table.of[0].first == table.of[0].last);
  CHECK(table.of[3].first == table.of[3].last);
  CHECK(table.awaited == std::array{true, false, false, true});
  for (std::size_t w = 0; w < edges.size(); ++w) CHECK(table.edges[w].delta == edges[w].delta);
}
