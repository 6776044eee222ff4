// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What each rule finds in a small declaration, and the sentence for it.

#include <doctest/doctest.h>
#include <set>
#include <stretto/plan/rules/diagnose.hpp>
#include <stretto/plan/text/sentence.hpp>
#include "../../support/original.hpp"
#include "../draft.hpp"

namespace {

namespace planner = stretto::planner;
namespace kind = planner::kind;
using planner::field;
using planner::finding;
using planner::none;

std::vector<std::string> sentences(const planner::declaration& d) {
  const planner::diagnosis all = planner::diagnose(d);
  std::vector<std::string> text;
  text.reserve(all.findings.size());
  for (const finding& f : all.findings) text.push_back(planner::sentence(d, f, all.cycle));
  return text;
}

bool same(const finding& a, const finding& b) {
  return a.what == b.what && a.task == b.task && a.other == b.other && a.where == b.where &&
         a.position == b.position;
}

/// The only finding, and its sentence.
void check_only(draft& d, const finding& wanted, const std::string& sentence) {
  const planner::declaration declared = d.declaration();
  const planner::diagnosis all = planner::diagnose(declared);
  REQUIRE(all.findings.size() == 1);
  CAPTURE(planner::kind_name(all.findings[0].what));
  CHECK(same(all.findings[0], wanted));
  CHECK(planner::sentence(declared, all.findings[0], all.cycle) == sentence);
}

}  // namespace

TEST_CASE("a valid declaration has no findings") {
  draft d{"memcpy", "compute"};
  d.add("h2d", 1, "memcpy").reads({"source"}).writes({"batch"});
  d.add("forward", 0, "compute").reads({"batch"}).writes({"loss"}).cross_iter("step");
  d.add("step", 0, "compute").reads({"loss"});
  d.result("loss");
  CHECK(sentences(d.declaration()).empty());
}

TEST_CASE("rule 1: no task") {
  draft d;
  check_only(d, {kind::empty_schedule}, "rule 1: the schedule has no task; list one");
}

TEST_CASE("rule 1: one name for two tasks, found at every bearer but the first") {
  draft d;
  d.add("forward");
  d.add("step");
  d.add("forward");
  check_only(d, {kind::duplicate_name, 2, 0},
             "rule 1: task `forward` is listed twice; drop one, or give it a `name` of its own");
  d.add("forward");
  const auto all = planner::diagnose(d.declaration()).findings;
  REQUIRE(all.size() == 2);
  CHECK(same(all[1], {kind::duplicate_name, 3, 0}));
}

TEST_CASE("rule 1: an empty name") {
  draft d;
  d.add("forward");
  d.add("");
  check_only(d, {kind::empty_name, 1},
             "rule 1: task number 1 (from 0) has an empty name; give it a `name`");
}

TEST_CASE("rule 1: the names of the host tasks that every plan has") {
  draft pull;
  pull.add("pull");
  check_only(pull, {kind::reserved_name, 0},
             "rule 1: task `pull` has the name of what takes batches from the source, a task of "
             "every plan; give it a `name` of its own");
  draft deliver;
  deliver.add("forward");
  deliver.add("deliver");
  check_only(deliver, {kind::reserved_name, 1},
             "rule 1: task `deliver` has the name of what hands results out, a task of every plan; "
             "give it a `name` of its own");
  draft other;
  other.add("pulls");
  other.add("Deliver");
  CHECK(planner::diagnose(other.declaration()).findings.empty());
}

TEST_CASE("rule 2: a negative lookahead") {
  draft d;
  d.add("flush", -2);
  check_only(d, {kind::negative_lookahead, 0},
             "rule 2: task `flush` has lookahead -2; raise it to at least 0");
}

TEST_CASE("rule 2: a slot at a negative offset, at one that is not the task's lookahead") {
  draft d;
  d.add("load", 1).writes({"batch"});
  d.add("forward", 0).reads_at("batch", -1);
  check_only(d, {kind::negative_slot_offset, 1, none, field::reads, 0},
             "rule 2: task `forward` reads slot `batch` at offset -1; the least is 0, and the "
             "task's own lookahead is 0; what is of an earlier batch is read as `previous`");

  draft e;
  e.add("load", 2).writes({"tag"}).writes_at("batch", 3);
  check_only(e, {kind::slot_offset_mismatch, 0, none, field::writes, 1},
             "rule 2: task `load` writes slot `batch` at offset 3, but works at lookahead 2; "
             "the two must be equal");
}

TEST_CASE("rule 2: a task writes the source's slot, at whatever offset") {
  draft d;
  d.add("load", 1).reads({"source"}).writes({"batch"});
  d.add("scale", 0).writes({"loss", "source"});
  check_only(
      d, {kind::reserved_write, 1, none, field::writes, 1},
      "rule 2: task `scale` writes `source`, the slot that the source fills; read it, or take its "
      "value with `takes`, and write a slot of its own");
}

TEST_CASE("rule 3: a stream that is not declared; no stream is none") {
  draft d{"compute"};
  d.add("forward", 0, "compute");
  d.add("on host");
  d.add("h2d", 0, "memcpy");
  check_only(
      d, {kind::stream_not_declared, 2},
      "rule 3: task `h2d` is on stream `memcpy`, which the schedule does not declare; add it "
      "to `streams`");
}

TEST_CASE("rule 4: two writers of a slot at one lookahead") {
  draft d;
  d.add("load", 1).writes({"batch"});
  d.add("augment", 0).writes({"tag", "batch"});
  d.add("normalise", 0).writes({"batch"});
  check_only(d, {kind::multiple_writers, 2, 1, field::writes, 0},
             "rule 4: task `normalise` and `augment` both write slot `batch` at lookahead 0; "
             "give one of them another slot or another lookahead");
}

TEST_CASE("rule 4: writers on two streams are found once per task, and no stream is one") {
  draft d{"memcpy", "compute"};
  d.add("load", 2, "memcpy").writes({"batch"});
  d.add("augment", 1, "memcpy").writes({"batch"});
  d.add("normalise", 0, "compute").writes({"batch"});
  check_only(d, {kind::name_multi_stream, 2, 0, field::writes, 0},
             "rule 4: task `normalise` writes slot `batch` on stream `compute`, but `load` writes "
             "it on stream `memcpy`; put both on one stream or give each a slot");

  draft e{"memcpy"};
  e.add("load", 1, "memcpy").writes({"batch"});
  e.add("normalise", 0).writes({"batch"});
  check_only(e, {kind::name_multi_stream, 1, 0, field::writes, 0},
             "rule 4: task `normalise` writes slot `batch` on no stream, but `load` writes it on "
             "stream `memcpy`; put both on one stream or give each a slot");
}

TEST_CASE("rule 5: a read, and a result, that nobody writes") {
  draft d;
  d.add("forward").reads({"source", "labels"});
  check_only(d, {kind::unresolved_read, 0, none, field::reads, 1},
             "rule 5: task `forward` reads slot `labels`, which no task writes; list the task that "
             "does, or drop the read");

  draft e;
  e.add("forward").writes({"loss"});
  e.result("loss").result("accuracy");
  check_only(e, {kind::unresolved_read, 2, none, field::reads, 1},
             "rule 5: the result `accuracy` is written by no task; list the task that does, or "
             "drop it from `result`");
}

TEST_CASE("rule 5: a read further ahead than any write; one write ahead is enough") {
  draft d;
  d.add("load", 1).writes({"batch"});
  d.add("peek", 2).reads({"batch"});
  check_only(d, {kind::slot_future_read, 1, 0, field::reads, 0},
             "rule 5: task `peek` reads slot `batch` at lookahead 2, but `load` writes it only at "
             "lookahead 1; raise the lookahead of `load` to at least 2");
  d.add("fetch", 3).writes({"batch"});
  CHECK(sentences(d.declaration()).empty());
}

TEST_CASE("rule 5: a task that reads what it writes") {
  draft d;
  d.add("augment").reads({"source", "batch"}).writes({"batch"});
  check_only(
      d, {kind::reader_not_after_writer, 0, 0, field::reads, 1},
      "rule 5: task `augment` reads slot `batch`, which it writes itself; drop the read: the "
      "body gets the written slot by reference");
}

TEST_CASE("rule 5: a value that is taken before another task uses it") {
  draft read;
  read.add("parse", 2).takes({"source"});
  read.add("log").reads({"source"});
  check_only(read, {kind::taken_before_use, 0, 1, field::reads, 0},
             "rule 5: task `parse` takes the value of slot `source` at lookahead 2, but `log` "
             "reads it at lookahead 0; let `log` read it at lookahead 2 or more, or let task "
             "`parse` read it instead of taking it");
  draft written;
  written.add("load", 2).writes({"batch"});
  written.add("patch").writes({"batch"});
  written.add("send", 1).reads({"source"}).takes({"batch"});
  check_only(written, {kind::taken_before_use, 2, 1, field::reads, 1},
             "rule 5: task `send` takes the value of slot `batch` at lookahead 1, but `patch` "
             "writes it at lookahead 0; let `patch` write it at lookahead 1 or more, or let task "
             "`send` read it instead of taking it");
  draft serial;
  serial.add("parse").takes({"source"});
  serial.add("log").reads({"source"});
  planner::declaration declared = serial.declaration();
  declared.serial = true;
  std::vector<planner::task> staged(declared.tasks.begin(), declared.tasks.end());
  declared.tasks = staged;
  CHECK(sentences(declared).empty());
  staged[0].stage = 3;
  REQUIRE(sentences(declared).size() == 1);
  CHECK(sentences(declared)[0].starts_with(
      "rule 5: task `parse` takes the value of slot `source` at lookahead 3, but `log` reads it "
      "at lookahead 0; let `log` read it at lookahead 3 or more"));
}

TEST_CASE("rule 5: a value that is taken twice, that is a result, that its taker writes") {
  draft twice;
  twice.add("parse", 1).takes({"source"});
  twice.add("send").reads({}).takes({"source"});
  check_only(twice, {kind::taken_twice, 1, 0, field::reads, 0},
             "rule 5: task `send` takes the value of slot `source`, which `parse` takes, too; let "
             "one of them read it: a value is taken once, by its last user");
  draft result;
  result.add("load").writes({"batch"});
  result.add("send").takes({"batch"});
  result.result("batch");
  check_only(result, {kind::taken_result, 1, 3, field::reads, 0},
             "rule 5: task `send` takes the value of slot `batch`, which is a result, handed out "
             "after all tasks; let task `send` read it, or drop it from `result`");
  draft own;
  own.add("load").takes({"batch"}).writes({"batch"});
  check_only(own, {kind::reader_not_after_writer, 0, 0, field::reads, 0},
             "rule 5: task `load` takes the value of slot `batch`, which it writes itself; drop "
             "the `takes`: the body gets the written slot by reference");
  draft listed;
  listed.add("load").reads({"source"}).takes({"source"});
  check_only(listed, {kind::listed_twice, 0, none, field::reads, 1},
             "rule 6: task `load` lists `source` twice in reads; drop one");
}

namespace {

/// `words` views into `text`, and is used as long as `count` is behind.
struct viewing : draft {
  task& load = add("load", 3).writes({"text"});
  task& split = add("split", 2).reads({"text"}).writes({"words"});
  task& count = add("count", 1).reads({"words"}).writes({"number"});
  viewing() { points("words", "text"); }
};

}  // namespace

TEST_CASE("rule 5: a slot that points into one that whoever fills it does not read") {
  viewing d;
  CHECK(sentences(d.declaration()).empty());
  viewing both;  // what a task writes itself is there, too
  both.points("number", "text");
  both.count.writes({"text"});
  REQUIRE(sentences(both.declaration()).size() == 0);
  viewing unread;
  unread.points("number", "text");
  check_only(unread, {kind::view_of_unread, 2, none, field::writes, 0},
             "rule 5: task `count` writes slot `number`, which points into `text`, but does not "
             "read that; let it read `text`, or drop `points_into` of `number`");
  viewing source;
  source.points("source", "text");
  check_only(source, {kind::view_of_unread},
             "rule 5: the source fills slot `source`, which points into `text`, but nobody has "
             "filled that by then; let a task that reads `text` write `source`, or drop its "
             "`points_into`");
}

TEST_CASE("rule 5: a slot that is written, or taken, while another that points into it is used") {
  viewing done;  // all users of the words are further ahead
  done.add("upper", 0).writes({"text"});
  CHECK(sentences(done.declaration()).empty());
  viewing early;
  early.add("trim", 2).writes({"text"});
  CHECK(sentences(early.declaration()).empty());
  viewing late;
  late.add("upper", 1).writes({"text"});
  check_only(late, {kind::changed_under_view, 3, 2, field::writes, 0},
             "rule 5: task `upper` writes slot `text` when `words`, which points into it, is made, "
             "and `count` still uses that; raise the lookahead of task `upper` to at least 2, or "
             "let it write a slot of its own");

  viewing last;
  last.add("send", 1).takes({"text"});
  CHECK(sentences(last.declaration()).empty());
  viewing taken;
  taken.add("send", 2).takes({"text"});
  check_only(taken, {kind::taken_before_use, 3, 2, field::reads, 0},
             "rule 5: task `send` takes the value of slot `text` at lookahead 2, but `count` uses "
             "`words`, which points into it, at lookahead 1; let `count` work at lookahead 2 or "
             "more, or let task `send` read it instead of taking it");
  viewing result;
  result.add("send", 0).takes({"text"});
  result.result("words");
  check_only(result, {kind::taken_result, 3, 5, field::reads, 0},
             "rule 5: task `send` takes the value of slot `text`, into which the result `words` "
             "points, handed out after all tasks; let task `send` read it");
}

TEST_CASE("rule 7: who takes a value comes after its readers, and no reader after it") {
  draft d;
  d.add("parse").takes({"source"}).writes({"request"});
  d.add("log").reads({"source", "request"});
  REQUIRE(sentences(d.declaration()).size() == 1);
  CHECK(sentences(d.declaration())[0].starts_with(
      "rule 7: tasks wait for each other in a cycle: `parse` waits for `log` waits for `parse`;"));
}

TEST_CASE("rule 6: an unknown name in each field") {
  draft d;
  d.add("forward").depends_on({"zero_gradd"});
  check_only(d, {kind::unknown_name, 0, none, field::depends_on, 0},
             "rule 6: task `forward` names `zero_gradd` in depends_on, which is not a task of this "
             "schedule; list it there, or drop the entry");
  draft e;
  e.add("step");
  e.add("forward").cross_iter("step").cross_iter("stepp", 2);
  check_only(
      e, {kind::unknown_name, 1, none, field::cross_iter_depends_on, 1},
      "rule 6: task `forward` names `stepp` in cross_iter_depends_on, which is not a task of "
      "this schedule; did you mean `step`?");
  draft f;
  f.add("forward").sync({"batch"});
  check_only(f, {kind::unknown_name, 0, none, field::same_progress_sync, 0},
             "rule 6: task `forward` names `batch` in same_progress_sync, which is not a task of "
             "this schedule; list it there, or drop the entry");
}

TEST_CASE("rule 6: one name in two fields, and twice in one") {
  draft d;
  d.add("zero_grad");
  d.add("forward").depends_on({"zero_grad"}).sync({"zero_grad"});
  check_only(d, {kind::field_overlap, 1, 0, field::same_progress_sync, 0},
             "rule 6: task `forward` names `zero_grad` in same_progress_sync and in depends_on "
             "too; keep the one that says what is meant");
  draft e;
  e.add("zero_grad");
  e.add("forward").depends_on({"zero_grad", "zero_grad"});
  check_only(e, {kind::listed_twice, 1, 0, field::depends_on, 1},
             "rule 6: task `forward` lists `zero_grad` twice in depends_on; drop one");
  draft f;
  f.add("forward").reads({"source", "source"});
  check_only(f, {kind::listed_twice, 0, none, field::reads, 1},
             "rule 6: task `forward` lists `source` twice in reads; drop one");
  draft g;
  g.add("forward").writes({"loss", "tag", "loss"});
  check_only(g, {kind::listed_twice, 0, none, field::writes, 2},
             "rule 6: task `forward` lists `loss` twice in writes; drop one");
  // Two different batches of one task are two entries.
  draft h;
  h.add("step");
  h.add("forward").cross_iter("step", 1).cross_iter("step", 2);
  CHECK(sentences(h.declaration()).empty());
}

TEST_CASE("rule 6: cross_iter_depends_on of this batch, or of one to come") {
  for (const int ago : {0, -1}) {
    draft d;
    d.add("step");
    d.add("forward").cross_iter("step", ago);
    check_only(d, {kind::cross_offset_not_negative, 1, 0, field::cross_iter_depends_on, 0},
               "rule 6: task `forward` names `step` in cross_iter_depends_on " +
                   std::to_string(ago) + " batches ago; name it at least 1 batch ago" +
                   (ago == 0 ? ", or in depends_on, which speaks of the same batch" : ""));
  }
  draft e;
  e.add("step");
  e.add("prefetch", 2).cross_iter("step", 0);
  check_only(e, {kind::cross_offset_not_negative, 1, 0, field::cross_iter_depends_on, 0},
             "rule 6: task `prefetch` names `step` in cross_iter_depends_on 0 batches ago; name it "
             "at least 2 batches ago");
}

TEST_CASE("rule 6: depends_on of a task further behind") {
  draft d;
  d.add("load", 0);
  d.add("h2d", 1).depends_on({"load"});
  check_only(d, {kind::depends_future_read, 1, 0, field::depends_on, 0},
             "rule 6: task `h2d` (lookahead 1) depends_on `load` (lookahead 0), which has not run "
             "on that batch yet; raise the lookahead of `load` to at least 1");
}

TEST_CASE("rule 6: cross_iter_depends_on of a run to come, of the same progress, of an earlier") {
  for (const int ago : {1, 2, 3}) {
    CAPTURE(ago);
    draft d;
    d.add("step", 0);
    d.add("prefetch", 2).cross_iter("step", ago);
    if (ago >= 2) {
      CHECK(sentences(d.declaration()).empty());
      continue;
    }
    check_only(d, {kind::cross_iter_future_read, 1, 0, field::cross_iter_depends_on, 0},
               "rule 6: task `prefetch` (lookahead 2) waits for the run of `step` (lookahead 0) 1 "
               "batch ago, which is still to come; name it at least 2 batches ago");
  }
}

TEST_CASE("rule 6: only strict mode minds a wait that has left the ring, and only across streams") {
  draft d{"memcpy", "compute"};
  d.add("flush", 0, "memcpy");
  d.add("step", 0, "compute");
  d.add("forward", 0, "compute").cross_iter("flush").cross_iter("step");
  planner::declaration declared = d.declaration();
  CHECK(sentences(declared).empty());
  declared.strict = true;
  const auto all = planner::diagnose(declared).findings;
  REQUIRE(all.size() == 1);
  CHECK(same(all[0], {kind::cross_iter_rotated_out, 2, 0, field::cross_iter_depends_on, 0}));
  CHECK(planner::sentence(declared, all[0]) ==
        "rule 6: task `forward` waits for `flush` of 1 batch ago on another stream, which has left "
        "the ring; put both on one stream, or drop `strict`, which keeps no history");
}

TEST_CASE("rule 6: cross_iter_depends_on that a slot orders already") {
  draft d;
  d.add("load", 1).writes({"batch"});
  d.add("forward", 0).reads({"batch"}).cross_iter("load");
  check_only(d, {kind::redundant_cross_iter, 1, 0, field::cross_iter_depends_on, 0},
             "rule 6: task `forward` names `load` in cross_iter_depends_on; drop the entry: the "
             "read of `batch` already orders it");
  // Another distance is another order.
  draft e;
  e.add("load", 1).writes({"batch"});
  e.add("forward", 0).reads({"batch"}).cross_iter("load", 2);
  CHECK(sentences(e.declaration()).empty());
}

TEST_CASE("rule 7: the path of a cycle, from its first task; what merely follows it is left out") {
  draft d;
  d.add("report").depends_on({"step"});
  d.add("forward").depends_on({"zero_grad"});
  d.add("zero_grad").depends_on({"step"});
  d.add("step").sync({"forward"});
  check_only(d, {kind::cycle, 1, 2, field::reads, none},
             "rule 7: tasks wait for each other in a cycle: `forward` waits for `zero_grad` waits "
             "for `step` waits for `forward`; drop one of these waits, or make it one for an "
             "earlier batch (cross_iter_depends_on)");
  CHECK(planner::diagnose(d.declaration()).cycle == std::vector<std::size_t>{1, 2, 3});
}

TEST_CASE("rule 7: a cycle through a slot and through an earlier batch of the same progress") {
  draft d;
  d.add("load", 1).writes({"batch"}).cross_iter("step", 1);  // delta 0: step works one behind
  d.add("step", 0).sync({"load"});
  check_only(d, {kind::cycle, 0, 1, field::reads, none},
             "rule 7: tasks wait for each other in a cycle: `load` waits for `step` waits for "
             "`load`; drop one of these waits, or make it one for an earlier batch "
             "(cross_iter_depends_on)");
  draft e;
  e.add("load").writes({"batch"}).depends_on({"forward"});
  e.add("forward").reads({"batch"});
  CHECK(sentences(e.declaration()) ==
        std::vector<std::string>{"rule 7: tasks wait for each other in a cycle: `load` waits for "
                                 "`forward` waits for `load`; drop one of these waits, or make it "
                                 "one for an earlier batch (cross_iter_depends_on)"});
}

TEST_CASE("rule 7: each of several cycles is a finding, with its own path") {
  draft d;
  d.add("load").depends_on({"check"});
  d.add("check").depends_on({"load"});
  d.add("train").depends_on({"train"});
  d.add("log").depends_on({"train", "load"});  // in none
  d.add("save").depends_on({"flush"});
  d.add("flush").depends_on({"save"});
  const auto in_a_cycle = [](const char* path) {
    return "rule 7: tasks wait for each other in a cycle: " + std::string(path) +
           "; drop one of these waits, or make it one for an earlier batch (cross_iter_depends_on)";
  };
  const std::vector<std::string> told = sentences(d.declaration());
  REQUIRE(told.size() == 3);
  CHECK(told[0] == in_a_cycle("`load` waits for `check` waits for `load`"));
  CHECK(told[1].starts_with("rule 7: task `train` waits for itself; drop the entry"));
  CHECK(told[2] == in_a_cycle("`save` waits for `flush` waits for `save`"));
}

TEST_CASE("rule 7: a task that waits for itself; one batch ago is no cycle") {
  draft d;
  d.add("step").depends_on({"step"});
  check_only(d, {kind::cycle, 0, 0, field::reads, none},
             "rule 7: task `step` waits for itself; drop the entry, or make it one for an earlier "
             "batch (cross_iter_depends_on)");
  draft e;
  e.add("step").cross_iter("step");
  CHECK(sentences(e.declaration()).empty());
}

TEST_CASE("all findings are there, by rule and then by task") {
  draft d{"compute"};
  d.add("late").reads({"labels"}).depends_on({"nobody", "late"});
  d.add("", -1, "memcpy");
  d.add("early", 1, "memcpy").reads({"source"}).writes({"source"}).depends_on({"late"});
  std::vector<int> rules;
  for (const finding& f : planner::diagnose(d.declaration()).findings) rules.push_back(rule_of(f));
  CHECK(rules == std::vector<int>{1, 2, 2, 3, 3, 5, 5, 6, 6, 7});
  const auto text = sentences(d.declaration());
  REQUIRE(text.size() == 10);
  CHECK(text[3] ==
        "rule 3: task `` is on stream `memcpy`, which the schedule does not declare; "
        "add it to `streams`");
  CHECK(text[8].starts_with("rule 6: task `early` (lookahead 1) depends_on `late`"));
}

TEST_CASE("a name given twice stands for its first bearer") {
  draft d;
  d.add("load", 1);
  d.add("load", 0);
  d.add("h2d", 1).depends_on({"load"});
  d.add("peek", 1).depends_on({"h2d"});  // not shifted by the name that stands for two
  const auto all = planner::diagnose(d.declaration()).findings;
  REQUIRE(all.size() == 1);
  CHECK(all[0].what == kind::duplicate_name);
}

TEST_CASE("a resource that two streams use without order is a race") {
  draft d{"a", "b"};
  d.add("early", 1, "a").reads({"source"}).mutates({"cache"});
  auto& late = d.add("late", 0, "b").observes({"cache"});
  CHECK(
      sentences(d.declaration()) ==
      std::vector<std::string>{
          "race: task `late` observes `cache`, which `early` uses too, and nothing orders the two "
          "on all batches; put both on one stream, or let each wait for the other's run before its "
          "own"});
  late.sync({"early"});  // one way only: the next batch's `early` may still come too soon
  CHECK(planner::diagnose(d.declaration()).findings.size() == 1);
}

TEST_CASE("order both ways round, or two that only look, is no race") {
  draft d{"a", "b"};
  SUBCASE("each waits for the other") {
    d.add("early", 1, "a").reads({"source"}).mutates({"cache"}).cross_iter("late", 2);
    d.add("late", 0, "b").mutates({"cache"}).sync({"early"});
  }
  SUBCASE("one stream") {
    d.add("early", 1, "a").reads({"source"}).mutates({"cache"});
    d.add("late", 0, "a").mutates({"cache"});
  }
  SUBCASE("nobody changes it") {
    d.add("early", 1, "a").reads({"source"}).observes({"cache"});
    d.add("late", 0, "b").observes({"cache"});
  }
  CHECK(planner::diagnose(d.declaration()).findings.empty());
}

TEST_CASE("strict adds the original's verdicts and takes none away") {
  draft d{"a", "b"};
  d.add("early", 1, "a").reads({"source"}).mutates({"cache"});
  d.add("late", 0, "b").mutates({"cache"});
  auto declared = d.declaration();
  for (const bool strict : {false, true}) {
    declared.strict = strict;
    const auto found = planner::diagnose(declared).findings;
    REQUIRE(found.size() == 1);
    CHECK(found[0].what == kind::race);
    CHECK(original::findings(declared).empty());
  }
}

TEST_CASE("every kind has a name of its own, and a rule unless it is a race") {
  std::set<std::string_view> names;
  std::set<planner::finding_kind> kinds;
  std::size_t rows = 0;
  for (const planner::rules::rule& r : planner::all_rules) {
    CHECK(r.number <= 9);
    CHECK(r.number != 8);
    for (const planner::rules::kind_row& row : r.kinds) {
      if (row.name.empty()) continue;
      CAPTURE(row.name);
      ++rows;
      names.insert(row.name);
      kinds.insert(row.what);
      CHECK(planner::rule_of(row.what) == r.number);
      CHECK(planner::kind_name(row.what) == row.name);
      CHECK((r.number == 0) == (row.what == kind::race));
    }
  }
  CHECK(names.size() == rows);
  CHECK(kinds.size() == rows);
}

TEST_CASE("numbers in sentences, to the ends of int") {
  CHECK(planner::number(0) == "0");
  CHECK(planner::number(-10) == "-10");
  CHECK(planner::number(2147483647) == "2147483647");
  CHECK(planner::number(-2147483647 - 1) == "-2147483648");
}
