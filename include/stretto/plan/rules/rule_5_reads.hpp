// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <stretto/plan/derive/copies.hpp>
#include <stretto/plan/derive/planned_graph.hpp>
#include <stretto/plan/derive/verdicts.hpp>
#include <stretto/plan/model/pointing.hpp>
#include <stretto/plan/model/rate.hpp>
#include <stretto/plan/model/text_builder.hpp>
#include <stretto/plan/rules/rule.hpp>

namespace stretto::planner::kind {
inline constexpr finding_kind unresolved_read = kind_of_rule(5, 1);
inline constexpr finding_kind slot_future_read = kind_of_rule(5, 2);
inline constexpr finding_kind reader_not_after_writer = kind_of_rule(5, 3);
inline constexpr finding_kind taken_before_use = kind_of_rule(5, 4);
inline constexpr finding_kind taken_twice = kind_of_rule(5, 5);
inline constexpr finding_kind taken_result = kind_of_rule(5, 6);
inline constexpr finding_kind view_of_unread = kind_of_rule(5, 7);
inline constexpr finding_kind changed_under_view = kind_of_rule(5, 8);
inline constexpr finding_kind taken_before_later_batches = kind_of_rule(5, 9);
inline constexpr finding_kind group_unwritten = kind_of_rule(5, 10);
inline constexpr finding_kind taken_more_than_once = kind_of_rule(5, 11);
inline constexpr finding_kind too_far_back = kind_of_rule(5, 12);
inline constexpr finding_kind view_of_other_rate = kind_of_rule(5, 13);
inline constexpr finding_kind dropped_before_read = kind_of_rule(5, 14);
inline constexpr finding_kind unwritten_at_end = kind_of_rule(5, 15);
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
  const auto look_at = [&, &g = g, &s = s, &found = found](const use& take, std::size_t position) {
    const auto report = [&, &take = take, &found = found](finding_kind what, std::size_t other) {
      found.push_back({what, take.node, other, field::reads, position});
    };
    const std::size_t first = taker_of[take.slot];
    if (first == take.node) return;  // rule 6 has that
    if (first != none) return report(kind::taken_twice, first);
    taker_of[take.slot] = take.node;
    if (const rate slot = g.rate_of_slot(take.slot); g.nodes[take.node].runs.every < slot.every)
      found.push_back({kind::taken_more_than_once, take.node, none, field::reads, position});
    const auto look = [&, &g = g, &s = s, &take = take](const use& other) {
      if (other.node == g.deliver()) {
        report(kind::taken_result, other.node);
      } else if ((other.node != take.node || other.ago != take.ago) &&
                 (other.ago > 0 || other.span > 0)) {
        report(kind::taken_before_later_batches, other.node);
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
      if (s.declared.tasks[t].reads[i].takes) look_at(g.reads[g.nodes[t].reads.first + i], i);
}

/// The slot that \p slot points into and that the task which fills it with a batch does not use, so
/// that there is nothing to point to. No key: it uses them all.
constexpr name unread_by(const declaration& d, std::size_t filler, const name& slot) {
  for (const pointing& p : d.points) {
    if (!(p.slot == slot)) continue;
    bool used = false;
    if (filler < d.tasks.size()) {
      for (const access& a : d.tasks[filler].reads)
        used = used || (a.slot == p.into && !a.takes && a.ago == 0);
      for (const access& a : d.tasks[filler].writes) used = used || a.slot == p.into;
    }
    if (!used) return p.into;
  }
  return {};
}

/// Whether all other users of a slot come before a change. Who looks back at its values does not:
/// in a serial plan, all changes of an earlier batch have been made by then.
constexpr bool all_before(const graph& g, std::size_t slot, const use& change, std::size_t& late) {
  late = none;
  for (std::size_t i = g.readers_of[slot].first; i < g.readers_of[slot].last; ++i)
    if (g.readers[i].ago > 0 ||
        (g.readers[i].node != change.node && !g.before(g.readers[i], change)))
      late = g.readers[i].node;
  for (std::size_t i = g.writers_of[slot].first; i < g.writers_of[slot].last; ++i)
    if (g.writers[i].node != change.node && !g.before(g.writers[i], change))
      late = g.writers[i].node;
  return late == none;
}

/// Who fills a slot that another points into and that is not written for the same batches; none:
/// there is none.
constexpr std::size_t viewed_at_other_rate(const graph& g, const declaration& d, std::size_t slot,
                                           const list<std::size_t>& into) {
  if (!g.rated) return none;
  const pointings all(d.points);
  for (const std::size_t place : into)
    for (std::size_t viewed = 0; viewed < g.slot_list.size(); ++viewed)
      if (g.slot_list[viewed] == all.into(place) &&
          !(g.rate_of_slot(viewed) == g.rate_of_slot(slot)) &&
          g.writers_of[viewed].first != g.writers_of[viewed].last)
        return g.writers[g.writers_of[viewed].first].node;
  return none;
}

/// Where in the list of its task a write is; none: of the source.
constexpr std::size_t position_of_write(const graph& g, const use& write) {
  if (write.node >= g.tasks) return none;
  std::size_t position = g.nodes[write.node].writes.first;
  while (g.writes[position].slot != write.slot) ++position;
  return position - g.nodes[write.node].writes.first;
}

/// What values view into is there when they are made, and does not change while they are used.
constexpr void check_views(const subject& s, findings& found) {
  const graph& g = s.resolved;
  if (s.declared.points.empty()) return;
  const pointings all(s.declared.points);
  for (std::size_t slot = 0; slot < g.slot_list.size(); ++slot) {
    const list<std::size_t> into = all.of(g.slot_list[slot]);
    const range writers = g.writers_of[slot];
    if (into.empty() || writers.first == writers.last) continue;
    const use filler = planner::detail::refiller(g, writers);
    if (const std::size_t other = viewed_at_other_rate(g, s.declared, slot, into); other != none) {
      found.push_back({kind::view_of_other_rate, filler.node < g.tasks ? filler.node : none, other,
                       field::writes, position_of_write(g, filler)});
      continue;
    }
    if (!unread_by(s.declared, filler.node, g.slot_list[slot]).key.empty()) {
      if (filler.node == g.pull()) {
        found.push_back({kind::view_of_unread});
      } else {
        found.push_back(
            {kind::view_of_unread, filler.node, none, field::writes, position_of_write(g, filler)});
      }
      continue;
    }
    for (std::size_t t = 0; t < g.tasks; ++t) {
      for (std::size_t i = g.nodes[t].writes.first; i < g.nodes[t].writes.last; ++i) {
        const use& change = g.writes[i];
        bool viewed = false;
        for (const std::size_t place : into)
          viewed = viewed || all.into(place) == g.slot_list[change.slot];
        std::size_t late = none;
        if (viewed && t != filler.node && g.before(filler, change) &&
            !all_before(g, slot, change, late))
          found.push_back(
              {kind::changed_under_view, t, late, field::writes, i - g.nodes[t].writes.first});
      }
    }
  }
}

/// The latest value, and all of a window, are those of batches that nobody may drop.
constexpr void check_dropped_values(const subject& s, findings& found) {
  if (!may_drop(s.declared)) return;
  const graph& g = s.resolved;
  const verdicts v = find_verdicts(s.declared, g);
  for (std::size_t t = 0; t < g.tasks; ++t)
    for (std::size_t i = 0; i < s.declared.tasks[t].reads.size(); ++i) {
      const access& read = s.declared.tasks[t].reads[i];
      if (!read.latest && (!read.in_window || read.ago != 1)) continue;  // once for a window
      const std::size_t by = v.dropper_of_slot(g.reads[g.nodes[t].reads.first + i].slot);
      if (by != none) found.push_back({kind::dropped_before_read, t, by, field::reads, i});
    }
}

/// Whether a task reads a slot as a window and besides as it was before that.
constexpr bool reads_beyond_window(const task& t, const name& slot) {
  int last = 0;
  int farthest = 0;
  for (const access& read : t.reads) {
    if (!(read.slot == slot) || read.latest) continue;
    farthest = larger(farthest, read.ago);
    if (read.in_window) last = larger(last, read.ago);
  }
  return last > 0 && farthest > last;
}

/// Who runs at the end for what is left of a group finds there what it reads: a value of the group,
/// written at its first batch or at the end, too. What it counts back to is counted once.
constexpr void check_reads_at_end(const subject& s, findings& found) {
  const graph& g = s.resolved;
  if (!g.rated) return;
  for (std::size_t t = 0; t < g.tasks; ++t) {
    const task& reader = s.declared.tasks[t];
    if (!g.nodes[t].runs.at_end) continue;
    for (std::size_t i = 0; i < reader.reads.size(); ++i) {
      const access& read = reader.reads[i];
      const std::size_t slot = g.reads[g.nodes[t].reads.first + i].slot;
      const range writers = g.writers_of[slot];
      if (read.latest || read.ago > 0 || writers.first == writers.last) continue;
      const rate written = g.rate_of_slot(slot);
      if (written.every > 1 && written.phase > 0 && !written.at_end) {
        found.push_back(
            {kind::unwritten_at_end, t, g.writers[writers.first].node, field::reads, i});
      } else if (read.in_window && reads_beyond_window(reader, read.slot)) {
        found.push_back({kind::unwritten_at_end, t, t, field::reads, i});
      }
    }
  }
}

/// Whether a read finds no value, whatever the lookaheads: it is of a group that is not written
/// yet, or of one too long ago. Reads of slots that others point into stand behind those declared.
constexpr bool is_out_of_reach(const subject& s, std::size_t n, std::size_t position,
                               findings& found) {
  const graph& g = s.resolved;
  const use& read = g.reads[g.nodes[n].reads.first + position];
  const range writers = g.writers_of[read.slot];
  if (writers.first == writers.last) return false;
  const rate slot = g.rate_of_slot(read.slot);
  const bool declared = n < g.tasks;
  if (declared && s.declared.tasks[n].reads[position].latest) return false;
  const int groups = declared ? s.declared.tasks[n].reads[position].ago : 0;
  const bool unwritten = reach_of_group(g.nodes[n].runs, slot, groups).nearest < 0;
  const bool too_far = static_cast<long long>(groups) * slot.every > most_batches;
  if (!unwritten && !too_far) return false;
  found.push_back({unwritten ? kind::group_unwritten : kind::too_far_back, n,
                   g.writers[writers.first].node, field::reads, position});
  return true;
}

}  // namespace detail

/// Rule 5: every read resolves to a writer at or ahead of it, and to one sorted before it when both
/// are in the same progress. The sort sees to the latter for all but a task that reads its own
/// write. A read of an earlier batch comes after all writers, and so does one of what is not
/// written for every batch: of a group that was written by then, or of the latest value. Who takes
/// a value is its last user; what values view into stays as it is.
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
      if (read.ago > 0 || read.span > 0) {
        own = own && read.ago == 0;
        ahead = ahead && behind == none;
      }
      const std::size_t position = i - reads.first;
      if (g.rated && detail::is_out_of_reach(s, n, position, found)) continue;
      if (own) found.push_back({kind::reader_not_after_writer, n, n, field::reads, position});
      if (ahead) continue;
      found.push_back({behind == none ? kind::unresolved_read : kind::slot_future_read, n, behind,
                       field::reads, position});
    }
  }
  detail::check_takers(s, found);
  detail::check_views(s, found);
  detail::check_dropped_values(s, found);
  detail::check_reads_at_end(s, found);
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
  if (f.task >= d.tasks.size() || f.where != field::reads) return 0;
  const int nearest = reach_of(d, d.tasks[f.task], d.tasks[f.task].reads[f.position]).nearest;
  return nearest > 0 ? nearest : 0;
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
  s.say(to, ", but $o writes it only at lookahead $m; raise the lookahead of $o to at least $v", 0,
        at.writer);
  if (rate_of(s.second()).every == 1)
    s.say(to, ", or read the value of $n batches earlier", at.reader - at.writer);
}

/// How far ahead the slot is filled that is changed too late for another that points into it.
constexpr int made_at(const declaration& d, const finding& f) {
  const name view = viewing_slot(d, f.other, d.tasks[f.task].writes[f.position].slot);
  int ahead = 0;
  for (const task& t : d.tasks)
    for (const access& a : t.writes)
      if (a.slot == view) ahead = larger(ahead, d.serial ? t.stage : a.offset);
  return ahead;
}

}  // namespace detail

constexpr repair repair_of_reads(const declaration& d, const finding& f) {
  if (f.what == kind::view_of_unread || f.what == kind::view_of_other_rate)
    return {remedy::no_view, f.task};
  if (f.what == kind::changed_under_view)
    return {remedy::set_lookahead, f.task, detail::made_at(d, f)};
  if (f.what == kind::group_unwritten && f.task < d.tasks.size())
    return {remedy::read_latest, f.task};
  const repair in_step{remedy::set_lookahead, f.other, detail::read_offset(d, f)};
  if (f.what == kind::taken_before_use) return in_step;
  if (f.what == kind::dropped_before_read) return {remedy::keep_all, f.other};
  if (f.what == kind::unwritten_at_end)
    return {f.other == f.task ? remedy::full_groups : remedy::at_end, f.task};
  if (f.what == kind::taken_twice || f.what == kind::taken_result ||
      f.what == kind::taken_before_later_batches || f.what == kind::taken_more_than_once)
    return {remedy::only_read, f.task};
  if (f.what != kind::slot_future_read) return {remedy::drop_entry, f.task};
  // Behind `pull`, which no task can be, lies only what is not at its task's lookahead.
  if (f.other >= d.tasks.size()) return {remedy::set_offset, f.task, lookahead_of(d, f.task)};
  if (const int ago = detail::read_ago(d, f); ago > 0) {
    const detail::reader_and_writer at(d, f);
    const int more = at.planned ? lookahead_of(d, f.other) - at.writer : 0;
    return {remedy::set_lookahead, f.other, at.reader - ago + more};
  }
  return in_step;
}

namespace detail {

/// What is wrong with a read of what is not written for every batch.
constexpr void say_of_rates(const statement& s, text_builder& to) {
  const finding& f = s.f;
  if (f.what == kind::view_of_other_rate) {
    const name& slot =
        f.task < s.d.tasks.size() ? s.at_fault().writes[f.position].slot : s.d.from.slot;
    to.quoted(slot.text).add(", which is written ");
    say_when(s.at_fault(), to);
    s.say(to, ", points into a slot that $o writes ");
    say_when(s.second(), to);
    to.add("; write both for the same batches, or drop `points_into` of ").quoted(slot.text);
    return;
  }
  if (f.what == kind::taken_more_than_once) {
    const int every = rate_of_slot(s.d, s.at_fault().reads[f.position].slot).every;
    s.say(to, "$w takes the value of slot $s ");
    say_when(s.at_fault(), to);
    return s.say(to,
                 ", but that is written once per $n batches; let it read it, or run once per "
                 "$n batches, too",
                 every);
  }
  if (f.what == kind::too_far_back)
    return s.say(to,
                 "$w reads slot $s $n groups of $m batches earlier, more than 100,000 batches; "
                 "read one that is nearer",
                 s.at_fault().reads[f.position].ago, rate_of(s.second()).every);
  if (f.task >= s.d.tasks.size()) {
    s.say(to, "the result $s is handed out for every batch, but $o writes it ");
    say_when(s.second(), to);
    return s.say(to,
                 "; hand out what a task writes for every batch that reads `latest` of it, or "
                 "let $o run with phase 0");
  }
  s.say(to, "$w reads slot $s ");
  say_when(s.at_fault(), to);
  s.say(to, ", but $o writes it ");
  say_when(s.second(), to);
  s.say(to,
        ", and has not for the group of that batch by then; read it as `latest`, what was "
        "written last, or let $w run at that phase or a later one");
}

}  // namespace detail

constexpr void sentence_on_reads(const statement& s, text_builder& to) {
  if (s.f.what == kind::unwritten_at_end) {
    if (s.f.other == s.f.task)
      return s.say(to,
                   "$w runs at the end, too, for what is left of a group (`and_at_end`), and reads "
                   "slot $s as a `window` and as it was before that; read one `window` that has it "
                   "all, which is shorter then");
    s.say(to,
          "$w runs at the end, too, for what is left of a group (`and_at_end`), but $o writes slot "
          "$s ");
    say_when(s.second(), to);
    return s.say(to,
                 ", which what is left may not get to; let $o run `and_at_end`, too, or read $s as "
                 "`latest`, what was written last");
  }
  if (s.f.what == kind::dropped_before_read)
    return s.say(
        to, s.at_fault().reads[s.f.position].latest
                ? "$w reads the latest value of slot $s, which is not written for batches "
                  "that $o drops$c; read it as `previous`, which is empty then, or keep what is "
                  "needed in a member"
                : "$w reads slot $s as a `window`, but it is not written for batches that $o "
                  "drops$c; read it as `previous`, which is empty then, or keep what is needed "
                  "in a member");
  if (s.f.what == kind::group_unwritten || s.f.what == kind::taken_more_than_once ||
      s.f.what == kind::too_far_back || s.f.what == kind::view_of_other_rate)
    return detail::say_of_rates(s, to);
  if (s.f.what == kind::slot_future_read && s.fix.how == remedy::set_lookahead &&
      detail::read_ago(s.d, s.f) > 0)
    return detail::say_too_early(s, to);
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
    if (const name view = implying_slot(s.d, s.f.other, slot); !view.key.empty()) {
      s.say(to, "uses ");
      to.quoted(view.text);
      s.say(to, ", which points into it, at lookahead $m; let $o work at lookahead $v", 0,
            detail::latest_use(s.d, s.f));
    } else {
      s.say(to,
            written ? "writes it at lookahead $m; let $o write it at lookahead $v"
                    : "reads it at lookahead $m; let $o read it at lookahead $v",
            0, detail::latest_use(s.d, s.f));
    }
    return s.say(to, " or more, or let $w read it instead of taking it");
  }
  if (s.f.what == kind::taken_twice)
    return s.say(to,
                 "$w takes the value of slot $s, which $o takes, too; let one of them read it: a "
                 "value is taken once, by its last user");
  if (s.f.what == kind::taken_before_later_batches)
    return s.say(
        to,
        "$w takes the value of slot $s, which $o still uses for a later batch; let $w read "
        "it instead of taking it");
  if (s.f.what == kind::taken_result) {
    const name& slot = s.at_fault().reads[s.f.position].slot;
    if (const name view = implying_slot(s.d, s.f.other, slot); !view.key.empty()) {
      s.say(to, "$w takes the value of slot $s, into which the result ");
      to.quoted(view.text);
      return s.say(to, " points, handed out after all tasks; let $w read it");
    }
    return s.say(to,
                 "$w takes the value of slot $s, which is a result, handed out after all tasks; "
                 "let $w read it, or drop it from `result`");
  }
  if (s.f.what == kind::view_of_unread) {
    const name& slot =
        s.f.task < s.d.tasks.size() ? s.at_fault().writes[s.f.position].slot : s.d.from.slot;
    const name into = detail::unread_by(s.d, s.f.task, slot);
    if (s.f.task < s.d.tasks.size()) {
      s.say(to, "$w writes slot $s, which points into ");
      to.quoted(into.text).add(", but does not read that; let it read ").quoted(into.text);
      return s.say(to, ", or drop `points_into` of $s");
    }
    to.add("the source fills slot ").quoted(slot.text).add(", which points into ");
    to.quoted(into.text).add(", but nobody has filled that by then; let a task that reads ");
    to.quoted(into.text).add(" write ").quoted(slot.text).add(", or drop its `points_into`");
    return;
  }
  if (s.f.what == kind::changed_under_view) {
    const name view = viewing_slot(s.d, s.f.other, s.at_fault().writes[s.f.position].slot);
    s.say(to, "$w writes slot $s when ");
    to.quoted(view.text);
    s.say(to, ", which points into it, is made, and $o still uses that; raise the lookahead of ");
    s.say(to, "$w to at least $v, or let it write a slot of its own");
    return;
  }
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
            {kind::view_of_unread, "view_of_unread"},
            {kind::changed_under_view, "changed_under_view"},
            {kind::taken_before_later_batches, "taken_before_later_batches"},
            {kind::group_unwritten, "group_unwritten"},
            {kind::taken_more_than_once, "taken_more_than_once"},
            {kind::too_far_back, "too_far_back"},
            {kind::view_of_other_rate, "view_of_other_rate"},
            {kind::dropped_before_read, "dropped_before_read"},
            {kind::unwritten_at_end, "unwritten_at_end"},
        },
    .check = check_reads,
    .fix = repair_of_reads,
    .sentence = sentence_on_reads,
};

}  // namespace stretto::planner::rules
