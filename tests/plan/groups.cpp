// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Thread groups with a queue: who works how much further ahead, and what copies that takes.

#include <doctest/doctest.h>
#include <stretto/plan/diagnose.hpp>
#include <stretto/plan/minimal.hpp>
#include <stretto/plan/sentence.hpp>
#include <string>
#include <vector>
#include "draft.hpp"

namespace {

namespace plan = stretto::plan;
using plan::kind;

/// The lookaheads that tasks, `pull` and `deliver` are planned with.
std::vector<int> lookaheads(const plan::declaration& d) {
  std::vector<int> all;
  for (const plan::node& n : plan::planned_graph(d).nodes) all.push_back(n.lookahead);
  return all;
}

std::size_t copies(const plan::declaration& d, std::string_view slot) {
  const plan::plan p = plan::make_plan(d);
  for (std::size_t s = 0; s < p.copies.size(); ++s)
    if (p.resolved.slots[s].text == slot) return p.copies[s];
  return 0;
}

/// Loads ahead of a trainer, each on a thread of its own; the source is the caller's.
struct loading : draft {
  task& load = add("load", 1).thread("loading").reads({"source"}).writes({"image"});
  task& train = add("train").thread("training").reads({"image"}).writes({"loss"});
  loading() { result("loss"); }
};

}  // namespace

TEST_CASE("a group with a queue works as much further ahead, and so does the source") {
  loading d;
  CHECK(lookaheads(d.declaration()) == std::vector{1, 0, 1, 0});
  d.group("loading", 4);
  CHECK(plan::diagnose(d.declaration()).findings.empty());
  CHECK(lookaheads(d.declaration()) == std::vector{5, 0, 5, 0});
}

TEST_CASE("slots that cross into or out of the group have as many copies more, others have not") {
  loading d;
  d.load.writes({"scratch"});
  d.add("look", 1).thread("loading").reads({"scratch"});
  CHECK(copies(d.declaration(), "source") == 1);
  CHECK(copies(d.declaration(), "image") == 2);
  d.group("loading", 4);
  CHECK(copies(d.declaration(), "source") == 5);
  CHECK(copies(d.declaration(), "image") == 6);
  CHECK(copies(d.declaration(), "scratch") == 1);
  CHECK(copies(d.declaration(), "loss") == 1);
  d.source_on("loading");  // it does not cross then
  CHECK(copies(d.declaration(), "source") == 1);
}

TEST_CASE("slack comes on top of what a queue needs") {
  loading d;
  d.group("loading", 4).slack("source", 2).slack("image", 1);
  CHECK(copies(d.declaration(), "source") == 7);
  CHECK(copies(d.declaration(), "image") == 7);
}

TEST_CASE("a source stays as far ahead of the deepest task as it was, and may have a queue") {
  loading d;
  d.group("loading", 4).source_on("reader", 3);
  CHECK(lookaheads(d.declaration()) == std::vector{5, 0, 7, 0});
  d.group("reader", 2);
  CHECK(lookaheads(d.declaration()) == std::vector{5, 0, 9, 0});
  loading together;
  together.group("loading", 4).source_on("loading", 3);
  CHECK(lookaheads(together.declaration()) == std::vector{5, 0, 7, 0});
}

TEST_CASE("what a batch goes through before the group goes along, whatever orders it") {
  draft d;
  d.add("read", 2).thread("disk").writes({"bytes"});
  d.add("log", 2).thread("disk").depends_on({"read"});
  d.add("decode", 1).thread("decoding").reads({"bytes"}).depends_on({"log"}).writes({"image"});
  d.add("train").thread("training").reads({"image"});
  d.add("stat", 1).thread("aside").writes({"bytes of it"});
  d.add("check", 1).thread("decoding").reads({"bytes of it"});
  d.group("decoding", 3);
  CHECK(lookaheads(d.declaration()) == std::vector{5, 5, 4, 0, 4, 4, 5, 0});
  // A queue before another: its batches are further ahead than those of the one behind it.
  d.group("disk", 10);
  CHECK(lookaheads(d.declaration()) == std::vector{15, 15, 4, 0, 4, 4, 15, 0});
}

TEST_CASE("who looks at a slot before it is updated still does") {
  draft d;
  d.add("make", 2).thread("a").writes({"x"});
  d.add("look", 1).thread("b").reads({"x"});
  d.add("update").thread("c").writes({"x"});
  d.add("use").thread("d").reads({"x"});
  d.group("c", 5);
  CHECK(lookaheads(d.declaration()) == std::vector{7, 6, 5, 0, 7, 0});
}

TEST_CASE("the bound: as many batches further, not one more") {
  loading d;
  d.source_on("loading").group("loading", 4);
  const auto p = plan::make_plan(d.declaration());
  CHECK(p.in_flight() == 6);
  // 1 + 4 batches ahead of the one that `train` works on: batch b + 5 in the progress of b + 5,
  // while b is trained there.
  for (const plan::edge& e : p.edges) {
    if (e.why == plan::reason::data && e.consumer == 1) CHECK(e.delta == 5);
    if (e.why == plan::reason::reuse && e.consumer == 0) CHECK(e.delta == 1);
  }
}

TEST_CASE("a task cannot be further ahead of a run that it waits for") {
  loading d;
  d.load.cross_iter("train", 3);
  d.group("loading", 2);
  CHECK(plan::diagnose(d.declaration()).findings.empty());
  loading longer;
  longer.load.cross_iter("train", 3);
  longer.group("loading", 3);
  const plan::declaration declared = longer.declaration();
  const auto found = plan::diagnose(declared).findings;
  REQUIRE(found.size() == 1);
  CHECK(found[0].what == kind::cross_iter_future_read);
  CHECK(found[0].task == 0);
  CHECK(found[0].other == 1);
  CHECK(plan::sentence(declared, found[0]) ==
        "rule 6: task `load` (lookahead 4 with the schedule's queues and workers) waits for the "
        "run of `train` (lookahead 0) 3 batches ago, which is still to come; name it at least 4 "
        "batches ago");
}

TEST_CASE("a circle that only the queue closes is found") {
  loading d;
  d.load.cross_iter("train", 3);  // in the same progress with a queue of 2
  d.train.sync({"load"});
  CHECK(plan::diagnose(d.declaration()).findings.empty());
  d.group("loading", 2);
  const plan::declaration declared = d.declaration();
  const auto found = plan::diagnose(declared);
  REQUIRE(found.findings.size() == 1);
  CHECK(found.findings[0].what == kind::cycle);
  CHECK(found.cycle.size() == 2);
  CHECK(plan::sentence(declared, found.findings[0], found.cycle)
            .find("`load` waits for `train` waits for `load`") != std::string::npos);
}

TEST_CASE("a queue lets tasks overlap that took turns, which may be a race") {
  draft d;
  d.add("load").thread("loading").reads({"source"}).writes({"image"}).mutates({"r"});
  d.add("train").thread("training").reads({"image"}).mutates({"r"});
  CHECK(plan::diagnose(d.declaration()).findings.empty());
  d.group("loading", 1);
  const auto found = plan::diagnose(d.declaration()).findings;
  REQUIRE(found.size() == 1);
  CHECK(found[0].what == kind::race);
}
