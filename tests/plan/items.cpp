// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Tasks that consume and produce items of slots: what is refused and how it is said, and what plans
// make of them.

#include <doctest/doctest.h>
#include <stretto/plan/fingerprint.hpp>
#include <stretto/plan/layout/modelled_period.hpp>
#include <stretto/plan/make_plan.hpp>
#include <stretto/plan/rules/diagnose.hpp>
#include <stretto/plan/rules/repair.hpp>
#include <stretto/plan/text/sentence.hpp>
#include <string>
#include "draft.hpp"

namespace {

namespace planner = stretto::planner;

/// What is wrong, one sentence behind the other.
std::string sentences(const planner::declaration& d) {
  std::string all;
  const planner::diagnosis found = planner::diagnose(d);
  for (const planner::finding& f : found.findings)
    all += planner::sentence(d, f, found.cycle, planner::saying_of(f.what)) + '\n';
  return all;
}

}  // namespace

TEST_CASE("items: a chain of different rates keeps the rules") {
  draft d;
  d.add("split", 1).reads({"source"}).produces("x", 6);
  d.add("fir", 1).consumes("x", 2).produces("y", 3);
  d.add("join").consumes("y", 9).writes({"out"});
  d.result("out");
  CHECK(sentences(d.declaration()).empty());
  // Its copies are those of slots that have one value.
  const planner::plan p = planner::make_plan(d.declaration());
  draft plain;
  plain.add("split", 1).reads({"source"}).writes({"x"});
  plain.add("fir", 1).reads({"x"}).writes({"y"});
  plain.add("join").reads({"y"}).writes({"out"});
  plain.result("out");
  const planner::plan q = planner::make_plan(plain.declaration());
  CHECK(p.copies == q.copies);
  CHECK(p.edges.size() == q.edges.size());
  CHECK(planner::fingerprint(d.declaration(), p) != planner::fingerprint(plain.declaration(), q));
}

TEST_CASE("items: a fingerprint tells numbers of items apart") {
  const auto fingerprint = [](int produced, int consumed) {
    draft d;
    d.add("a").reads({"source"}).produces("x", produced);
    d.add("b").consumes("x", consumed);
    return planner::fingerprint(d.declaration(), planner::make_plan(d.declaration()));
  };
  CHECK(fingerprint(2, 3) == fingerprint(2, 3));
  CHECK(fingerprint(2, 3) != fingerprint(4, 3));
  CHECK(fingerprint(2, 3) != fingerprint(2, 6));
}

TEST_CASE("items: a fingerprint tells apart of which slot they are") {
  draft first;
  first.add("a").reads({"source"}).produces("x", 2).writes({"y"});
  first.add("b").consumes("x", 2).reads({"y"});
  draft second;
  second.add("a").reads({"source"}).writes({"x"}).produces("y", 2);
  second.add("b").reads({"x"}).consumes("y", 2);
  const auto fingerprint = [](const planner::declaration& d) {
    return planner::fingerprint(d, planner::make_plan(d));
  };
  CHECK(fingerprint(first.declaration()) != fingerprint(second.declaration()));
}

TEST_CASE("items: the model of time counts calls") {
  draft d;
  d.add("a").reads({"source"}).produces("x", 2).weight(5);
  d.add("b").consumes("x", 3).weight(7);
  const planner::graph g = planner::make_graph(d.declaration());
  CHECK(g.nodes[0].weight == 15);
  CHECK(g.nodes[1].weight == 14);
}

TEST_CASE("items: numbers that are inconsistent, and the repair") {
  draft d;
  d.add("source_of").reads({"source"}).produces("x", 2).produces("y", 3);
  d.add("filter").consumes("x", 1).produces("z", 3);
  d.add("mix").consumes("y", 1).consumes("z", 1);
  CHECK(sentences(d.declaration()) ==
        "rule 9: task `mix` consumes 1 item of slot `z` per call, but `filter` produces 3, and by "
        "other slots `mix` is called 3 times per 2 calls of `filter`; let `mix` consume 2\n");
  const planner::finding f = planner::diagnose(d.declaration()).findings[0];
  const planner::repair fix = planner::repair_of(d.declaration(), f);
  CHECK(fix.how == planner::remedy::set_items);
  CHECK(fix.task == 2);
  CHECK(fix.value == 2);
  CHECK(f.other == 1);
  CHECK(f.where == planner::field::reads);
  CHECK(f.position == 1);
  draft repaired;
  repaired.add("source_of").reads({"source"}).produces("x", 2).produces("y", 3);
  repaired.add("filter").consumes("x", 1).produces("z", 3);
  repaired.add("mix").consumes("y", 1).consumes("z", 2);
  CHECK(sentences(repaired.declaration()).empty());
}

TEST_CASE("items: where no number of items would be consistent") {
  draft d;
  d.add("first").reads({"source"}).produces("x", 2).produces("y", 3);
  d.add("filter").consumes("x", 1).produces("z", 1);
  d.add("mix").consumes("y", 1).consumes("z", 1);
  CHECK(sentences(d.declaration()) ==
        "rule 9: task `mix` consumes 1 item of slot `z` per call, but `filter` produces 1, and by "
        "other slots `mix` is called 3 times per 2 calls of `filter`; no number of items makes up "
        "for "
        "that: change what they, or tasks between them, consume or produce\n");
}

TEST_CASE("items: a writer may be the culprit, and a task alone") {
  draft d;
  d.add("mix").consumes("x", 4).consumes("y", 1).reads({"source"});
  d.add("left").produces("x", 2).produces("y", 1);
  CHECK(sentences(d.declaration()) ==
        "rule 9: task `left` produces 1 item of slot `y` per call, but `mix` consumes 1, and by "
        "other slots `left` is called 2 times per 1 call of `mix`; no number of items makes up for "
        "that: change what they, or tasks between them, consume or produce\n");
  draft alone;
  alone.add("loop", 1).reads({"source"}).produces("x", 2).consumes("x", 3);
  const std::string said = sentences(alone.declaration());
  CHECK(
      said.find("rule 9: task `loop` produces 2 items of slot `x` per call, and the other way "
                "round 3; what it leaves or lacks would add up: let the two numbers be equal\n") !=
      std::string::npos);
}

TEST_CASE("items: more than a batch may have") {
  draft d;
  d.add("a").reads({"source"}).produces("x", 65521);
  d.add("b").consumes("x", 65519);
  CHECK(sentences(d.declaration()) ==
        "rule 9: task `a` produces items of slot `x`, and with all the numbers of items of the "
        "schedule a batch would have more than 65536; let calls consume and produce more items, or "
        "numbers that have more divisors in common\n");
}

TEST_CASE("items: a slot of items has no one value") {
  draft d;
  d.add("a", 2).reads({"source"}).produces("x", 2);
  d.add("b", 1).reads({"x"});
  d.add("c").previous("x");
  d.add("d", 1).takes({"z"}).consumes("source", 2);
  d.add("z", 1).produces("z");
  d.add("e", 1).writes({"x"}).produces("out", 3);
  d.result("out");
  CHECK(sentences(d.declaration()) ==
        "rule 9: task `b` reads slot `x` as one value per batch, but `a` has it as items; consume "
        "them: `consumes<slot, number per call>`\n"
        "rule 9: task `c` reads slot `x` as one value per batch, but `a` has it as items; consume "
        "them: `consumes<slot, number per call>`\n"
        "rule 9: task `d` reads slot `z` as one value per batch, but `z` has it as items; consume "
        "them: `consumes<slot, number per call>`\n"
        "rule 9: task `d` consumes items of slot `source`, which the source fills with one value "
        "per batch; let a task read that and produce items of another slot\n"
        "rule 9: task `e` writes slot `x` as one value per batch, but `a` has it as items; produce "
        "them: `produces<slot, number per call>`\n"
        "rule 9: task `e` names items of slot `out`, which is a result, one value per batch; let a "
        "task consume the items and write a slot that is the result\n");
}

TEST_CASE("items: who is called several times writes no single value, and takes none") {
  draft d;
  d.add("a", 1).reads({"source"}).produces("x", 2).writes({"y"});
  d.add("b").consumes("x").takes({"y"}).writes({"z"});
  CHECK(sentences(d.declaration()) ==
        "rule 9: task `b` is called 2 times per batch and takes the value of slot `y`, of which "
        "there is one per batch: the first call would leave none; only read it\n"
        "rule 9: task `b` is called 2 times per batch and writes slot `z`, which has one value per "
        "batch; produce items of it, or write it in a task that is called once\n");
  draft once;
  once.add("a", 1).reads({"source"}).produces("x", 2).writes({"y"});
  once.add("b").consumes("x", 2).takes({"y"}).writes({"z"});
  CHECK(sentences(once.declaration()).empty());
}

TEST_CASE("items: no rate, no verdict and no collective goes with them") {
  draft d;
  d.add("a", 3).reads({"source"}).produces("x", 2);
  d.add("b", 2).consumes("x", 2).every(4);
  d.add("c", 1).consumes("x", 2).drops();
  d.add("d").consumes("x", 2).collective();
  d.add("e").drops_failures().consumes("x", 2);
  CHECK(sentences(d.declaration()) ==
        "rule 9: task `b` consumes or produces items of slots, and has an `every`; that is for "
        "tasks that are called once per batch: give it to one without items\n"
        "rule 9: task `c` consumes or produces items of slots, and may drop batches; that is for "
        "tasks that are called once per batch: give it to one without items\n"
        "rule 9: task `d` consumes or produces items of slots, and is a collective; that is for "
        "tasks that are called once per batch: give it to one without items\n"
        "rule 9: task `e` consumes or produces items of slots, and may drop batches; that is for "
        "tasks that are called once per batch: give it to one without items\n");
  // Others may.
  draft others;
  others.add("a", 1).reads({"source"}).produces("x", 2);
  others.add("b").consumes("x", 2).writes({"y"});
  others.add("c").reads({"y"}).every(4);
  others.add("d").reads({"y"}).drops();
  CHECK(sentences(others.declaration()).empty());
}

TEST_CASE("items: a cycle without a delay is a cycle, whatever the rates") {
  draft d;
  d.add("a").reads({"source"}).consumes("y", 3).produces("x", 2);
  d.add("b").consumes("x", 1).produces("y", 3);
  const std::string said = sentences(d.declaration());
  CHECK(
      said.find("rule 7: tasks wait for each other in a cycle: `a` waits for `b` waits for `a`") !=
      std::string::npos);
}

TEST_CASE("items: of a slot that nobody produces") {
  draft d;
  d.add("a").reads({"source"}).consumes("x", 2);
  CHECK(sentences(d.declaration()).find("rule 5: task `a` reads slot `x`") != std::string::npos);
}
