// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <stretto/plan/derive/planned_graph.hpp>
#include <stretto/plan/model/text_builder.hpp>
#include <stretto/plan/rules/rule.hpp>

namespace stretto::planner::kind {
inline constexpr finding_kind unresolved_read = kind_of_rule(5, 1);
inline constexpr finding_kind slot_future_read = kind_of_rule(5, 2);
inline constexpr finding_kind reader_not_after_writer = kind_of_rule(5, 3);
}  // namespace stretto::planner::kind

namespace stretto::planner::rules {

/// Rule 5: every read resolves to a writer at or ahead of it, and to one sorted before it when both
/// are in the same progress. The sort sees to the latter for all but a task that reads its own
/// write. A read of an earlier batch comes after all writers.
constexpr void check_reads(const subject& s, findings& found) {
  const graph& g = s.resolved;
  for (std::size_t n = 0; n < g.nodes.size(); ++n) {
    const range reads = g.nodes[n].reads;
    for (std::size_t i = reads.first; i < reads.last; ++i) {
      const use& read = g.reads[i];
      const range writers = g.writers_of[read.slot];
      bool ahead = false;
      bool own = false;
      std::size_t behind = none;
      for (std::size_t w = writers.first; w < writers.last; ++w) {
        if (g.before(read, g.writers[w])) {
          behind = g.writers[w].node;
        } else {
          ahead = true;
          own = own || (g.writers[w].node == n && g.writers[w].offset == read.offset);
        }
      }
      // The value of an earlier batch is the one that its last writer left.
      if (read.ago > 0) {
        own = false;
        ahead = ahead && behind == none;
      }
      const std::size_t position = i - reads.first;
      if (own) found.push_back({kind::reader_not_after_writer, n, n, field::reads, position});
      if (ahead) continue;
      found.push_back({behind == none ? kind::unresolved_read : kind::slot_future_read, n, behind,
                       field::reads, position});
    }
  }
}

namespace detail {

/// How far ahead the read is that a finding is about.
constexpr int read_offset(const declaration& d, const finding& f) {
  if (f.task >= d.tasks.size()) return 0;
  const task& t = d.tasks[f.task];
  return d.serial ? t.stage : t.reads[f.position].offset;
}

/// How many batches before the one at hand the read is that a finding is about.
constexpr int read_ago(const declaration& d, const finding& f) {
  return f.task < d.tasks.size() ? d.tasks[f.task].reads[f.position].ago : 0;
}

/// How far ahead the slot that a finding is about is written, by the task that is not far enough.
constexpr int latest_write(const declaration& d, const finding& f) {
  if (f.other >= d.tasks.size()) return make_graph(d).max_lookahead;
  const task& t = d.tasks[f.other];
  if (d.serial) return t.stage;
  const name& slot =
      f.task < d.tasks.size() ? d.tasks[f.task].reads[f.position].slot : d.results[f.position];
  int latest = t.lookahead;
  for (const access& write : t.writes)
    if (write.slot == slot && write.offset < read_offset(d, f) - read_ago(d, f))
      latest = write.offset;
  return latest;
}

/// How far ahead a task reads an earlier value, and whoever writes it too late.
struct reader_and_writer {
  int reader;
  int writer;
  bool planned;  ///< with queues and workers, without which it would not be too late

  constexpr reader_and_writer(const declaration& d, const finding& f)
      : reader(planned_lookahead(d, f.task)),
        writer(planned_lookahead(d, f.other)),
        planned(reader - writer > lookahead_of(d, f.task) - lookahead_of(d, f.other)) {
    if (planned) return;
    reader = read_offset(d, f);
    writer = latest_write(d, f);
  }
};

constexpr void say_too_early(const statement& s, text_builder& to) {
  const reader_and_writer at(s.d, s.f);
  const int ago = read_ago(s.d, s.f);
  s.say(to,
        ago == 1 ? "$w reads the value of slot $s one batch earlier at lookahead $m"
                 : "$w reads the value of slot $s $n batches earlier at lookahead $m",
        ago, at.reader);
  if (at.planned) s.say(to, " (with the schedule's queues and workers)");
  s.say(to,
        ", but $o writes it only at lookahead $m; raise the lookahead of $o to at least $v, or "
        "read the value of $n batches earlier",
        at.reader - at.writer, at.writer);
}

}  // namespace detail

constexpr repair repair_of_reads(const declaration& d, const finding& f) {
  if (f.what != kind::slot_future_read) return {remedy::drop_entry, f.task};
  // Behind `pull`, which no task can be, lies only what is not at its task's lookahead.
  if (f.other >= d.tasks.size()) return {remedy::set_offset, f.task, lookahead_of(d, f.task)};
  if (const int ago = detail::read_ago(d, f); ago > 0) {
    const detail::reader_and_writer at(d, f);
    const int more = at.planned ? lookahead_of(d, f.other) - at.writer : 0;
    return {remedy::set_lookahead, f.other, at.reader - ago + more};
  }
  return {remedy::set_lookahead, f.other, detail::read_offset(d, f)};
}

constexpr void sentence_on_reads(const statement& s, text_builder& to) {
  if (s.fix.how == remedy::set_lookahead && detail::read_ago(s.d, s.f) > 0)
    return detail::say_too_early(s, to);
  if (s.f.what == kind::slot_future_read) {
    s.say(to, "$w reads slot $s at lookahead $n, but $o writes it only at lookahead $m",
          detail::read_offset(s.d, s.f), detail::latest_write(s.d, s.f));
    return s.say(to, s.fix.how == remedy::set_lookahead
                         ? "; raise the lookahead of $o to at least $v"
                         : "; read it at the task's own lookahead, $v");
  }
  if (s.f.what == kind::reader_not_after_writer)
    return s.say(to,
                 "$w reads slot $s, which it writes itself; drop the read: the body gets the "
                 "written slot by reference");
  if (s.f.task >= s.d.tasks.size())
    return s.say(to,
                 "the result $s is written by no task; list the task that does, or drop it from "
                 "`result`");
  s.say(to, s.d.from.slot.text.empty()
                ? "$w reads slot $s, which no task writes, and there is no source to fill it; make "
                  "it the source's slot, list a task that writes it, or drop the read"
                : "$w reads slot $s, which no task writes; list the task that does, or drop the "
                  "read");
}

inline constexpr rule rule_5{
    .number = 5,
    .kinds =
        {
            {kind::unresolved_read, "unresolved_read"},
            {kind::slot_future_read, "slot_future_read"},
            {kind::reader_not_after_writer, "reader_not_after_writer"},
        },
    .check = check_reads,
    .fix = repair_of_reads,
    .sentence = sentence_on_reads,
};

}  // namespace stretto::planner::rules
