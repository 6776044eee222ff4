// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Questions to the graph of a schedule, and changes to a schedule.

#include <doctest/doctest.h>
#include <boost/graph/adjacency_list.hpp>
#include <stretto/dynamic.hpp>
#include <stretto/dynamic/graph.hpp>
#include <string>
#include <vector>

namespace {

namespace dynamic = stretto::dynamic;
using names = std::vector<std::string>;
using groups = std::vector<names>;

dynamic::schedule training() {
  return {.streams = {"copy", "work"},
          .source = {.slot = "raw"},
          .results = {"loss"},
          .tasks = {{.name = "load",
                     .stream = "copy",
                     .lookahead = 1,
                     .reads = {"raw"},
                     .writes = {"batch"}},
                    {.name = "clear", .stream = "work"},
                    {.name = "train",
                     .stream = "work",
                     .reads = {"batch"},
                     .writes = {"loss"},
                     .depends_on = {"clear"},
                     .cross_iter_depends_on = {{"report", 2}}},
                    {.name = "report", .thread = "other", .reads = {"loss"}},
                    {.name = "watch", .thread = "aside"}},
          .orders = {{"clear", "train"}}};
}

}  // namespace

TEST_CASE("who waits for whom") {
  const dynamic::task_graph g = dynamic::graph_of(training());
  CHECK(boost::num_vertices(g) == 5);
  CHECK(boost::num_edges(g) == 4);
  const auto [ahead, found] = boost::edge(0, 2, g);
  REQUIRE(found);
  CHECK(g[ahead].slot == "batch");
  CHECK(g[ahead].progresses == 1);
  CHECK(g[boost::edge(1, 2, g).first].why == stretto::planner::reason::depends_on);
  CHECK(g[boost::edge(3, 2, g).first].progresses == 2);

  CHECK(dynamic::upstream(g, "train") == names{"load", "clear", "report"});
  CHECK(dynamic::upstream(g, "load").empty());
  CHECK(dynamic::downstream(g, "load") == names{"train", "report"});
  CHECK(dynamic::downstream(g, "watch").empty());
  CHECK_THROWS_WITH_AS(dynamic::downstream(g, "wach"), "there is no task `wach`",
                       stretto::usage_error);
}

TEST_CASE("what has nothing to do with each other, and what cannot begin") {
  dynamic::schedule s = training();
  CHECK(dynamic::connected_components(dynamic::graph_of(s)) ==
        groups{{"load", "clear", "train", "report"}, {"watch"}});
  CHECK(dynamic::cycles(dynamic::graph_of(s)).empty());  // that wait is for an earlier batch

  s.at("clear").depends_on = {"report"};
  s.at("watch").depends_on = {"watch"};
  s.at("load").depends_on = {"nobody"};
  CHECK(dynamic::cycles(dynamic::graph_of(s)) == groups{{"clear", "train", "report"}, {"watch"}});
  CHECK(dynamic::connected_components(dynamic::graph_of(dynamic::schedule{})).empty());
  CHECK(dynamic::cycles(dynamic::graph_of(dynamic::schedule{})).empty());
}

TEST_CASE("renaming and removing, wherever a name is mentioned") {
  dynamic::schedule s = training();
  s.slacks = {{"batch", 1}};
  s.slot<int>("batch");
  CHECK(dynamic::rename_task(s, "clear", "zero"));
  CHECK(dynamic::rename_task(s, "report", "tell"));
  CHECK_FALSE(dynamic::rename_task(s, "nobody", "x"));
  CHECK(s.at("train").depends_on == names{"zero"});
  CHECK(s.at("train").cross_iter_depends_on[0].task == "tell");
  CHECK(s.orders == groups{{"zero", "train"}});
  CHECK(dynamic::rename_task(s, s.tasks[1].name, "clear"));
  CHECK(s.at("train").depends_on == names{"clear"});

  CHECK(dynamic::rename_slot(s, "batch", "input") == 4);
  CHECK(dynamic::rename_slot(s, "raw", "line") == 2);
  CHECK(dynamic::rename_slot(s, "loss", "error") == 3);
  CHECK(dynamic::rename_slot(s, "nothing", "x") == 0);
  CHECK(dynamic::diagnose(s).ok());

  const std::size_t tasks = s.tasks.size();
  CHECK_THROWS_AS(dynamic::remove_task(s, "claer"), stretto::usage_error);
  CHECK(s.tasks.size() == tasks);
  CHECK(dynamic::remove_task(s, "clear") == names{"train"});
  CHECK(s.orders == groups{{"train"}});
  CHECK(dynamic::remove_task(s, "tell") == names{"train"});
  CHECK(dynamic::diagnose(s).ok());
  CHECK(dynamic::remove_task(s, "load").empty());
  CHECK(dynamic::diagnose(s).sentences(s) ==
        names{"rule 5: task `train` reads slot `input`, which no task writes; list the task that "
              "does, or drop the read"});
}
