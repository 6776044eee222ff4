// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Reads of earlier batches: what they wait for, the copies that they keep, what they do not allow,
// and how they are told.

#include <doctest/doctest.h>
#include <algorithm>
#include <stretto/plan/derive/copies.hpp>
#include <stretto/plan/derive/pipelined.hpp>
#include <stretto/plan/fingerprint.hpp>
#include <stretto/plan/make_plan.hpp>
#include <stretto/plan/rules/diagnose.hpp>
#include <stretto/plan/rules/repair.hpp>
#include <stretto/plan/text/describe.hpp>
#include <stretto/plan/text/explain.hpp>
#include <stretto/plan/text/sentence.hpp>
#include <stretto/plan/text/witness.hpp>
#include <string>
#include <vector>
#include "draft.hpp"

namespace {

namespace planner = stretto::planner;
namespace kind = planner::kind;
using planner::edge;
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

TEST_CASE("an earlier batch is read after its writers, and kept until then") {
  draft d;
  d.add("load", 1).writes({"image"});
  d.add("patch", 0).writes({"image"});
  d.add("flow", 0).previous("image", 2);
  const planner::plan p = planner::make_plan(d.declaration());
  CHECK(deltas(p.edges, 0, 2, reason::data) == std::vector{3});
  CHECK(deltas(p.edges, 1, 2, reason::data) == std::vector{2});
  CHECK(copies_of(p, "image") == 4);
  CHECK(deltas(p.edges, 2, 0, reason::reuse) == std::vector{1});
  CHECK(deltas(p.edges, 1, 0, reason::reuse) == std::vector{3});
  CHECK(deltas(p.edges, 2, 1, reason::update).empty());
}

TEST_CASE("a task reads what it wrote itself, and what a task after it wrote") {
  draft d;
  d.add("average").reads({"source"}).previous("mean").writes({"mean"});
  d.add("steer").previous("error").reads({"mean"}).writes({"way"});
  d.add("measure").reads({"way"}).writes({"error"});
  CHECK(sentences(d.declaration()).empty());
  const planner::plan p = planner::make_plan(d.declaration());
  CHECK(deltas(p.edges, 0, 0, reason::data) == std::vector{1});
  CHECK(deltas(p.edges, 2, 1, reason::data) == std::vector{1});
  CHECK(copies_of(p, "mean") == 2);
  CHECK(copies_of(p, "error") == 2);
  CHECK(copies_of(p, "way") == 1);
}

TEST_CASE("read further ahead than it is written, an earlier batch orders the progress") {
  draft d;
  d.add("peek", 1).previous("image");
  d.add("load", 0).writes({"image"});
  CHECK(sentences(d.declaration()).empty());
  const planner::plan p = planner::make_plan(d.declaration());
  CHECK(deltas(p.edges, 1, 0, reason::data) == std::vector{0});
  CHECK(std::vector<std::size_t>(p.order.begin(), p.order.end()) ==
        std::vector<std::size_t>{2, 1, 0, 3});
  CHECK(copies_of(p, "image") == 1);
  // With a read the other way, nobody would be first.
  d.add("tell", 0).reads({"image"}).depends_on({"peek"}).writes({"told"});
  CHECK(sentences(d.declaration()).empty());
}

TEST_CASE("an earlier batch that is not written yet is an error, which says how to mend it") {
  draft d;
  d.add("flow", 3).previous("image");
  d.add("denoise", 0).writes({"image"});
  CHECK(sentences(d.declaration()) ==

        "rule 5: task `flow` reads the value of slot `image` one batch earlier at lookahead 3, but "
        "`denoise` writes it only at lookahead 0; raise the lookahead of `denoise` to at least "
        "2, or read the value of 3 batches earlier\n");
  const planner::declaration declared = d.declaration();
  const planner::finding found = planner::diagnose(declared).findings[0];
  CHECK(found.what == kind::slot_future_read);
  CHECK(planner::repair_of(declared, found).how == planner::remedy::set_lookahead);
  CHECK(planner::repair_of(declared, found).value == 2);

  // Each of several writers counts.
  draft more;
  more.add("load", 3).writes({"image"});
  more.add("denoise", 1).writes({"image"});
  more.add("flow", 4).previous("image", 2);
  CHECK(sentences(more.declaration()) ==

        "rule 5: task `flow` reads the value of slot `image` 2 batches earlier at lookahead 4, but "
        "`denoise` writes it only at lookahead 1; raise the lookahead of `denoise` to at least "
        "2, or read the value of 3 batches earlier\n");

  draft nobody;
  nobody.add("flow").previous("image");
  CHECK(sentences(nobody.declaration()) ==
        "rule 5: task `flow` reads slot `image`, which no task writes; list the "
        "task that does, or drop the read\n");
}

TEST_CASE("a queue that leads too far ahead is an error") {
  draft d;
  d.add("flow", 0).thread("far").previous("image").writes({"field"});
  d.add("denoise", 0).thread("near").reads({"field"}).writes({"image"});
  d.group("far", 3);
  CHECK(
      sentences(d.declaration()) ==

      "rule 5: task `flow` reads the value of slot `image` one batch earlier at lookahead 3 (with "
      "the schedule's queues and workers), but `denoise` writes it only at lookahead 0; "
      "raise the lookahead of `denoise` to at least 2, or read the value of 3 batches "
      "earlier\n");
}

TEST_CASE("a queue before tasks that feed back is as long as it is asked to be") {
  draft d;
  d.add("load", 0).thread("l").reads({"source"}).writes({"image"});
  d.add("patch", 0).thread("p").reads({"image"}).writes({"patched"});
  d.add("steer", 0).reads({"patched"}).previous("error").writes({"way"});
  d.add("measure", 0).reads({"way"}).writes({"error"});
  d.group("l", 3).group("p", 2);
  const planner::declaration declared = d.declaration();
  CHECK(sentences(declared).empty());
  CHECK(planner::planned_lookahead(declared, 0) == 5);
  CHECK(planner::planned_lookahead(declared, 1) == 2);
  CHECK(planner::planned_lookahead(declared, 2) == 0);
}

TEST_CASE("workers take turns at a task that reads what it wrote a batch before") {
  draft d;
  d.add("average").thread("w").reads({"source"}).previous("mean").writes({"mean"});
  d.add("twice").thread("w").reads({"source"}).previous("sum", 2).writes({"sum"});
  d.add("report").reads({"mean"}).reads({"sum"});
  d.group("w", 0, 2);
  const planner::declaration declared = d.declaration();
  CHECK(sentences(declared).empty());
  CHECK_FALSE(planner::shared_by_workers(declared, 0));
  CHECK(planner::shared_by_workers(declared, 1));
  const planner::plan p = planner::make_plan(declared);
  CHECK(deltas(p.edges, 0, 0, reason::data) == std::vector{1});
  CHECK(std::any_of(p.edges.begin(), p.edges.end(), [&p](const edge& e) {
    return e.producer == 0 && e.consumer == 0 && e.why == reason::data && p.threads.crosses(e);
  }));
}

TEST_CASE("one batch at a time, an earlier one takes a copy more") {
  draft d;
  d.add("flow").previous("image").reads({"image"});
  d.add("load").writes({"image"});
  planner::declaration declared = d.declaration();
  declared.serial = true;
  CHECK(sentences(declared).empty());
  const planner::plan p = planner::make_plan(declared);
  CHECK(deltas(p.edges, 1, 0, reason::data) == std::vector{1, 0});
  CHECK(copies_of(p, "image") == 2);
}

TEST_CASE("lookaheads are raised as far as earlier batches allow") {
  draft d;
  d.add("steer").thread("A").reads({"source"}).previous("error").writes({"way"});
  d.add("plan").thread("B").reads({"way"}).writes({"path"});
  d.add("measure").thread("C").reads({"path"}).writes({"error"});
  d.result("error");
  const planner::declaration declared = d.declaration();
  const planner::graph g = planner::planned_graph(declared);
  const planner::track_map tracks = planner::tracks_of(declared, g);
  const planner::list<int> raised =
      planner::raised_up_to(g, tracks.of, planner::depths(declared, g, tracks.of), {10});
  // Once round is one batch: of two steps, one can be a progress earlier.
  CHECK(raised[0] - raised[2] == 1);
}

TEST_CASE("an entry of cross_iter_depends_on that says the same is superfluous") {
  draft d;
  d.add("load", 0).writes({"image"});
  d.add("flow", 0).previous("image", 2).cross_iter("load", 2);
  CHECK(sentences(d.declaration()) ==
        "rule 6: task `flow` names `load` in cross_iter_depends_on; drop the "
        "entry: the read of `image` already orders it\n");
  draft behind;
  behind.add("load", 0).writes({"image"});
  behind.add("flow", 2).previous("image", 2).cross_iter("load", 2);
  CHECK(sentences(behind.declaration()) == sentences(d.declaration()));
  draft other;
  other.add("load", 0).writes({"image"});
  other.add("flow", 1).previous("image", 3).cross_iter("load", 2);  // of a later batch
  CHECK(sentences(other.declaration()).empty());
  draft twice;
  twice.add("load", 0).writes({"image"});
  twice.add("flow", 0).reads({"image"}).previous("image").previous("image", 2).previous("image");
  CHECK(sentences(twice.declaration()) ==
        "rule 6: task `flow` lists `image` twice in reads; drop one\n");
}

TEST_CASE("a plan tells of which batch a value is") {
  draft d({"s"});
  d.add("load", 1, "s").thread("a").writes({"image"});
  d.add("flow", 0).thread("b").reads({"image"}).previous("image").previous("image", 2);
  const planner::declaration declared = d.declaration();
  const planner::plan p = planner::make_plan(declared);
  const std::string told = planner::describe("s", declared, p, {}, {});
  CHECK(told.find("reads image, image 1 batch ago, image 2 batches ago\n") != std::string::npos);
  CHECK(planner::explain(declared, p, 0, 1, 2) ==
        "`load` 2 progresses earlier comes before `flow`:\n"
        "  `load` before `flow`, 1 progress later: reads `image`\n");
  draft own;
  own.add("average").reads({"source"}).previous("mean", 3).writes({"mean"});
  own.add("late", 0).thread("b").previous("mean");
  const planner::declaration one = own.declaration();
  const std::string why = planner::explain(one, planner::make_plan(one), 0, 1, 1);
  CHECK(why.find("1 progress later: reads `mean`, of the batch before\n") != std::string::npos);
}

TEST_CASE("which batch is read is part of a plan's fingerprint") {
  const auto fingerprint = [](int ago) {
    draft d;
    d.add("load").writes({"image"});
    d.add("flow").previous("image", ago);
    const planner::declaration declared = d.declaration();
    return planner::fingerprint(declared, planner::make_plan(declared));
  };
  CHECK(fingerprint(0) != fingerprint(1));
  CHECK(fingerprint(1) != fingerprint(2));
}

TEST_CASE("what values of an earlier batch point into is kept as long as they are") {
  draft d;
  d.add("load").writes({"text"});
  d.add("split").reads({"text"}).writes({"words"});
  d.add("compare").reads({"words"}).previous("words");
  CHECK(copies_of(planner::make_plan(d.declaration()), "text") == 1);
  d.points("words", "text");
  CHECK(sentences(d.declaration()).empty());
  const planner::plan p = planner::make_plan(d.declaration());
  CHECK(copies_of(p, "words") == 2);
  CHECK(copies_of(p, "text") == 2);
  CHECK(deltas(p.edges, 2, 0, reason::reuse) == std::vector{2, 1});
}

TEST_CASE("nobody updates what values of an earlier batch point into") {
  draft d;
  d.add("load", 2).writes({"text"});
  d.add("split", 2).reads({"text"}).writes({"words"});
  d.add("compare", 2).reads({"words"}).previous("words");
  d.add("upper", 0).writes({"text"});
  d.points("words", "text");
  const std::string said =
      "task `upper` writes slot `text` when `words`, which points into it, is "
      "made, and `compare` still uses that";
  CHECK(sentences(d.declaration()).find(said) != std::string::npos);
  planner::declaration serial = d.declaration();
  serial.serial = true;
  CHECK(sentences(serial).find(said) != std::string::npos);
}

TEST_CASE("nobody takes a value that a later batch looks back at") {
  draft d;
  d.add("load", 2).writes({"image"});
  d.add("flow", 2).previous("image");
  d.add("store").takes({"image"});
  CHECK(sentences(d.declaration())
            .find("task `store` takes the value of slot `image`, which "
                  "`flow` still uses for a later batch") != std::string::npos);
  draft own;
  own.add("load").writes({"image"});
  own.add("flow").takes({"image"}).previous("image");
  CHECK(!sentences(own.declaration()).empty());
}
