// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What names of a declaration are in the graph: numbers of tasks, slots, streams and turns.

#include <doctest/doctest.h>
#include <stretto/plan/model/graph.hpp>
#include <string_view>
#include <vector>
#include "../draft.hpp"

namespace {

namespace planner = stretto::planner;
using planner::none;

std::vector<std::size_t> nodes_of(const planner::list<planner::use>& uses, planner::range r) {
  std::vector<std::size_t> nodes;
  for (std::size_t i = r.first; i < r.last; ++i) nodes.push_back(uses[i].node);
  return nodes;
}

}  // namespace

TEST_CASE("a graph: tasks, pull and deliver, their slots and streams as numbers") {
  draft d{"copy", "main"};
  d.add("load", 2, "copy").reads({"source"}).writes({"batch"});
  d.add("train", 0, "main").reads({"batch"}).writes({"loss"});
  d.add("log", 0, "elsewhere").reads({"loss", "batch"}).collective();
  d.result("loss");
  const planner::declaration declared = d.declaration();
  const planner::graph g = planner::make_graph(declared);

  REQUIRE(g.nodes.size() == 5);
  CHECK(g.pull() == 3);
  CHECK(g.deliver() == 4);
  CHECK(g.max_lookahead == 2);
  CHECK(g.nodes[3].lookahead == 2);
  CHECK(g.nodes[4].lookahead == 0);
  CHECK(g.nodes[2].collective);
  CHECK_FALSE(g.nodes[1].collective);

  CHECK(g.declared_streams == 2);
  CHECK(g.streams == std::vector<std::string_view>{"copy", "main", "elsewhere"});
  CHECK(g.nodes[0].stream == 0);
  CHECK(g.nodes[2].stream == 2);
  CHECK(g.nodes[3].stream == none);

  REQUIRE(g.slot_list.size() == 3);
  CHECK(g.source_slot == 0);
  CHECK(g.slot_list[1].text == "batch");
  CHECK(g.slot_list[2].text == "loss");
  using nodes = std::vector<std::size_t>;
  CHECK(nodes_of(g.writers, g.writers_of[0]) == nodes{3});
  CHECK(nodes_of(g.readers, g.readers_of[0]) == nodes{0});
  CHECK(nodes_of(g.writers, g.writers_of[1]) == nodes{0});
  CHECK(nodes_of(g.readers, g.readers_of[1]) == nodes{1, 2});
  CHECK(nodes_of(g.readers, g.readers_of[2]) == nodes{2, 4});
  CHECK(g.writers[g.writers_of[1].first].offset == 2);

  CHECK(planner::node_name(declared, 1) == "train");
  CHECK(planner::node_name(declared, 3) == "pull");
  CHECK(planner::node_name(declared, 4) == "deliver");
}

TEST_CASE("a source that is further ahead than any task sets how many batches are in flight") {
  draft d;
  d.add("load", 1).reads({"source"});
  d.source_on("caller", 4);
  const planner::graph g = planner::make_graph(d.declaration());
  CHECK(g.max_lookahead == 4);
  CHECK(g.nodes[g.pull()].lookahead == 4);
  CHECK(g.writers[g.writers_of[0].first].offset == 4);
}

TEST_CASE("a name that no task has is no task, one that two have is the first's") {
  draft d;
  d.add("other");
  d.add("twice");
  d.add("twice");
  d.add("last").depends_on({"nobody", "twice"}).cross_iter("last", 3).sync({"other"});
  const planner::graph g = planner::make_graph(d.declaration());
  REQUIRE(g.nodes[3].links.last - g.nodes[3].links.first == 4);
  const planner::link* const links = g.links.data() + g.nodes[3].links.first;
  CHECK(links[0].producer == none);
  CHECK(links[0].position == 0);
  CHECK(links[1].producer == 1);
  CHECK(links[1].position == 1);
  CHECK(links[2].producer == 3);
  CHECK(links[2].ago == 3);
  CHECK(links[2].where == planner::field::cross_iter_depends_on);
  CHECK(links[3].where == planner::field::same_progress_sync);
  CHECK(links[3].producer == 0);
}

TEST_CASE("turns: each after the one before it in its list, unknown left out, repeats marked") {
  draft d;
  d.add("a");
  d.add("b");
  d.add("c");
  d.order({"c", "nobody", "a", "c", "b"});
  d.order({"b", "c"});
  const planner::graph g = planner::make_graph(d.declaration());
  REQUIRE(g.turns.size() == 7);
  const auto is = [&](std::size_t i, std::size_t node, std::size_t before, bool repeated) {
    CHECK(g.turns[i].node == node);
    CHECK(g.turns[i].before == before);
    CHECK(g.turns[i].repeated == repeated);
  };
  is(0, 2, none, false);
  is(1, none, none, false);
  is(2, 0, 2, false);
  is(3, 2, none, true);
  is(4, 1, 0, false);
  is(5, 1, none, false);
  is(6, 2, 1, false);
}

TEST_CASE("the use that is further ahead comes first; in a serial plan the one that would be") {
  planner::graph g;
  g.nodes.assign(2, {});
  g.nodes[0].stage = 1;
  g.nodes[1].stage = 3;
  const planner::use ahead{0, 0, 2, 0, 0, 1}, behind{1, 0, 1, 0, 0, 1}, same{1, 0, 2, 0, 0, 1};
  CHECK(g.before(ahead, behind));
  CHECK_FALSE(g.before(behind, ahead));
  CHECK_FALSE(g.before(ahead, same));
  CHECK_FALSE(g.before(same, ahead));
  g.serial = true;
  CHECK(g.before(ahead, behind));
  CHECK(g.before(same, ahead));
  CHECK_FALSE(g.before(ahead, same));
}
