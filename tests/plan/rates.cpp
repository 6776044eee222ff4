// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Tasks that run once per so many batches: which values readers get, what they wait for, the copies
// that are kept, what is refused and how it is said.

#include <doctest/doctest.h>
#include <stretto/plan/derive/copies.hpp>
#include <stretto/plan/derive/signal_slots.hpp>
#include <stretto/plan/fingerprint.hpp>
#include <stretto/plan/make_plan.hpp>
#include <stretto/plan/order/last_users.hpp>
#include <stretto/plan/rules/diagnose.hpp>
#include <stretto/plan/text/describe.hpp>
#include <stretto/plan/text/explain.hpp>
#include <stretto/plan/text/sentence.hpp>
#include <string>
#include <vector>
#include "draft.hpp"

namespace {

namespace planner = stretto::planner;
namespace kind = planner::kind;
using planner::edge;
using planner::rate;
using planner::reason;

/// The deltas of the edges from one node to another for a reason.
std::vector<int> deltas(const planner::list<edge>& edges, std::size_t producer,
                        std::size_t consumer, reason why) {
  std::vector<int> found;
  for (const edge& e : edges)
    if (e.producer == producer && e.consumer == consumer && e.why == why) found.push_back(e.delta);
  return found;
}

std::size_t copies_of(const planner::plan& p, std::string_view slot) {
  for (std::size_t s = 0; s < p.copies.size(); ++s)
    if (p.resolved.slot_list[s].text == slot) return p.copies[s];
  return 0;
}

/// What is wrong, one sentence behind the other.
std::string sentences(const planner::declaration& d) {
  std::string all;
  const planner::diagnosis found = planner::diagnose(d);
  for (const planner::finding& f : found.findings)
    all += planner::sentence(d, f, found.cycle, planner::saying_of(f.what)) + '\n';
  return all;
}

}  // namespace

TEST_CASE("an optimizer runs when its group is done, and everybody else reads what it wrote last") {
  draft d;
  d.add("forward").latest("weights", 1).reads({"source"}).writes({"loss"});
  d.add("step").every(4).reads({"loss"}).writes({"weights"});
  d.result("loss");
  CHECK(sentences(d.declaration()).empty());
  const planner::plan p = planner::make_plan(d.declaration());
  // Of batch 4, what batch 3 left; of batch 7 the same, four batches later.
  CHECK(deltas(p.edges, 1, 0, reason::data) == std::vector{1});
  CHECK(copies_of(p, "weights") == 2);
  CHECK(deltas(p.edges, 0, 1, reason::reuse) == std::vector{4});
  CHECK(deltas(p.edges, 1, 0, reason::reuse) == std::vector{1});
  CHECK(copies_of(p, "loss") == 1);
}

TEST_CASE("copies of a slot that is written once per N batches are counted in groups of N") {
  draft d;
  d.add("plan_group", 3).every(4, 0).reads({"source"}).writes({"rate_of_group"});
  d.add("use", 0).reads({"rate_of_group"}).writes({"out"});
  d.add("look_back", 0).every(4).previous("rate_of_group", 2).reads({"out"});
  const planner::plan p = planner::make_plan(d.declaration());
  // `use` is up to three batches behind the first of the group, and three behind in the pipeline;
  // `look_back` reads for batch 7 what was written for batch -4.
  CHECK(deltas(p.edges, 0, 1, reason::data) == std::vector{3});
  CHECK(deltas(p.edges, 0, 2, reason::data) == std::vector{14});
  CHECK(copies_of(p, "rate_of_group") == 4);
  CHECK(deltas(p.edges, 1, 0, reason::reuse) == std::vector{10});
  CHECK(deltas(p.edges, 2, 0, reason::reuse) == std::vector{2});
}

TEST_CASE("a value that is looked back on stays when its writer runs dry before the reader") {
  draft d;
  d.add("guess", 2).reads({"source"}).previous("fed", 2).writes({"guessed"});
  d.add("feed").reads({"guessed"}).writes({"fed"});
  CHECK(copies_of(planner::make_plan(d.declaration()), "fed") == 2);
}

TEST_CASE("workers tell of their own runs only: all that may have written are waited for") {
  draft d;
  d.add("make", 1).thread("pool").every(3, 0).reads({"source"}).writes({"value"});
  d.add("use").reads({"value"}).writes({"out"});
  d.group("pool", 0, 2);
  const planner::plan p = planner::make_plan(d.declaration());
  CHECK(deltas(p.edges, 0, 1, reason::data) == std::vector{2, 3});
  draft e;
  e.add("make", 1).every(3, 0).reads({"source"}).writes({"value"});
  e.add("use").thread("pool").reads({"value"});
  e.group("pool", 0, 2);
  const planner::plan q = planner::make_plan(e.declaration());
  CHECK(deltas(q.edges, 1, 0, reason::reuse).size() == 2);
}

TEST_CASE("a signal has no room in a copy that is filled once per N batches") {
  draft d;
  d.add("make").thread("a").every(2, 0).reads({"source"}).writes({"value"});
  d.add("use").thread("b").reads({"value"});
  const planner::plan p = planner::make_plan(d.declaration());
  const std::vector<std::size_t> sizes(p.copies.size(), 4);
  planner::list<rate> runs;
  for (const planner::node& n : p.resolved.nodes) runs.push_back(n.runs);
  const planner::signalling all{p.edges, p.fillers, p.threads.thread_of, p.threads.workers, sizes};
  planner::signalling told = all;
  told.runs = runs;
  CHECK(planner::signal_slots(all)[0] != planner::none);
  CHECK(planner::signal_slots(told)[0] == planner::none);
}

TEST_CASE(
    "nobody is the last to use what is held; a task that runs now and then is the last of none") {
  draft d({"s"});
  d.add("make", 0, "s").every(2, 0).writes({"held"});
  d.add("fill", 0, "s").writes({"batch"});
  d.add("use", 0, "s").reads({"held", "batch"});
  d.add("log", 0, "s").every(2).reads({"batch"});
  const planner::plan p = planner::make_plan(d.declaration());
  for (std::size_t s = 0; s < p.copies.size(); ++s)
    CHECK(planner::last_users(p, p.resolved)[s] == planner::none);
}

TEST_CASE("ranks that run a task for other batches have other plans") {
  const auto print = [](int every, int phase) {
    draft d;
    d.add("step").every(every, phase).reads({"source"});
    return planner::fingerprint(d.declaration(), planner::make_plan(d.declaration()));
  };
  CHECK(print(4, 3) == print(4, stretto::last_of_group));
  CHECK(print(4, 3) != print(4, 2));
  CHECK(print(4, 3) != print(5, 3));
  CHECK(print(1, 0) == print(1, stretto::last_of_group));
  draft d;
  d.add("step").every(4).and_at_end().reads({"source"});
  CHECK(planner::fingerprint(d.declaration(), planner::make_plan(d.declaration())) != print(4, 3));
}

TEST_CASE("rule 2: rates and phases out of range") {
  draft d;
  d.add("a").every(0);
  d.add("b").every(100'001);
  d.add("c").every(4, 4);
  d.add("d").every(4, -1);
  d.add("e").every(1, 2);
  d.add("f").every(4, -100'001);
  CHECK(sentences(d.declaration()) ==
        "rule 2: task `a` runs once per 0 batches; state an `every` of 1 to 100000\n"
        "rule 2: task `b` runs once per 100001 batches; state an `every` of 1 to 100000\n"
        "rule 2: task `c` has phase 4, but runs once per 4 batches; the phase is 0 to 3, how many "
        "batches of a group come before the one that it runs for\n"
        "rule 2: task `d` has phase -1, but runs once per 4 batches; the phase is 0 to 3, how many "
        "batches of a group come before the one that it runs for\n"
        "rule 2: task `e` has phase 2, but runs for every batch; state an `every` that is greater, "
        "or drop the phase\n"
        "rule 2: task `f` has phase -100001, but runs once per 4 batches; the phase is 0 to 3, how "
        "many batches of a group come before the one that it runs for\n");
}

TEST_CASE("rule 2: what runs at the end has a group to end there") {
  draft d;
  d.add("a").and_at_end();
  d.add("b").every(4, 0).and_at_end();
  d.add("c").every(4).and_at_end().collective();
  d.add("e").every(4).and_at_end();
  d.add("f").every(4, 1).and_at_end();
  const auto begin = [](std::string_view task) {
    return "rule 2: task `" + std::string(task) +
           "` is to run at the end, too, for what is left of a group (`and_at_end`), but ";
  };
  CHECK(sentences(d.declaration()) ==
        begin("a") + "runs for every batch; state an `every`, or drop `and_at_end`\n" + begin("b") +
            "has phase 0, which every group reaches; drop `and_at_end`, or state a phase of 1 to "
            "3, how many batches of a group come before the one that it runs for\n" +
            begin("c") +
            "is a collective, which ranks begin for batches that all have; drop `and_at_end`, or "
            "let every stream end with a full group\n");
}

TEST_CASE("rule 5: who runs at the end reads what is there then") {
  draft d;
  d.add("make").every(4).writes({"value"});
  d.add("first").every(4, 0).writes({"plan"});
  d.add("each").writes({"gradient"});
  d.add("save").every(4).and_at_end().reads({"value"});
  d.add("held").every(4).and_at_end().latest("value").previous("value").reads({"plan"});
  d.add("wide").every(4).and_at_end().window("gradient", 4);
  d.add("wider").every(4).and_at_end().window("gradient", 4).previous("gradient", 4);
  CHECK(sentences(d.declaration()) ==
        "rule 5: task `save` runs at the end, too, for what is left of a group (`and_at_end`), but "
        "`make` writes slot `value` once per 4 batches (phase 3), which what is left may not get "
        "to; let `make` run `and_at_end`, too, or read `value` as `latest`, what was written last\n"
        "rule 5: task `wider` runs at the end, too, for what is left of a group (`and_at_end`), "
        "and reads slot `gradient` as a `window` and as it was before that; read one `window` that "
        "has it all, which is shorter then\n");
}

TEST_CASE("a batch that is read at the end is not in the copy that the source touches next") {
  for (const bool at_end : {false, true}) {
    draft d;
    auto& task = d.add("step").every(4).reads({"source"});
    if (at_end) task.and_at_end();
    planner::declaration declared = d.declaration();
    declared.frugal = true;
    CHECK(copies_of(planner::make_plan(declared), "source") == (at_end ? 2 : 1));
  }
}

TEST_CASE("rule 4: writers of a slot run for the same batches") {
  draft d;
  d.add("make", 1).writes({"value"});
  d.add("change").every(4).writes({"value"});
  CHECK(sentences(d.declaration()) ==
        "rule 4: task `change` writes slot `value` once per 4 batches (phase 3), but `make` for "
        "every batch; let both run for the same batches, or give each a slot\n");
}

TEST_CASE("rule 5: what the group of a batch does not have yet is not read") {
  draft d;
  d.add("make").every(4, 2).writes({"value"});
  d.add("early").every(4, 1).reads({"value"});
  d.add("late").every(4, 2).reads({"value"});
  d.add("now_and_then").every(6, 5).reads({"value"});
  d.add("always").reads({"value"});
  d.add("held").latest("value");
  d.add("looks_back").previous("value");
  d.result("value");
  const std::string tail =
      ", but `make` writes it once per 4 batches (phase 2), and has not for the group of that "
      "batch by then; read it as `latest`, what was written last, or let ";
  CHECK(sentences(d.declaration()) ==
        "rule 5: task `early` reads slot `value` once per 4 batches (phase 1)" + tail +
            "task `early` run at that phase or a later one\n"
            "rule 5: task `now_and_then` reads slot `value` once per 6 batches (phase 5)" +
            tail +
            "task `now_and_then` run at that phase or a later one\n"
            "rule 5: task `always` reads slot `value` for every batch" +
            tail +
            "task `always` run at that phase or a later one\n"
            "rule 5: the result `value` is handed out for every batch, but `make` writes it once "
            "per 4 batches (phase 2); hand out what a task writes for every batch that reads "
            "`latest` of it, or let `make` run with phase 0\n");
}

TEST_CASE("rule 5: a value is taken once, and not while it is held for others") {
  draft d;
  d.add("make").every(4, 0).writes({"value"});
  d.add("take").takes({"value"});
  CHECK(sentences(d.declaration()) ==
        "rule 5: task `take` takes the value of slot `value` for every batch, but that is written "
        "once per 4 batches; let it read it, or run once per 4 batches, too\n");
  draft e;
  e.add("make").every(4, 0).writes({"value"});
  e.add("use").reads({"value"});
  e.add("take").every(4).takes({"value"});
  CHECK(sentences(e.declaration()) ==
        "rule 5: task `take` takes the value of slot `value`, which `use` still uses for a later "
        "batch; let task `take` read it instead of taking it\n");
  draft sound;
  sound.add("make").every(4, 0).writes({"value"});
  sound.add("take").every(4).takes({"value"});
  CHECK(sentences(sound.declaration()).empty());
}

TEST_CASE("rule 5: groups too long ago, values that point into those of other batches") {
  draft d;
  d.add("make").every(1000).writes({"value"});
  d.add("use").previous("value", 101);
  CHECK(sentences(d.declaration()) ==
        "rule 5: task `use` reads slot `value` 101 groups of 1000 batches earlier, more than "
        "100,000 batches; read one that is nearer\n");
  draft e;
  e.add("make").every(4).reads({"source"}).writes({"value"});
  e.points("value", "source");
  CHECK(sentences(e.declaration()) ==
        "rule 5: `value`, which is written once per 4 batches (phase 3), points into a slot that "
        "`pull` writes for every batch; write both for the same batches, or drop `points_into` of "
        "`value`\n");
}

TEST_CASE("rule 5: what is held is read by those behind its writer") {
  draft d;
  d.add("use", 2).latest("value");
  d.add("make", 1).every(4).writes({"value"});
  CHECK(sentences(d.declaration()) ==
        "rule 5: task `use` reads slot `value` at lookahead 2, but `make` writes it only at "
        "lookahead 1; raise the lookahead of `make` to at least 2\n");
  draft e;
  e.add("use", 3).latest("value", 1);
  e.add("make", 1).every(4).writes({"value"});
  CHECK(sentences(e.declaration()) ==
        "rule 5: task `use` reads the value of slot `value` one batch earlier at lookahead 3, but "
        "`make` writes it only at lookahead 1; raise the lookahead of `make` to at least 2\n");
  draft update;
  update.add("make", 1).every(4, 0).writes({"value"});
  update.add("use", 1).reads({"value"});
  update.add("change", 0).every(4, 0).writes({"value"});
  CHECK(sentences(update.declaration()) ==
        "rule 5: task `use` reads slot `value` at lookahead 1, but `change` writes it only at "
        "lookahead 0; raise the lookahead of `change` to at least 1\n");
}

TEST_CASE("rule 6: a dependency that is one of what is read of other batches than it says") {
  draft d;
  d.add("look").every(4).latest("w", 1).writes({"q"}).cross_iter("step", 2);
  d.add("step").every(2).reads({"source"}).writes({"w"});
  CHECK(sentences(d.declaration()).find("the read of `w` already orders it") != std::string::npos);
}

TEST_CASE("rule 6: a dependency on a run that there never is for that batch") {
  draft d;
  d.add("step").every(4).reads({"source"});
  d.add("save").every(8, 0).cross_iter("step", 2);
  d.add("test").every(8, 4).depends_on({"step"});
  d.add("sound").every(8).depends_on({"step"}).cross_iter("save", 7);
  d.add("always").cross_iter("step");
  CHECK(sentences(d.declaration()) ==
        "rule 6: task `save` runs once per 8 batches (phase 0) and waits for the run of `step` for "
        "the batch 2 batches ago, but that runs once per 4 batches (phase 3), never for that one; "
        "name it in cross_iter_depends_on 5 batches ago\n"
        "rule 6: task `test` runs once per 8 batches (phase 4) and waits for the run of `step` for "
        "the same batch, but that runs once per 4 batches (phase 3), never for that one; name it "
        "in cross_iter_depends_on 1 batch ago\n");
}
