// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// How many copies a slot has, who fills them, and what keeps them from being overwritten too early.

#include <doctest/doctest.h>
#include <stretto/plan/derive/copies.hpp>
#include <vector>
#include "../draft.hpp"

namespace {

namespace planner = stretto::planner;
using planner::edge;
using planner::reason;

std::vector<std::size_t> copies_of(draft& d) {
  planner::declaration declared = d.declaration();
  declared.frugal = true;
  return planner::copies(declared, planner::make_graph(declared));
}

}  // namespace

TEST_CASE("a slot has a copy for each batch between its first writer and its last user") {
  draft d;
  d.add("load", 3).reads({"source"}).writes({"batch"});
  d.add("shuffle", 2).reads({"batch"}).writes({"shuffled"});
  d.add("train", 0).reads({"batch"}).reads({"shuffled"}).writes({"loss"});
  CHECK(copies_of(d) == std::vector<std::size_t>{1, 4, 3, 1});
}

TEST_CASE("slack comes on top; of a slot that is named twice, what is said first counts") {
  draft d;
  d.add("load", 1).writes({"batch"});
  d.add("train", 0).reads({"batch"}).writes({"loss"});
  d.slack("loss", 2).slack("batch", 3).slack("loss", 9).slack("nothing", 5);
  CHECK(copies_of(d) == std::vector<std::size_t>{1, 5, 3});
}

TEST_CASE("a copy is filled by the writer that is furthest ahead, or else by the source") {
  draft d;
  d.add("update", 0).writes({"batch"});
  d.add("load", 2).writes({"batch"});
  d.add("peek", 1).reads({"given"});
  const planner::graph g = planner::make_graph(d.declaration());
  const std::size_t pull = 3;
  CHECK(planner::fillers(g) == std::vector<std::size_t>{pull, 1, pull});
}

// Two copies: what is loaded at progress i goes where the batch was that was trained at i - 1.
TEST_CASE("a copy is filled again when its readers and later writers are done with it") {
  draft d;
  d.add("load", 1).writes({"batch"});
  d.add("scale", 0).writes({"batch"});
  d.add("train", 0).reads({"batch"});
  const planner::graph g = planner::make_graph(d.declaration());
  const auto edges_with = [&](std::size_t copies) {
    planner::list<std::size_t> all(g.slot_list.size(), 1);
    all[1] = copies;
    return planner::sharing_edges(g, all);
  };
  for (const int more : {0, 3}) {
    const planner::list<edge> edges = edges_with(static_cast<std::size_t>(2 + more));
    REQUIRE(edges.size() == 3);
    CHECK(edges[0].producer == 2);
    CHECK(edges[0].consumer == 0);
    CHECK(edges[0].delta == 1 + more);
    CHECK(edges[0].why == reason::reuse);
    CHECK(edges[1].producer == 0);  // who updates comes after who filled
    CHECK(edges[1].consumer == 1);
    CHECK(edges[1].delta == 1);
    CHECK(edges[1].why == reason::update);
    CHECK(edges[2].producer == 1);
    CHECK(edges[2].consumer == 0);
    CHECK(edges[2].delta == 1 + more);
    CHECK(edges[2].why == reason::reuse);
  }
}

TEST_CASE("who updates comes after those that read before") {
  draft d;
  d.add("load", 2).writes({"batch"});
  d.add("peek", 1).reads({"batch"});
  d.add("update", 0).writes({"batch"});
  const planner::graph g = planner::make_graph(d.declaration());
  const planner::list<edge> edges = planner::sharing_edges(g, planner::needed_copies(g));
  REQUIRE(edges.size() == 4);
  CHECK(edges[0].producer == 1);  // three copies: peeked at in the progress before the last
  CHECK(edges[0].consumer == 0);
  CHECK(edges[0].delta == 2);
  CHECK(edges[1].producer == 1);
  CHECK(edges[1].consumer == 2);
  CHECK(edges[1].delta == 1);
  CHECK(edges[1].why == reason::update);
  CHECK(edges[2].producer == 0);
  CHECK(edges[2].consumer == 2);
  CHECK(edges[2].delta == 2);
  CHECK(edges[3].producer == 2);
  CHECK(edges[3].consumer == 0);
  CHECK(edges[3].delta == 1);
}
