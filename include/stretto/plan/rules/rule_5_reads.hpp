// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <stretto/plan/model/text_builder.hpp>
#include <stretto/plan/rules/rule.hpp>

namespace stretto::planner::kind {
inline constexpr finding_kind unresolved_read = kind_of_rule(5, 1);
inline constexpr finding_kind slot_future_read = kind_of_rule(5, 2);
inline constexpr finding_kind reader_not_after_writer = kind_of_rule(5, 3);
inline constexpr finding_kind taken_before_use = kind_of_rule(5, 4);
inline constexpr finding_kind taken_twice = kind_of_rule(5, 5);
inline constexpr finding_kind taken_result = kind_of_rule(5, 6);
}  // namespace stretto::planner::kind

namespace stretto::planner::rules {

namespace detail {

constexpr bool takes(const task& t, const name& slot) {
  bool found = false;
  for (const access& read : t.reads) found = found || (read.takes && read.slot == slot);
  return found;
}

/// A value is taken once, by its last user.
constexpr void check_takers(const subject& s, findings& found) {
  const graph& g = s.resolved;
  if (!g.takes) return;
  list<std::size_t> taker_of(g.slot_list.size(), none);
  const auto check = [&, &g = g, &s = s, &found = found](const use& take, std::size_t position) {
    const auto report = [&](finding_kind what, std::size_t other) {
      found.push_back({what, take.node, other, field::reads, position});
    };
    const std::size_t first = taker_of[take.slot];
    if (first == take.node) return;  // rule 6 has that
    if (first != none) return report(kind::taken_twice, first);
    taker_of[take.slot] = take.node;
    const auto look = [&](const use& other) {
      if (other.node == g.deliver()) {
        report(kind::taken_result, other.node);
      } else if (other.node != take.node && g.before(take, other) &&
                 !detail::takes(s.declared.tasks[other.node], g.slot_list[take.slot])) {
        report(kind::taken_before_use, other.node);
      }
    };
    const range readers = g.readers_of[take.slot];
    for (std::size_t i = readers.first; i < readers.last; ++i) look(g.readers[i]);
    const range writers = g.writers_of[take.slot];
    for (std::size_t i = writers.first; i < writers.last; ++i)
      if (g.writers[i].node < g.tasks) look(g.writers[i]);
  };
  for (std::size_t t = 0; t < g.tasks; ++t)
    for (std::size_t i = 0; i < s.declared.tasks[t].reads.size(); ++i)
      if (s.declared.tasks[t].reads[i].takes) check(g.reads[g.nodes[t].reads.first + i], i);
}

}  // namespace detail

/// Rule 5: every read resolves to a writer at or ahead of it, and to one sorted before it when both
/// are in the same progress. The sort sees to the latter for all but a task that reads its own
/// write. Who takes a value is its last user.
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
      const std::size_t position = i - reads.first;
      if (own) found.push_back({kind::reader_not_after_writer, n, n, field::reads, position});
      if (ahead) continue;
      found.push_back({behind == none ? kind::unresolved_read : kind::slot_future_read, n, behind,
                       field::reads, position});
    }
  }
  detail::check_takers(s, found);
}

namespace detail {

/// How far ahead the read is that a finding is about.
constexpr int read_offset(const declaration& d, const finding& f) {
  if (f.task >= d.tasks.size()) return 0;
  const task& t = d.tasks[f.task];
  return d.serial ? t.stage : t.reads[f.position].offset;
}

/// How far ahead the task works that uses a slot after it was taken.
constexpr int latest_use(const declaration& d, const finding& f) {
  const task& user = d.tasks[f.other];
  if (d.serial) return user.stage;
  const name& slot = d.tasks[f.task].reads[f.position].slot;
  int latest = user.lookahead;
  for (const view<access> uses : {user.reads, user.writes})
    for (const access& a : uses)
      if (a.slot == slot && a.offset < latest) latest = a.offset;
  return latest;
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
    if (write.slot == slot && write.offset < read_offset(d, f)) latest = write.offset;
  return latest;
}

}  // namespace detail

constexpr repair repair_of_reads(const declaration& d, const finding& f) {
  const repair in_step{remedy::set_lookahead, f.other, detail::read_offset(d, f)};
  if (f.what == kind::taken_before_use) return in_step;
  if (f.what == kind::taken_twice || f.what == kind::taken_result)
    return {remedy::only_read, f.task};
  if (f.what != kind::slot_future_read) return {remedy::drop_entry, f.task};
  // Behind `pull`, which no task can be, lies only what is not at its task's lookahead.
  if (f.other >= d.tasks.size()) return {remedy::set_offset, f.task, lookahead_of(d, f.task)};
  return in_step;
}

constexpr void sentence_on_reads(const statement& s, text_builder& to) {
  if (s.f.what == kind::slot_future_read) {
    s.say(to, "$w reads slot $s at lookahead $n, but $o writes it only at lookahead $m",
          detail::read_offset(s.d, s.f), detail::latest_write(s.d, s.f));
    return s.say(to, s.fix.how == remedy::set_lookahead
                         ? "; raise the lookahead of $o to at least $v"
                         : "; read it at the task's own lookahead, $v");
  }
  if (s.f.what == kind::reader_not_after_writer)
    return s.say(to, s.at_fault().reads[s.f.position].takes
                         ? "$w takes the value of slot $s, which it writes itself; drop the "
                           "`takes`: the body gets the written slot by reference"
                         : "$w reads slot $s, which it writes itself; drop the read: the body "
                           "gets the written slot by reference");
  if (s.f.what == kind::taken_before_use) {
    const name& slot = s.at_fault().reads[s.f.position].slot;
    bool written = false;
    for (const access& a : s.second().writes) written = written || a.slot == slot;
    s.say(to, "$w takes the value of slot $s at lookahead $n, but $o ", s.fix.value);
    s.say(to,
          written ? "writes it at lookahead $m; let $o write it at lookahead $v"
                  : "reads it at lookahead $m; let $o read it at lookahead $v",
          0, detail::latest_use(s.d, s.f));
    return s.say(to, " or more, or let $w read it instead of taking it");
  }
  if (s.f.what == kind::taken_twice)
    return s.say(to,
                 "$w takes the value of slot $s, which $o takes, too; let one of them read it: a "
                 "value is taken once, by its last user");
  if (s.f.what == kind::taken_result)
    return s.say(to,
                 "$w takes the value of slot $s, which is a result, handed out after all tasks; "
                 "let $w read it, or drop it from `result`");
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
            {kind::taken_before_use, "taken_before_use"},
            {kind::taken_twice, "taken_twice"},
            {kind::taken_result, "taken_result"},
        },
    .check = check_reads,
    .fix = repair_of_reads,
    .sentence = sentence_on_reads,
};

}  // namespace stretto::planner::rules
