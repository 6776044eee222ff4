// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Thread groups with a queue or workers: who works how much further ahead, what copies that takes,
// and what is still in order.

#include <doctest/doctest.h>
#include <set>
#include <stretto/plan/layout/modelled_period.hpp>
#include <stretto/plan/order/fewest_waits.hpp>
#include <stretto/plan/rules/diagnose.hpp>
#include <stretto/plan/text/sentence.hpp>
#include <stretto/plan/text/witness.hpp>
#include <string>
#include <vector>
#include "../draft.hpp"

namespace {

namespace planner = stretto::planner;
namespace kind = planner::kind;

/// The lookaheads that tasks, `pull` and `deliver` are planned with.
std::vector<int> lookaheads(const planner::declaration& d) {
  std::vector<int> all;
  for (const planner::node& n : planner::planned_graph(d).nodes) all.push_back(n.lookahead);
  return all;
}

std::size_t copies(planner::declaration d, std::string_view slot) {
  d.frugal = true;
  const planner::plan p = planner::make_plan(d);
  for (std::size_t s = 0; s < p.copies.size(); ++s)
    if (p.resolved.slot_list[s].text == slot) return p.copies[s];
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
  CHECK(planner::diagnose(d.declaration()).findings.empty());
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

TEST_CASE("who reads a value before it is taken still does") {
  draft d;
  d.add("load").reads({"source"}).writes({"batch"});
  d.add("log").reads({"batch"});
  d.add("send").thread("sending").takes({"batch"});
  d.group("sending", 3);
  CHECK(planner::diagnose(d.declaration()).findings.empty());
  CHECK(lookaheads(d.declaration()) == std::vector{3, 3, 3, 3, 0});
  for (const planner::edge& e : planner::make_plan(d.declaration()).edges) CHECK(e.delta >= 0);
}

TEST_CASE("the bound: as many batches further, not one more") {
  loading d;
  d.source_on("loading").group("loading", 4);
  const auto p = planner::make_plan(d.declaration());
  CHECK(p.in_flight() == 6);
  // 1 + 4 batches ahead of the one that `train` works on: batch b + 5 in the progress of b + 5,
  // while b is trained there.
  for (const planner::edge& e : p.edges) {
    if (e.why == planner::reason::data && e.consumer == 1) CHECK(e.delta == 5);
    if (e.why == planner::reason::reuse && e.consumer == 0) CHECK(e.delta == 1);
  }
}

TEST_CASE("a task cannot be further ahead of a run that it waits for") {
  loading d;
  d.load.cross_iter("train", 3);
  d.group("loading", 2);
  CHECK(planner::diagnose(d.declaration()).findings.empty());
  loading longer;
  longer.load.cross_iter("train", 3);
  longer.group("loading", 3);
  const planner::declaration declared = longer.declaration();
  const auto found = planner::diagnose(declared).findings;
  REQUIRE(found.size() == 1);
  CHECK(found[0].what == kind::cross_iter_future_read);
  CHECK(found[0].task == 0);
  CHECK(found[0].other == 1);
  CHECK(planner::sentence(declared, found[0]) ==
        "rule 6: task `load` (lookahead 4 with the schedule's queues and workers) waits for the "
        "run of `train` (lookahead 0) 3 batches ago, which is still to come; name it at least 4 "
        "batches ago");
}

TEST_CASE("a cycle that only the queue closes is found") {
  loading d;
  d.load.cross_iter("train", 3);  // in the same progress with a queue of 2
  d.train.sync({"load"});
  CHECK(planner::diagnose(d.declaration()).findings.empty());
  d.group("loading", 2);
  const planner::declaration declared = d.declaration();
  const auto found = planner::diagnose(declared);
  REQUIRE(found.findings.size() == 1);
  CHECK(found.findings[0].what == kind::cycle);
  CHECK(found.cycle.size() == 2);
  CHECK(planner::sentence(declared, found.findings[0], found.cycle)
            .find("`load` waits for `train` waits for `load`") != std::string::npos);
}

TEST_CASE("a queue lets tasks overlap that took turns, which may be a race") {
  draft d;
  d.add("load").thread("loading").reads({"source"}).writes({"image"}).mutates({"r"});
  d.add("train").thread("training").reads({"image"}).mutates({"r"});
  CHECK(planner::diagnose(d.declaration()).findings.empty());
  d.group("loading", 1);
  const planner::declaration declared = d.declaration();
  const auto found = planner::diagnose(declared).findings;
  REQUIRE(found.size() == 1);
  CHECK(found[0].what == kind::race);
  const auto races = planner::races(declared, planner::make_plan(declared));
  CHECK(races[0].forth == 1);  // the next progress in both directions: neither is between two
  CHECK(races[0].back == 1);
}

namespace {

/// A run-ahead wait: who, for whom, how many progresses back.
struct waiting {
  std::size_t consumer, producer;
  int delta;
  friend auto operator<=>(const waiting&, const waiting&) = default;
};
std::set<waiting> waits(const planner::declaration& d) {
  std::set<waiting> all;
  for (const planner::edge& e : planner::run_ahead_waits(planner::make_plan(d)))
    all.insert({e.consumer, e.producer, e.delta});
  return all;
}

/// Two tasks on a group with workers, one behind the other.
struct decoding : draft {
  task& read = add("read").thread("disk").reads({"source"}).writes({"bytes"});
  task& decode = add("decode").thread("pool").reads({"bytes"}).writes({"image"});
  task& judge = add("judge").thread("pool").reads({"image"}).writes({"verdict"});
  task& train = add("train").thread("training").reads({"image", "verdict"});
  explicit decoding(int workers, int queue = 0) { group("pool", queue, workers); }
};

}  // namespace

TEST_CASE("workers work one less than they are further ahead, and hold a copy each") {
  decoding d(3);
  d.decode.writes({"scratch"});
  CHECK(lookaheads(d.declaration()) == std::vector{2, 2, 2, 0, 2, 0});
  CHECK(copies(d.declaration(), "bytes") == 3);    // into the group
  CHECK(copies(d.declaration(), "image") == 3);    // out of it
  CHECK(copies(d.declaration(), "scratch") == 3);  // inside
  CHECK(copies(d.declaration(), "source") == 1);   // elsewhere
  decoding more(3, 4);
  more.decode.writes({"scratch"});
  CHECK(lookaheads(more.declaration()) == std::vector{6, 6, 6, 0, 6, 0});
  CHECK(copies(more.declaration(), "bytes") == 7);
  CHECK(copies(more.declaration(), "image") == 7);
  CHECK(copies(more.declaration(), "scratch") == 3);
}

TEST_CASE("workers do not wait for each other, except for what tasks declare") {
  const auto fellows = [](const planner::declaration& d) {
    std::set<waiting> all;
    for (const waiting& w : waits(d))
      if ((w.consumer == 1 || w.consumer == 2) && (w.producer == 1 || w.producer == 2))
        all.insert(w);
    return all;
  };
  decoding apart(3);
  CHECK(fellows(apart.declaration()).empty());
  decoding in_turn(3);
  in_turn.judge.cross_iter("judge", 1);
  CHECK(fellows(in_turn.declaration()) == std::set<waiting>{{2, 2, 1}});
  decoding three_ago(3);
  three_ago.judge.cross_iter("judge", 3);  // the same worker
  CHECK(fellows(three_ago.declaration()).empty());
  decoding four_ago(3, 4);  // with fewer in flight, pulling waits for it

  four_ago.decode.cross_iter("judge", 4);
  CHECK(fellows(four_ago.declaration()) == std::set<waiting>{{1, 2, 4}});
  decoding alone(1);
  alone.judge.cross_iter("judge", 1);
  CHECK(fellows(alone.declaration()).empty());
}

TEST_CASE("a task that nobody reads from waits before it writes a copy again") {
  decoding d(2, 4);
  d.decode.writes({"scratch"});
  d.slack("scratch", 1);  // three copies: three batches back is the fellow's run
  CHECK(waits(d.declaration()).count({1, 1, 3}) == 1);
  decoding none(2, 4);
  none.decode.writes({"scratch"});
  CHECK(waits(none.declaration()).count({1, 1, 2}) == 0);
}

TEST_CASE("a batch is handed out when each worker is done with it") {
  const auto waited_for = [](int workers) {
    draft d;
    d.add("count", 1).thread("pool");
    d.add("decode").thread("pool").reads({"source"});
    d.group("pool", 0, workers);
    const auto declared = d.declaration();
    const auto deliver = planner::make_plan(declared).resolved.deliver();
    std::set<std::size_t> all;
    for (const waiting& w : waits(declared))
      if (w.consumer == deliver) all.insert(w.producer);
    return all;
  };
  // The thread that runs `decode` for a batch ran `count` for it before. A fellow that did so ran
  // `decode` next, for the batch before, which was handed out before.
  CHECK(waited_for(1) == std::set<std::size_t>{1});
  CHECK(waited_for(2) == std::set<std::size_t>{1});
}

TEST_CASE("a task on workers that mutates a resource races with itself unless it takes turns") {
  decoding d(2);
  d.judge.mutates({"r"});
  const planner::declaration declared = d.declaration();
  const auto found = planner::diagnose(declared).findings;
  REQUIRE(found.size() == 1);
  CHECK(found[0].what == kind::race);
  CHECK(found[0].task == 2);
  CHECK(found[0].other == 2);
  CHECK(planner::sentence(declared, found[0]) ==
        "race: task `judge` mutates `r` on several workers at once; let it wait for its own run on "
        "the batch before (cross_iter_depends_on), or move it to a thread without workers");
  CHECK(planner::witness(declared, found[0]).find(" while `judge`") != std::string::npos);
  CHECK(planner::repair_of(declared, found[0]).how == planner::remedy::unknown);

  decoding in_turn(2);
  in_turn.judge.mutates({"r"}).cross_iter("judge", 1);
  CHECK(planner::diagnose(in_turn.declaration()).findings.empty());
  decoding every_other(2);
  every_other.judge.mutates({"r"}).cross_iter("judge", 2);
  CHECK(planner::diagnose(every_other.declaration()).findings.size() == 1);
  decoding observed(2);
  observed.judge.observes({"r"});
  CHECK(planner::diagnose(observed.declaration()).findings.empty());
  decoding one(1);
  one.judge.mutates({"r"});
  CHECK(planner::diagnose(one.declaration()).findings.empty());
}

TEST_CASE("two tasks on workers race unless each batch is between two of the other") {
  decoding d(3);
  d.decode.observes({"r"});
  d.judge.mutates({"r"}).cross_iter("judge", 1);
  CHECK(planner::diagnose(d.declaration()).findings.size() == 1);
  d.decode.cross_iter("judge", 1);
  CHECK(planner::diagnose(d.declaration()).findings.empty());
}

TEST_CASE("workers are for host tasks alone: elsewhere a group has one") {
  draft d({"s"});
  d.add("on a stream", 0, "s").thread("a");
  d.add("collective").thread("b").collective();
  d.add("pulls").thread("c");
  d.add("free").thread("d");
  d.source_on("c");
  for (const char* thread : {"a", "b", "c", "d", "caller"}) d.group(thread, 0, 2);
  const auto declared = d.declaration();
  CHECK(planner::workers_on(declared, "a") == 1);
  CHECK(planner::workers_on(declared, "b") == 1);
  CHECK(planner::workers_on(declared, "c") == 1);
  CHECK(planner::workers_on(declared, "d") == 2);
  CHECK(planner::workers_on(declared, "caller") == 1);
  const auto p = planner::make_plan(declared);
  CHECK(lookaheads(declared) == std::vector{0, 0, 0, 1, 1, 0});
  CHECK(p.threads.workers.size() == p.threads.names.size());
}

TEST_CASE("the modelled time of a group is shared by its workers, of a task in turn it is not") {
  const auto period = [](decoding& d) {
    std::vector<planner::task> rows;
    planner::declaration all = d.declaration();
    for (const planner::task& t : all.tasks) rows.push_back(t);
    rows[1].weight = 600;
    rows[2].weight = 300;
    rows[3].weight = 200;
    all.tasks = rows;
    return planner::make_modelled(all, planner::make_plan(all));
  };
  decoding one(1, 3);
  CHECK(period(one).period == planner::ratio{900, 1});
  decoding three(3, 3);
  CHECK(period(three).period == planner::ratio{300, 1});
  CHECK(period(three).least == planner::ratio{200, 1});
  decoding many(9, 3);
  CHECK(period(many).period == planner::ratio{200, 1});  // `train` alone
  CHECK(period(many).least == planner::ratio{200, 1});
  decoding in_turn(9, 3);
  in_turn.judge.cross_iter("judge", 1);
  CHECK(period(in_turn).period == planner::ratio{300, 1});
  CHECK(period(in_turn).least == planner::ratio{300, 1});
}
