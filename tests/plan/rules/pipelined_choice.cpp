// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Which lookaheads a pipelined schedule gets: as few as give the least modelled time, and none that
// break a rule.

#include <doctest/doctest.h>
#include <stretto/plan/layout/modelled_period.hpp>
#include <stretto/plan/make_plan.hpp>
#include <stretto/plan/rules/diagnose.hpp>
#include <stretto/plan/rules/pipelined_choice.hpp>
#include <string>
#include <string_view>
#include <vector>
#include "../draft.hpp"

namespace {

namespace planner = stretto::planner;

/// A pipelined schedule, planned.
struct pipelined {
  planner::pipelined_choice choice;
  planner::declaration chosen;
  planner::plan plan;

  explicit pipelined(const planner::declaration& d)
      : choice(planner::choose_pipelined(d)),
        chosen(planner::with_choice(d, choice)),
        plan(planner::make_plan(chosen)) {
    CHECK(planner::diagnose(chosen).findings.empty());
    CHECK_FALSE(planner::make_modelled(d, planner::make_plan(d)).period < period());
  }
  pipelined(const pipelined&) = delete;
  pipelined& operator=(const pipelined&) = delete;

  planner::ratio period() const { return planner::make_modelled(chosen, plan).period; }
  std::vector<int> lookaheads() const {
    std::vector<int> all;
    for (std::size_t n = 0; n + 1 < plan.resolved.nodes.size(); ++n)
      all.push_back(plan.resolved.nodes[n].lookahead);
    return all;
  }
};

/// Tasks in a row, each of which writes what the next reads.
struct row : draft {
  explicit row(const std::vector<std::string_view>& threads) {
    static constexpr std::string_view slots[] = {"source", "s", "t", "u", "v", "w", "x"};
    static constexpr std::string_view names[] = {"a", "b", "c", "d", "e", "f"};
    for (std::size_t i = 0; i < threads.size(); ++i)
      all.push_back(&add(names[i]).thread(threads[i]).reads({slots[i]}).writes({slots[i + 1]}));
    result(slots[threads.size()]);
  }
  std::vector<task*> all;
};

}  // namespace

TEST_CASE("a chain of threads takes as long as its longest task") {
  row d({"A", "B", "C", "D"});
  const pipelined p(d.declaration());
  CHECK(p.lookaheads() == std::vector{3, 2, 1, 0, 4});
  CHECK(p.period() == planner::ratio{1, 1});
}

TEST_CASE("no more is raised than makes the modelled time less") {
  row d({"A", "B", "C", "D"});
  planner::declaration heavy = d.declaration();
  std::vector<planner::task> rows(heavy.tasks.begin(), heavy.tasks.end());
  rows[3].weight = 2;
  heavy.tasks = rows;
  const pipelined p(heavy);
  CHECK(p.lookaheads() == std::vector{1, 1, 1, 0, 2});
  CHECK(p.period() == planner::ratio{2, 1});
}

TEST_CASE("on one thread, nothing is raised") {
  row d({"caller", "caller", "caller"});
  CHECK(pipelined(d.declaration()).lookaheads() == std::vector{0, 0, 0, 0});
}

TEST_CASE("what cannot overlap is not raised") {
  row d({"A", "B", "C"});
  d.all[0]->cross_iter("c");
  const pipelined p(d.declaration());
  CHECK(p.lookaheads() == std::vector{0, 0, 0, 1});
  CHECK(p.period() == planner::ratio{3, 1});
}

TEST_CASE("where tasks would race, nothing is raised, not even the source") {
  row d({"A", "B", "C"});
  d.all[0]->mutates({"table"});
  d.all[2]->mutates({"table"});
  CHECK(planner::diagnose(d.declaration()).findings.empty());
  const pipelined p(d.declaration());
  CHECK(p.choice.raised.empty());
  CHECK(p.lookaheads() == std::vector{0, 0, 0, 0});
}

TEST_CASE("streams that one thread submits to overlap, too") {
  draft d({"copy", "compute"});
  d.add("load", 0, "copy").thread("caller").reads({"source"}).writes({"x"});
  d.add("train", 0, "compute").thread("caller").reads({"x"}).writes({"y"});
  d.result("y");
  CHECK(pipelined(d.declaration()).lookaheads() == std::vector{1, 0, 2});
}

TEST_CASE("on threads that are generated, only what crosses from one to another is raised") {
  row d({"", "", "", "", "", ""});
  planner::declaration generated = d.declaration();
  for (const int threads : {1, 2, 3, 6}) {
    generated.generated = static_cast<std::size_t>(threads);
    const pipelined p(generated);
    CHECK(p.plan.resolved.max_lookahead == threads - 1);
    CHECK(p.period() == planner::ratio{6 / threads, 1});
  }
}

TEST_CASE("no more batches are in flight than may be") {
  row d({"A", "B", "C", "D"});
  planner::declaration bounded = d.declaration();
  const auto within = [&](int batches) {
    bounded.within.in_flight = batches;
    const pipelined p(bounded);
    CHECK(p.plan.resolved.max_lookahead < batches);
    return p.lookaheads();
  };
  CHECK(within(6) == std::vector{3, 2, 1, 0, 4});
  CHECK(within(5) == std::vector{3, 2, 1, 0, 4});
  CHECK(within(4) == std::vector{3, 2, 1, 0, 3});  // the source is not ahead: it takes no time
  CHECK(within(3) == std::vector{0, 0, 0, 0, 1});  // two neighbours on one batch take 2 anyway
  CHECK(within(2) == std::vector{0, 0, 0, 0, 1});
  CHECK(within(1) == std::vector{0, 0, 0, 0, 0});
  row all({"A", "B", "C", "D", "E", "F"});  // where a batch more in flight is of use by itself
  planner::declaration longer = all.declaration();
  longer.within.in_flight = 3;
  const pipelined p(longer);
  CHECK(p.lookaheads() == std::vector{1, 1, 1, 1, 1, 0, 2});
  CHECK(p.period() == planner::ratio{2, 1});
}

TEST_CASE("within a bound, those are separated who take longest together") {
  row d({"A", "B", "C", "D"});
  planner::declaration bounded = d.declaration();
  std::vector<planner::task> rows(bounded.tasks.begin(), bounded.tasks.end());
  rows[0].weight = 3;
  rows[3].weight = 3;
  bounded.tasks = rows;
  bounded.within.in_flight = 3;
  const pipelined p(bounded);
  CHECK(p.lookaheads() == std::vector{2, 1, 1, 0, 2});
  CHECK(p.period() == planner::ratio{3, 1});
}

TEST_CASE("a batch in flight is not spent where it gains nothing") {
  row d({"A", "B", "C"});
  planner::declaration bounded = d.declaration();
  std::vector<planner::task> rows(bounded.tasks.begin(), bounded.tasks.end());
  rows[2].weight = 2;  // with `b` it takes 3
  bounded.tasks = rows;
  bounded.within.in_flight = 3;
  const pipelined p(bounded);
  CHECK(p.lookaheads() == std::vector{1, 1, 0, 2});
}

TEST_CASE("slots take no more bytes than they may") {
  row d({"A", "B", "C"});
  d.slack("u", 1);
  planner::declaration bounded = d.declaration();
  const std::vector<planner::slot_size> sizes{{stretto::name("source"), 10},
                                              {stretto::name("s"), 1000},
                                              {stretto::name("t"), 100},
                                              {stretto::name("u"), 1}};
  bounded.within.sizes = sizes;
  const auto within = [&](std::size_t bytes) {
    bounded.within.bytes = bytes;
    const pipelined p(bounded);
    CHECK(planner::size_of_plan(p.chosen).bytes <= bytes);
    return p.lookaheads();
  };
  const std::size_t all = 2 * 10 + 2 * 1000 + 2 * 100 + 2;
  CHECK(within(all) == std::vector{2, 1, 0, 3});
  CHECK(within(all - 1) == std::vector{2, 1, 0, 2});
  CHECK(within(all - 11) == std::vector{0, 0, 0, 1});
  CHECK(within(1112) == std::vector{0, 0, 0, 0});
}

TEST_CASE("where there is no room for another batch of the source, tasks are raised without it") {
  row d({"A", "B", "C", "D", "E", "F"});
  planner::declaration bounded = d.declaration();
  std::vector<planner::slot_size> sizes{{stretto::name("source"), 1000}};
  for (const char* const slot : {"s", "t", "u", "v", "w", "x"})
    sizes.push_back({stretto::name(slot), 10});
  bounded.within.sizes = sizes;
  bounded.within.bytes = 1070;
  const pipelined p(bounded);
  CHECK(p.lookaheads() == std::vector{1, 1, 1, 1, 1, 0, 1});
  CHECK(p.period() == planner::ratio{3, 1});

  sizes[0].bytes = 20;  // room for it, or for two batches of tasks
  bounded.within.bytes = 100;
  const pipelined q(bounded);
  CHECK(q.lookaheads() == std::vector{2, 2, 2, 2, 1, 0, 2});
  CHECK(q.period() == planner::ratio{2, 1});
}

TEST_CASE("where what is declared exceeds a bound, nothing is raised") {
  row d({"A", "B"});
  d.add("e", 3).thread("E");
  planner::declaration bounded = d.declaration();
  bounded.within.in_flight = 3;
  CHECK(planner::exceeded_bounds_of(bounded).in_flight);
  CHECK_FALSE(planner::exceeded_bounds_of(bounded).bytes);
  const planner::pipelined_choice choice = planner::choose_pipelined(bounded);
  for (const int raised : choice.raised) CHECK(raised == 0);
}

TEST_CASE("on threads that are generated, bounds hold as well") {
  row d({"", "", "", "", "", ""});
  planner::declaration generated = d.declaration();
  generated.generated = 3;
  for (const int batches : {1, 2, 3, 4}) {
    generated.within.in_flight = batches;
    const pipelined p(generated);
    CHECK(p.plan.resolved.max_lookahead < batches);
    if (batches > 2) CHECK(p.period() == planner::ratio{2, 1});
  }
}

TEST_CASE("a schedule that breaks a rule, or is serial, is left alone") {
  row d({"A", "B"});
  planner::declaration serial = d.declaration();
  serial.serial = true;
  CHECK(planner::choose_pipelined(serial).raised.empty());
  d.all[0]->depends_on({"nobody"});
  CHECK(planner::choose_pipelined(d.declaration()).raised.empty());
  row far({"A", "B"});
  far.add("e", 2'000'000'000).thread("E");
  CHECK(planner::choose_pipelined(far.declaration()).raised.empty());
}

TEST_CASE("an order that keeps edges leaves the rest where it was") {
  row d({"A", "B", "A"});
  const std::vector<std::size_t> order{3, 2, 1, 0, 4};
  planner::declaration declared = d.declaration();
  CHECK(planner::order_like(declared, order) == std::vector<std::size_t>{3, 0, 1, 2, 4});
  const std::vector<int> raised{2, 1, 0, 2};
  declared.raised = raised;
  CHECK(planner::order_like(declared, order) == std::vector<std::size_t>{3, 2, 1, 0, 4});
}

TEST_CASE("where no weight is given, a thread with few tasks may be as busy as one with many") {
  draft d;
  d.add("load", 0).thread("loader").reads({"source"}).writes({"x"});
  d.add("train", 0).thread("caller").reads({"x"}).writes({"y"});
  d.add("step", 0).thread("caller").reads({"y"}).writes({"z"});
  d.add("test", 0).thread("caller").reads({"z"}).writes({"r"});
  d.result("r");
  const planner::declaration untimed = d.declaration();
  CHECK(pipelined(untimed).lookaheads() == std::vector{1, 0, 0, 0, 2});
  // Known to take no longer than one of three, it need not be.
  planner::declaration timed = untimed;
  std::vector<planner::task> rows(timed.tasks.begin(), timed.tasks.end());
  for (planner::task& t : rows) t.weight = 2;
  timed.tasks = rows;
  CHECK(pipelined(timed).lookaheads() == std::vector{0, 0, 0, 0, 1});
}

TEST_CASE("where no weight is given, any of a thread's tasks may be the long one") {
  row d({"front", "front", "front", "back", "back"});
  const planner::declaration untimed = d.declaration();
  CHECK(pipelined(untimed).lookaheads() == std::vector{1, 1, 1, 0, 0, 2});
  // Known to take as long as each other, the last in front and the first behind are short enough.
  planner::declaration timed = untimed;
  std::vector<planner::task> rows(timed.tasks.begin(), timed.tasks.end());
  for (planner::task& t : rows) t.weight = 2;
  timed.tasks = rows;
  CHECK(pipelined(timed).lookaheads() == std::vector{0, 0, 0, 0, 0, 1});
}

TEST_CASE(
    "where another thread pulls, the user of results is as busy as a task, and so is the source") {
  row d({"A", "B"});
  CHECK(pipelined(d.declaration()).lookaheads() == std::vector{1, 0, 2});
  d.source_on("reader");
  CHECK(pipelined(d.declaration()).lookaheads() == std::vector{2, 1, 3});  // four threads
  d.source_on("A");
  CHECK(pipelined(d.declaration()).lookaheads() == std::vector{2, 1, 2});
  row one({"A"});
  one.source_on("reader");
  CHECK(pipelined(one.declaration()).lookaheads() == std::vector{1, 2});
}

TEST_CASE("where a stream's order hands results out, the calling thread need not wait for it") {
  draft d({"copy"});
  d.add("load").thread("A").reads({"source"}).writes({"x"});
  d.add("send", 0, "copy").thread("A").reads({"x"}).writes({"y"});
  d.result("y").source_on("A");
  planner::declaration on_stream = d.declaration();
  on_stream.results_on = "copy";
  CHECK(pipelined(on_stream).lookaheads() == std::vector{1, 0, 1});
}

TEST_CASE("pulling a batch further ahead costs the source's slot no copies") {
  // With two copies in place of three `pull` would wait for `t4`, and more would have to be raised.
  draft d({"a"});
  d.add("t1", 2).thread("host").reads_at("source", 2).writes({"x"});
  d.add("t6", 2, "a").reads({"source"}).depends_on({"t1"});
  d.add("t2", 2).thread("host").reads({"source"}).sync({"t0"});
  d.add("t0", 1).thread("caller").depends_on({"t6"});
  d.add("t4", 2, "a").reads({"source"}).depends_on({"t1"});
  const planner::declaration declared = d.declaration();
  const pipelined p(declared);
  CHECK(p.lookaheads() == std::vector{2, 2, 2, 1, 2, 3});
  CHECK(p.period() == planner::ratio{2, 1});
}
