// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The edges that declarations ask for, one field after the other.

#include <doctest/doctest.h>
#include <stretto/plan/model/edge.hpp>
#include <vector>
#include "../draft.hpp"

namespace {

namespace planner = stretto::planner;
using planner::edge;
using planner::none;
using planner::reason;

void is(const edge& e, std::size_t producer, std::size_t consumer, int delta, reason why) {
  CHECK(e.producer == producer);
  CHECK(e.consumer == consumer);
  CHECK(e.delta == delta);
  CHECK(e.why == why);
}

}  // namespace

// What is at batch b + lookahead now was at batch b that many progresses later.
TEST_CASE("a reader comes as many progresses after its writer as that is further ahead") {
  draft d;
  d.add("load", 3).writes({"batch"});
  d.add("shuffle", 1).reads({"batch"});
  d.add("train", 0).reads({"batch"});
  const planner::list<edge> edges = planner::declared_edges(planner::make_graph(d.declaration()));
  REQUIRE(edges.size() == 2);
  is(edges[0], 0, 1, 2, reason::data);
  is(edges[1], 0, 2, 3, reason::data);
  CHECK(edges[1].offset == 0);
  CHECK(edges[1].slot == 1);
}

TEST_CASE("who reads before a later writer does not wait for it, nor a task for itself") {
  draft d;
  d.add("load", 2).writes({"batch"});
  d.add("early", 1).reads({"batch"});
  d.add("update", 0).reads({"batch"}).writes({"batch"});
  const planner::list<edge> edges = planner::declared_edges(planner::make_graph(d.declaration()));
  REQUIRE(edges.size() == 2);
  is(edges[0], 0, 1, 1, reason::data);
  is(edges[1], 0, 2, 2, reason::data);
}

TEST_CASE("who takes a value comes after all others that read it") {
  draft d;
  d.add("send", 1).takes({"batch"});
  d.add("load", 3).writes({"batch"});
  d.add("peek", 3).reads({"batch"});
  d.add("log", 1).reads({"batch"});
  const planner::graph g = planner::make_graph(d.declaration());
  REQUIRE(g.takers.size() == 1);
  CHECK(g.takers[0].node == 0);
  const planner::list<edge> edges = planner::declared_edges(g);
  REQUIRE(edges.size() == 5);
  is(edges[0], 1, 0, 2, reason::data);
  is(edges[1], 2, 0, 2, reason::take);
  is(edges[2], 3, 0, 0, reason::take);
  CHECK(edges[1].slot == 1);
  is(edges[3], 1, 2, 0, reason::data);
  is(edges[4], 1, 3, 2, reason::data);
}

TEST_CASE("in a serial plan a value is taken after all that would read it further ahead") {
  draft d;
  d.add("send").takes({"batch"});
  d.add("load").writes({"batch"});
  d.add("log").reads({"batch"});
  planner::declaration declared = d.declaration();
  std::vector<planner::task> staged(declared.tasks.begin(), declared.tasks.end());
  staged[1].stage = 2;
  staged[2].stage = 1;
  declared.tasks = staged;
  declared.serial = true;
  const planner::list<edge> edges = planner::declared_edges(planner::make_graph(declared));
  REQUIRE(edges.size() == 3);
  is(edges[0], 1, 0, 0, reason::data);
  is(edges[1], 2, 0, 0, reason::take);
  is(edges[2], 1, 2, 0, reason::data);
}

TEST_CASE("dependency fields: of this batch, of an earlier one, in this progress") {
  draft d;
  d.add("load", 2);
  d.add("train", 0).depends_on({"load"}).cross_iter("load", 3).sync({"load"});
  d.add("log", 0).cross_iter("train");
  d.add("ahead", 1).cross_iter("train").depends_on({"nobody"});
  const planner::list<edge> edges = planner::declared_edges(planner::make_graph(d.declaration()));
  REQUIRE(edges.size() == 5);
  is(edges[0], 0, 1, 2, reason::depends_on);
  is(edges[1], 0, 1, 5, reason::cross_iter);
  is(edges[2], 0, 1, 0, reason::same_progress_sync);
  is(edges[3], 1, 2, 1, reason::cross_iter);
  is(edges[4], 1, 3, 0, reason::cross_iter);  // it works on the batch after: within one progress
}

TEST_CASE("in a serial plan updates come after all that would be further ahead") {
  draft d;
  d.add("update").reads({"batch"}).writes({"batch"});
  d.add("load").writes({"batch"});
  planner::declaration declared = d.declaration();
  std::vector<planner::task> tasks(declared.tasks.begin(), declared.tasks.end());
  tasks[1].stage = 2;
  declared.tasks = tasks;
  declared.serial = true;
  const planner::list<edge> edges = planner::declared_edges(planner::make_graph(declared));
  REQUIRE(edges.size() == 2);
  is(edges[0], 1, 0, 0, reason::data);
  is(edges[1], 1, 0, 0, reason::update);
}

TEST_CASE("an order: each turn after the one before it") {
  draft d;
  d.add("a");
  d.add("b");
  d.add("c");
  d.order({"c", "a"}).order({"b", "nobody", "c"});
  const planner::list<edge> edges = planner::order_edges(planner::make_graph(d.declaration()));
  REQUIRE(edges.size() == 2);
  is(edges[0], 2, 0, 0, reason::order);
  is(edges[1], 1, 2, 0, reason::order);
}

TEST_CASE("a batch is handed out when all are done with it; then there is room for another") {
  draft d;
  d.add("load", 2);
  d.add("train", 0);
  const planner::list<edge> edges = planner::delivery_edges(planner::make_graph(d.declaration()));
  REQUIRE(edges.size() == 4);
  is(edges[0], 0, 3, 2, reason::through);
  is(edges[1], 1, 3, 0, reason::through);
  is(edges[2], 2, 3, 2, reason::through);
  is(edges[3], 3, 2, 1, reason::room);
}
