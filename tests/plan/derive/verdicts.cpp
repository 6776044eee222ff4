// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Tasks that may drop batches: who comes after them, whom they ask, and what is refused.

#include <doctest/doctest.h>
#include <initializer_list>
#include <stretto/plan/derive/verdicts.hpp>
#include <stretto/plan/fingerprint.hpp>
#include <stretto/plan/make_plan.hpp>
#include <stretto/plan/rules/diagnose.hpp>
#include <stretto/plan/text/describe.hpp>
#include <stretto/plan/text/sentence.hpp>
#include <string>
#include <vector>
#include "../draft.hpp"

namespace {

namespace planner = stretto::planner;
namespace kind = planner::kind;
using numbers = std::vector<std::size_t>;

planner::verdicts of(draft& d) {
  const planner::declaration all = d.declaration();
  return planner::find_verdicts(all, planner::planned_graph(all));
}
/// The tasks that a node asks.
numbers asked(const planner::verdicts& v, std::size_t node) {
  numbers all;
  for (std::size_t i = v.asked_by[node].first; i < v.asked_by[node].last; ++i)
    all.push_back(v.droppers[v.asked[i]]);
  return all;
}
numbers keep_unwritten(const planner::verdicts& v, std::size_t slot) {
  numbers all;
  for (std::size_t i = v.unwritten_of[slot].first; i < v.unwritten_of[slot].last; ++i)
    all.push_back(v.droppers[v.unwritten[i]]);
  return all;
}

/// What is wrong, one sentence behind the other.
std::string sentences(const planner::declaration& d) {
  std::string all;
  const planner::diagnosis found = planner::diagnose(d);
  for (const planner::finding& f : found.findings)
    all += planner::sentence(d, f, found.cycle, planner::saying_of(f.what)) + '\n';
  return all;
}
std::string sentences(draft& drafted) { return sentences(drafted.declaration()); }

}  // namespace

TEST_CASE("whoever uses what a task writes for the batch asks it, the nearest one alone") {
  draft d;
  d.add("parse", 2).drops().reads({"source"}).writes({"a"});
  d.add("first", 1).reads({"a"}).writes({"b"});
  d.add("filter", 1).drops().reads({"b"}).writes({"c"});
  d.add("other", 1).reads({"source"}).writes({"e"});
  d.add("both").reads({"c", "b"}).writes({"f"});
  d.add("one").reads({"c", "e"}).writes({"g"});
  d.add("by_name").depends_on({"filter"});
  d.add("later").previous("c").writes({"h"});
  d.result("g");
  CHECK(sentences(d).empty());
  const planner::verdicts v = of(d);
  CHECK(numbers(v.droppers.begin(), v.droppers.end()) == numbers{0, 2});
  CHECK(asked(v, 0).empty());
  CHECK(asked(v, 1) == numbers{0});
  CHECK(asked(v, 2) == numbers{0});
  CHECK(asked(v, 3).empty());
  CHECK(asked(v, 4) == numbers{0, 2});
  CHECK(asked(v, 5) == numbers{2});
  CHECK(asked(v, 6) == numbers{2});
  CHECK(asked(v, 7).empty());  // it has something to do for every batch
  CHECK(asked(v, 8).empty());  // pull
  CHECK(asked(v, 9) == numbers{2});
  CHECK(v.looked_back == 1);
}

TEST_CASE("drops matter to who is passed over and to who looks back at what was not written") {
  draft d;
  d.add("before", 2).reads({"source"}).writes({"a"});
  d.add("judge", 1).drops().reads({"a"}).writes({"b"});
  d.add("after").reads({"b"}).writes({"c"});
  d.add("late").previous("b").writes({"e"});
  d.add("later").previous("c", 2).writes({"f"});
  d.add("apart").previous("a").writes({"g"});
  d.result("g");
  CHECK(sentences(d).empty());
  const planner::graph g = planner::planned_graph(d.declaration());
  const planner::verdicts v = of(d);
  numbers depend;
  for (std::size_t n = 0; n < g.tasks; ++n)
    if (planner::depends_on_drops(g, v, n)) depend.push_back(n);
  CHECK(depend == numbers{2, 3, 4});
}

TEST_CASE("who updates a slot comes after who wrote it, and its readers come after both") {
  draft d;
  d.add("make", 3).reads({"source"}).writes({"a"});
  d.add("early", 3).reads({"a"}).writes({"b"});
  d.add("judge", 2).drops().writes({"a"});
  d.add("finish", 1).writes({"a"});
  d.add("last").reads({"a"});
  d.result("b");
  CHECK(sentences(d).empty());
  const planner::verdicts v = of(d);
  CHECK(asked(v, 1).empty());  // before it
  CHECK(asked(v, 3) == numbers{2});
  CHECK(asked(v, 4) == numbers{2});
  CHECK(asked(v, 6).empty());  // `b` does not come after it
  const planner::graph g = planner::planned_graph(d.declaration());
  for (std::size_t slot = 0; slot < g.slot_list.size(); ++slot)
    CHECK(keep_unwritten(v, slot) == (g.slot_list[slot].text == "a" ? numbers{2} : numbers{}));
}

TEST_CASE("without a result, the batch itself comes after all who may drop it") {
  draft d;
  d.add("one").drops().reads({"source"});
  d.add("other").drops().reads({"source"});
  CHECK(asked(of(d), 3) == numbers{0, 1});
}

TEST_CASE("what is viewed comes after the task, too") {
  draft d;
  d.add("parse", 1).drops().reads({"source"}).writes({"text"});
  d.add("find", 1).reads({"text"}).writes({"view"});
  d.add("use").reads({"view"});
  d.points("view", "text");
  CHECK(sentences(d).empty());
  CHECK(asked(of(d), 2) == numbers{0});
}

TEST_CASE("a verdict adds no edge and no copy to a plan, but another fingerprint") {
  const auto draw = [](draft& d, bool drops) {
    auto& judge = d.add("judge", 1).reads({"source"}).writes({"a"});
    if (drops) judge.drops();
    d.add("use").reads({"a"}).previous("a", 2).writes({"b"});
    d.result("b");
  };
  draft kept;
  draft dropped;
  draw(kept, false);
  draw(dropped, true);
  const planner::plan a = planner::make_plan(kept.declaration());
  const planner::plan b = planner::make_plan(dropped.declaration());
  CHECK(a.edges.size() == b.edges.size());
  CHECK(a.host_waits.size() == b.host_waits.size());
  CHECK(numbers(a.copies.begin(), a.copies.end()) == numbers(b.copies.begin(), b.copies.end()));
  CHECK(planner::fingerprint(kept.declaration(), a) !=
        planner::fingerprint(dropped.declaration(), b));
  const std::string told = planner::describe("d", dropped.declaration(), b);
  CHECK(told.find("  may drop batches  reads source  writes a\n") != std::string::npos);
  CHECK(planner::describe("d", kept.declaration(), a).find("drop") == std::string::npos);
}

TEST_CASE("a group of batches is not dropped with one of them") {
  draft itself;
  itself.add("judge").every(4).drops().reads({"source"});
  CHECK(sentences(itself) ==
        "rule 2: task `judge` may drop batches, but runs once per 4 batches (phase 3); let it run "
        "for every batch\n");
  draft after;
  after.add("judge", 1).drops().reads({"source"}).writes({"a"});
  after.add("step", 1).every(4).reads({"a"}).writes({"weights"});
  CHECK(sentences(after) ==
        "rule 2: task `step` writes slot `weights` once per 4 batches (phase 3), but `judge` may "
        "drop the batch that it runs for, and there would be no value for the group; let it run "
        "for every batch, or not use what comes after `judge`\n");
  draft writes_nothing;
  writes_nothing.add("judge", 1).drops().reads({"source"}).writes({"a"});
  writes_nothing.add("save").every(4).reads({"a"});
  CHECK(sentences(writes_nothing).empty());
}

TEST_CASE("neither the latest value nor a window is read of what may be dropped") {
  draft latest;
  latest.add("judge", 1).drops().reads({"source"}).writes({"a"});
  latest.add("use").latest("a");
  CHECK(sentences(latest) ==
        "rule 5: task `use` reads the latest value of slot `a`, which is not written for batches "
        "that `judge` drops; read it as `previous`, which is empty then, or keep what is needed in "
        "a member\n");
  draft window;
  window.add("judge", 1).drops().reads({"source"}).writes({"a"});
  window.add("pass", 1).reads({"a"}).writes({"b"});
  window.add("use").window("b", 3);
  CHECK(sentences(window) ==
        "rule 5: task `use` reads slot `b` as a `window`, but it is not written for batches that "
        "`judge` drops; read it as `previous`, which is empty then, or keep what is needed in a "
        "member\n");
}

TEST_CASE("no collective is dropped, or drops") {
  draft itself;
  itself.add("sum").collective().drops().reads({"source"});
  CHECK(sentences(itself) ==
        "rule 6: task `sum` is a collective and may drop batches, of which ranks would disagree; "
        "let it keep all, and write what they agree on to a slot\n");
  draft after;
  after.add("judge", 1).drops().reads({"source"}).writes({"a"});
  after.add("pass", 1).reads({"a"}).writes({"b"});
  after.add("sum").collective().reads({"b"});
  CHECK(sentences(after) ==
        "rule 6: task `sum` is a collective, but does not run for batches that `judge` drops, of "
        "which ranks would disagree; let `judge` keep all, and write what it thinks of them to a "
        "slot\n");
  draft beside;
  beside.add("judge", 1).drops().reads({"source"}).writes({"a"});
  beside.add("sum").collective().reads({"source"});
  CHECK(sentences(beside).empty());
}

TEST_CASE("a task that drops its failures is among those that may drop batches") {
  draft d;
  d.add("parse", 2).drops_failures().reads({"source"}).writes({"a"});
  d.add("filter", 1).drops().reads({"a"}).writes({"b"});
  d.add("check", 1).drops().drops_failures(7).reads({"b"}).writes({"c"});
  d.add("use").reads({"c"}).writes({"d"});
  d.result("d");
  CHECK(sentences(d).empty());
  const planner::verdicts v = of(d);
  CHECK(numbers(v.droppers.begin(), v.droppers.end()) == numbers{0, 1, 2});
  CHECK(numbers(v.failures.begin(), v.failures.end()) == numbers{planner::none, 0, 7});
  CHECK(v.drop_failures);
  CHECK(asked(v, 1) == numbers{0});
  CHECK(asked(v, 2) == numbers{1});
  CHECK(asked(v, 3) == numbers{2});
  const std::string told =
      planner::describe("d", d.declaration(), planner::make_plan(d.declaration()));
  CHECK(told.find("  drops batches if it fails  reads source  writes a\n") != std::string::npos);
  CHECK(told.find("  may drop batches  reads a") != std::string::npos);
  CHECK(told.find("  may drop batches, also if it fails, 7 at most  reads b") != std::string::npos);

  draft judged;
  judged.add("parse").drops().reads({"source"}).writes({"a"});
  CHECK_FALSE(of(judged).drop_failures);
}

TEST_CASE("rules that dropped batches break name on_failure where that is why") {
  draft itself;
  itself.add("judge").every(4).drops_failures().reads({"source"});
  CHECK(sentences(itself) ==
        "rule 2: task `judge` may drop batches if it fails (its `on_failure`), but runs once per 4 "
        "batches (phase 3); let it run for every batch\n");
  draft after;
  after.add("judge", 1).drops_failures().reads({"source"}).writes({"a"});
  after.add("step", 1).every(4).reads({"a"}).writes({"weights"});
  CHECK(sentences(after) ==
        "rule 2: task `step` writes slot `weights` once per 4 batches (phase 3), but `judge` may "
        "drop the batch that it runs for if it fails (its `on_failure`), and there would be no "
        "value for the group; let it run for every batch, or not use what comes after `judge`\n");
  draft latest;
  latest.add("judge", 1).drops_failures().reads({"source"}).writes({"a"});
  latest.add("use").latest("a");
  CHECK(sentences(latest) ==
        "rule 5: task `use` reads the latest value of slot `a`, which is not written for batches "
        "that `judge` drops if it fails (its `on_failure`); read it as `previous`, which is empty "
        "then, or keep what is needed in a member\n");
  draft window;
  window.add("judge", 1).drops_failures().reads({"source"}).writes({"a"});
  window.add("use").window("a", 3);
  CHECK(sentences(window) ==
        "rule 5: task `use` reads slot `a` as a `window`, but it is not written for batches that "
        "`judge` drops if it fails (its `on_failure`); read it as `previous`, which is empty then, "
        "or keep what is needed in a member\n");
  draft collective;
  collective.add("sum").collective().drops_failures().reads({"source"});
  CHECK(sentences(collective) ==
        "rule 6: task `sum` is a collective and may drop batches if it fails (its `on_failure`), "
        "of which ranks would disagree; let its failures end the run, as they do without, or catch "
        "what is thrown and write that to a slot\n");
  draft behind;
  behind.add("judge", 1).drops_failures().reads({"source"}).writes({"a"});
  behind.add("sum").collective().reads({"a"});
  CHECK(sentences(behind) ==
        "rule 6: task `sum` is a collective, but does not run for batches that `judge` drops if it "
        "fails (its `on_failure`), of which ranks would disagree; let its failures end the run, as "
        "they do without, or catch what is thrown and write that to a slot\n");
  // Of one that drops by its verdict, too, the verdict is to go as well.
  draft both;
  both.add("sum").collective().drops().drops_failures().reads({"source"});
  CHECK(sentences(both).find("on_failure") == std::string::npos);
}

TEST_CASE("a source that drops its failures is among those that may drop batches, as the last") {
  draft d;
  d.add("parse", 2).reads({"source"}).writes({"a"});
  d.add("filter", 1).drops().reads({"a"}).writes({"b"});
  d.add("beside", 1).writes({"c"});
  d.add("use").reads({"b", "c"}).previous("source").writes({"d"});
  d.result("d");
  d.source_drops_failures(7);
  CHECK(sentences(d).empty());
  const planner::verdicts v = of(d);
  CHECK(numbers(v.droppers.begin(), v.droppers.end()) == numbers{1, 4});
  CHECK(numbers(v.failures.begin(), v.failures.end()) == numbers{0, 7});
  CHECK(v.drop_failures);
  CHECK(asked(v, 0) == numbers{4});
  CHECK(asked(v, 1) == numbers{4});
  CHECK(asked(v, 2).empty());
  CHECK(asked(v, 3) == numbers{1});
  CHECK(asked(v, 4).empty());
  CHECK(asked(v, 5) == numbers{1});
  CHECK(v.looked_back == 1);
  const std::string told =
      planner::describe("d", d.declaration(), planner::make_plan(d.declaration()));
  CHECK(told.find("  drops batches if it fails, 7 at most  writes source\n") != std::string::npos);

  // Where there are no results, the batch itself is none.
  draft bare;
  bare.add("beside").writes({"c"});
  bare.source_drops_failures();
  const planner::verdicts of_bare = of(bare);
  CHECK(asked(of_bare, 2) == numbers{1});
  CHECK(numbers(of_bare.failures.begin(), of_bare.failures.end()) == numbers{planner::none});

  // Ranks that run the same plan agree on that, too.
  const auto print = [](bool skips) {
    draft plain;
    plain.add("parse").reads({"source"}).writes({"a"});
    if (skips) plain.source_drops_failures();
    const planner::declaration all = plain.declaration();
    return planner::fingerprint(all, planner::make_plan(all));
  };
  CHECK(print(false) != print(true));
}

TEST_CASE("rules that dropped batches break name the source where that drops them") {
  draft after;
  after.add("step").every(4).reads({"source"}).writes({"weights"});
  after.source_drops_failures();
  CHECK(sentences(after) ==
        "rule 2: task `step` writes slot `weights` once per 4 batches (phase 3), but the source "
        "may drop the batch that it runs for if it fails (its `on_failure`), and there would be no "
        "value for the group; let it run for every batch, or not use what comes after the "
        "source\n");
  draft latest;
  latest.add("use").latest("source");
  latest.source_drops_failures();
  CHECK(sentences(latest) ==
        "rule 5: task `use` reads the latest value of slot `source`, which is not written for "
        "batches that the source drops if it fails (its `on_failure`); read it as `previous`, "
        "which is empty then, or keep what is needed in a member\n");
  draft window;
  window.add("parse", 1).reads({"source"}).writes({"a"});
  window.add("use").window("a", 3);
  window.source_drops_failures();
  CHECK(sentences(window) ==
        "rule 5: task `use` reads slot `a` as a `window`, but it is not written for batches that "
        "the source drops if it fails (its `on_failure`); read it as `previous`, which is empty "
        "then, or keep what is needed in a member\n");
  draft behind;
  behind.add("parse", 1).reads({"source"}).writes({"a"});
  behind.add("sum").collective().reads({"a"});
  behind.source_drops_failures();
  CHECK(sentences(behind) ==
        "rule 6: task `sum` is a collective, but does not run for batches that the source drops if "
        "it fails (its `on_failure`), of which ranks would disagree; let its failures end the run, "
        "as they do without, or catch what is thrown in the source, and go on to the next there\n");
  draft beside;
  beside.add("sum").collective().writes({"a"});
  beside.source_drops_failures();
  CHECK(sentences(beside).empty());

  const std::string together =
      "rule 6: the source drops batches if it fails (its `on_failure`), but ranks agree before "
      "each batch whether all have one, and would disagree on those; let its failures end the run, "
      "as they do without, or catch what is thrown in the source, and go on to the next there\n";
  planner::declaration agreed = beside.declaration();
  agreed.from.collective = true;
  CHECK(sentences(agreed) == together);
  draft roles;
  roles.add("read").reads({"source"}).writes({"a"});
  roles.source_drops_failures();
  planner::declaration of_roles = roles.declaration();
  std::vector<planner::task> tasks(of_roles.tasks.begin(), of_roles.tasks.end());
  tasks[0].role = "reader";
  of_roles.tasks = tasks;
  CHECK(sentences(of_roles) == together);
}
