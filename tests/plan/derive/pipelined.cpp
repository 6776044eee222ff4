// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// How much further ahead tasks may work so that those on different threads and streams work on
// different batches: what asks for that, and what limits it.

#include <doctest/doctest.h>
#include <limits>
#include <stretto/plan/derive/pipelined.hpp>
#include <stretto/plan/derive/planned_graph.hpp>
#include <string_view>
#include <vector>
#include "../draft.hpp"

namespace {

namespace planner = stretto::planner;

/// By task, then `pull`: how much each is raised if as much is as can be.
std::vector<int> raised(const planner::declaration& d,
                        int most = (std::numeric_limits<int>::max)()) {
  const planner::graph g = planner::planned_graph(d);
  const planner::track_map tracks = planner::tracks_of(d, g);
  return planner::raised_up_to(g, tracks.of, planner::depths(d, g, tracks.of), {most});
}

/// Four tasks in a row, each on a thread of its own.
struct chain : draft {
  task& a = add("a").thread("A").reads({"source"}).writes({"x"});
  task& b = add("b").thread("B").reads({"x"}).writes({"y"});
  task& c = add("c").thread("C").reads({"y"}).writes({"z"});
  task& d = add("d").thread("D").reads({"z"}).writes({"out"});
  explicit chain(bool hands_out = true) {
    if (hands_out) result("out");
  }
};

}  // namespace

TEST_CASE("each task of a chain of threads is one batch ahead of the next") {
  chain s;
  CHECK(raised(s.declaration()) == std::vector{3, 2, 1, 0, 4});
  CHECK(raised(s.declaration(), 2) == std::vector{2, 2, 1, 0, 3});
  CHECK(raised(s.declaration(), 0) == std::vector{0, 0, 0, 0, 1});
}

TEST_CASE("the source is pulled further ahead than who is on another thread") {
  chain s(false);
  s.source_on("A");
  CHECK(raised(s.declaration()) == std::vector{3, 2, 1, 0, 3});
  s.source_on("B");
  CHECK(raised(s.declaration()) == std::vector{3, 2, 1, 0, 4});
}

TEST_CASE("where another thread pulls, who takes the results works on a batch of its own") {
  chain s;
  s.source_on("A");
  CHECK(raised(s.declaration()) == std::vector{4, 3, 2, 1, 4});
  CHECK(raised(s.declaration(), 2) == std::vector{2, 2, 2, 1, 3});
  s.source_on("reader");
  CHECK(raised(s.declaration()) == std::vector{4, 3, 2, 1, 5});

  planner::declaration works = s.declaration();
  works.caller_runs = "D";
  CHECK(raised(works) == std::vector{3, 2, 1, 0, 4});  // on its thread is the last task
  works.caller_runs = "reader";
  CHECK(raised(works) == std::vector{3, 2, 1, 0, 4});  // it pulls: results would come later

  planner::declaration weighed = s.declaration();
  std::vector<planner::task> rows(weighed.tasks.begin(), weighed.tasks.end());
  rows[0].weight = 2;
  weighed.tasks = rows;
  CHECK(raised(weighed) == std::vector{3, 2, 1, 0, 4});  // nobody says how long the user takes
}

TEST_CASE("tasks of one thread stay together") {
  chain s;
  s.b.thread("A");
  CHECK(raised(s.declaration()) == std::vector{2, 2, 1, 0, 3});
  s.d.thread("A");
  s.c.thread("A");
  CHECK(raised(s.declaration()) == std::vector{0, 0, 0, 0, 1});
  planner::declaration alone = s.declaration();
  alone.caller_runs = "A";
  CHECK(raised(alone) == std::vector{0, 0, 0, 0, 0});
}

TEST_CASE("streams separate tasks as threads do, and hold together what is on several threads") {
  draft d({"copy", "compute"});
  d.add("load", 0, "copy").thread("host").reads({"source"}).writes({"x"});
  d.add("train", 0, "compute").thread("host").reads({"x"}).writes({"y"});
  d.add("test", 0, "compute").thread("other").reads({"y"});
  CHECK(raised(d.declaration()) == std::vector{1, 0, 0, 2});
}

TEST_CASE("of a diamond, the longest way counts") {
  draft d;
  d.add("top").thread("A").reads({"source"}).writes({"x", "y"});
  d.add("left").thread("B").reads({"x"}).writes({"l"});
  d.add("longer").thread("C").depends_on({"left"}).writes({"m"});
  d.add("right").thread("D").reads({"y"}).writes({"r"});
  d.add("end").thread("E").reads({"m", "r"});
  CHECK(raised(d.declaration()) == std::vector{3, 2, 1, 1, 0, 4});
}

TEST_CASE("what is declared is the least, and distances do not shrink") {
  draft d;
  d.add("a", 5).thread("A").reads({"source"}).writes({"x"});
  d.add("b", 3).thread("B").reads({"x"}).writes({"y"});
  d.add("c", 3).thread("C").reads({"y"});
  CHECK(raised(d.declaration()) == std::vector{1, 1, 0, 2});
}

TEST_CASE("a run of an earlier batch that a task needs limits how far ahead it works") {
  chain s;
  s.b.cross_iter("d", 2);
  CHECK(raised(s.declaration()) == std::vector{3, 2, 1, 0, 4});
  chain t;
  t.b.cross_iter("d", 1);
  CHECK(raised(t.declaration()) == std::vector{2, 1, 1, 0, 3});
}

TEST_CASE("tasks that share what one of them changes stay as far apart as they are") {
  chain s;
  s.b.observes({"table"});
  s.d.observes({"table"});
  CHECK(raised(s.declaration()) == std::vector{3, 2, 1, 0, 4});
  s.b.mutates({"table"});
  CHECK(raised(s.declaration()) == std::vector{1, 0, 0, 0, 2});

  draft d;
  d.add("first").thread("A").mutates({"table"});
  d.add("second").thread("B").observes({"table"}).writes({"x"});
  d.add("end").thread("C").reads({"x"});
  CHECK(raised(d.declaration()) == std::vector{1, 1, 0, 2});
}

TEST_CASE("a task that is pinned stays where it is, and holds back whom it comes before") {
  chain s;
  planner::declaration d = s.declaration();
  std::vector<planner::task> rows(d.tasks.begin(), d.tasks.end());
  const std::vector<planner::access> reads{{stretto::name("x"), 0, true}};
  rows[1].reads = reads;
  d.tasks = rows;
  CHECK(raised(d) == std::vector{1, 0, 0, 0, 2});
}

TEST_CASE("no order within a progress becomes a turn") {
  draft free;
  free.add("a").thread("A").reads({"source"});
  free.add("b").thread("B").sync({"a"}).writes({"y"});
  free.add("c").thread("C").reads({"y"});
  CHECK(raised(free.declaration()) == std::vector{0, 1, 0, 2});

  draft turn;  // `b` waits for `a` of its progress, `a` for `b` of the batch before
  turn.add("a").thread("A").reads({"source"}).writes({"x"}).cross_iter("b");
  turn.add("b").thread("B").sync({"a"});
  turn.add("c").thread("C").reads({"x"});
  CHECK(raised(turn.declaration()) == std::vector{1, 1, 0, 2});
}

TEST_CASE("writers of a slot stay in order, and their readers between them") {
  draft d;
  d.add("fill", 2).thread("A").reads({"source"}).writes({"x"});
  d.add("look", 1).thread("B").reads({"x"}).writes({"seen"});
  d.add("patch", 0).thread("C").writes({"x"});
  d.add("end", 0).thread("D").reads({"x", "seen"});
  CHECK(raised(d.declaration()) == std::vector{1, 1, 1, 0, 2});
}

TEST_CASE("who takes a value stays behind its readers") {
  draft d;
  d.add("fill", 2).thread("A").reads({"source"}).writes({"x"});
  d.add("send", 1).thread("C").takes({"x"}).writes({"sent"});
  d.add("look", 1).thread("B").reads({"x"});
  d.add("end", 0).thread("D").reads({"sent"});
  CHECK(raised(d.declaration()) == std::vector{1, 0, 1, 0, 2});
  d.add("late", 0).thread("E").depends_on({"end"});
  CHECK(raised(d.declaration()) == std::vector{2, 1, 2, 1, 0, 3});
  planner::declaration further = d.declaration();
  const std::vector<int> all = raised(further);
  further.raised = all;
  const planner::graph g = planner::planned_graph(further);
  REQUIRE(g.takers.size() == 1);
  CHECK(g.takers[0].offset == g.nodes[1].lookahead);
}

TEST_CASE("queues come first, and separate threads already") {
  chain s;
  s.group("B", 2);
  CHECK(raised(s.declaration()) == std::vector{2, 1, 1, 0, 3});
}

TEST_CASE("slots move with the tasks that use them") {
  chain s;
  planner::declaration d = s.declaration();
  const std::vector<int> all = raised(d);
  d.raised = all;
  const planner::graph g = planner::planned_graph(d);
  CHECK(g.max_lookahead == 4);
  std::vector<int> offsets;
  for (const planner::list<planner::use>& uses : {g.reads, g.writes, g.readers, g.writers})
    for (const planner::use& u : uses) {
      offsets.push_back(u.offset);
      CHECK(u.offset == g.nodes[u.node].lookahead);
    }
  CHECK(offsets == std::vector{3, 2, 1, 0, 0, 3, 2, 1, 0, 4, 3, 2, 1, 0, 0, 4, 3, 2, 1, 0});
  CHECK(planner::planned_lookahead(d, 1) == 2);
}

TEST_CASE("any two tasks of a map that is to be generated may be on two threads") {
  draft d;
  d.add("a").reads({"source"}).writes({"x"});
  d.add("b").thread("T").reads({"x"}).writes({"y"});
  d.add("c").thread("T").reads({"y"}).writes({"z"});
  d.add("d").reads({"z"});
  planner::declaration generated = d.declaration();
  generated.generated = 2;
  CHECK(raised(generated) == std::vector{2, 1, 1, 0, 3});
  const planner::graph g = planner::planned_graph(generated);
  const std::vector<std::size_t> threads{1, 1, 1, 0, 0, 0};
  const planner::track_map known = planner::tracks_of(generated, g, threads);
  CHECK(known.workers.size() == 2);
  CHECK(planner::depths(generated, g, known.of) == std::vector{1, 1, 1, 0});
}
