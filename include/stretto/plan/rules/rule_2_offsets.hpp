// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <stretto/plan/derive/verdicts.hpp>
#include <stretto/plan/model/text_builder.hpp>
#include <stretto/plan/model/view.hpp>
#include <stretto/plan/rules/rule.hpp>

namespace stretto::planner::kind {
inline constexpr finding_kind negative_lookahead = kind_of_rule(2, 1);
inline constexpr finding_kind negative_slot_offset = kind_of_rule(2, 2);
inline constexpr finding_kind slot_offset_mismatch = kind_of_rule(2, 3);
inline constexpr finding_kind reserved_write = kind_of_rule(2, 4);
inline constexpr finding_kind rate_out_of_range = kind_of_rule(2, 5);
inline constexpr finding_kind phase_out_of_range = kind_of_rule(2, 6);
inline constexpr finding_kind dropped_group = kind_of_rule(2, 7);
inline constexpr finding_kind end_of_group = kind_of_rule(2, 8);
}  // namespace stretto::planner::kind

namespace stretto::planner::rules {

/// What belongs to a group of batches is not dropped with one of them.
constexpr void check_dropped_groups(const subject& s, findings& found) {
  if (!s.resolved.rated || !may_drop(s.declared)) return;
  const verdicts v = find_verdicts(s.declared, s.resolved);
  for (std::size_t t = 0; t < s.resolved.tasks; ++t) {
    const task& declared = s.declared.tasks[t];
    if (s.resolved.nodes[t].runs.every == 1) continue;
    if (may_drop(declared)) {
      found.push_back({kind::dropped_group, t, t});
    } else if (v.may_be_skipped(t) && !declared.writes.empty()) {
      found.push_back({kind::dropped_group, t, v.dropper_before(t), field::writes, 0});
    }
  }
}

/// Whether a task that is to run at the end for what is left of a group cannot. In phase 0 it has
/// run by then; others begin collectives and coroutines for batches that there are.
constexpr bool is_in_vain_at_end(const task& t) {
  return t.and_at_end && (t.every <= 1 || rate_of(t).phase == 0 || t.collective || t.suspends);
}

/// Rule 2: lookaheads and slot offsets are not negative, a slot's offset is its task's lookahead,
/// and no task writes the source slot. A task runs for one of a group of batches, and at the end
/// for what is left of one; one that may drop batches runs for each, and so does what writes a slot
/// after it.
constexpr void check_offsets(const subject& s, findings& found) {
  const auto check_uses = [&s = s, &found = found](std::size_t t, view<access> uses, field where) {
    for (std::size_t i = 0; i < uses.size(); ++i) {
      if (uses[i].offset < 0) {
        found.push_back({kind::negative_slot_offset, t, none, where, i});
      } else if (uses[i].offset != s.declared.tasks[t].lookahead) {
        found.push_back({kind::slot_offset_mismatch, t, none, where, i});
      }
    }
  };
  for (std::size_t t = 0; t < s.resolved.tasks; ++t) {
    const task& declared = s.declared.tasks[t];
    if (declared.lookahead < 0) {
      found.push_back({kind::negative_lookahead, t});
    } else {
      check_uses(t, declared.reads, field::reads);
      check_uses(t, declared.writes, field::writes);
    }
    if (declared.every < 1 || declared.every > most_rate) {
      found.push_back({kind::rate_out_of_range, t});
    } else if (declared.phase != last_of_group &&
               (declared.phase < 0 || declared.phase >= declared.every)) {
      found.push_back({kind::phase_out_of_range, t});
    } else if (is_in_vain_at_end(declared)) {
      found.push_back({kind::end_of_group, t});
    }
    const range writes = s.resolved.nodes[t].writes;
    for (std::size_t i = writes.first; i < writes.last; ++i)
      if (s.resolved.writes[i].slot == s.resolved.source_slot)
        found.push_back({kind::reserved_write, t, none, field::writes, i - writes.first});
  }
  check_dropped_groups(s, found);
}

constexpr repair repair_of_offsets(const declaration& d, const finding& f) {
  if (f.what == kind::negative_lookahead) return {remedy::set_lookahead, f.task, 0};
  if (f.what == kind::reserved_write) return {remedy::own_slot, f.task};
  if (f.what == kind::rate_out_of_range)
    return {remedy::set_every, f.task, d.tasks[f.task].every < 1 ? 1 : most_rate};
  if (f.what == kind::phase_out_of_range)
    return {remedy::set_phase, f.task, d.tasks[f.task].every - 1};
  if (f.what == kind::dropped_group) return {remedy::set_every, f.task, 1};
  if (f.what == kind::end_of_group) return {remedy::full_groups, f.task, d.tasks[f.task].every - 1};
  return {remedy::set_offset, f.task, lookahead_of(d, f.task)};
}

constexpr void sentence_on_offsets(const statement& s, text_builder& to) {
  const finding& f = s.f;
  if (f.what == kind::negative_lookahead)
    return s.say(to, "$w has lookahead $n; raise it to at least $v", s.at_fault().lookahead);
  if (f.what == kind::reserved_write)
    return s.say(to,
                 "$w writes $s, the slot that the source fills; read it, or take its value "
                 "with `takes`, and write a slot of its own");
  if (f.what == kind::rate_out_of_range)
    return s.say(to, "$w runs once per $n batches; state an `every` of 1 to $m", s.at_fault().every,
                 most_rate);
  if (f.what == kind::dropped_group) {
    s.say(to, f.task == f.other ? "$w may drop batches$c, but runs " : "$w writes slot $s ");
    say_when(s.at_fault(), to);
    return s.say(to, f.task == f.other
                         ? "; let it run for every batch"
                         : ", but $o may drop the batch that it runs for$c, and there would be no "
                           "value for the group; let it run for every batch, or not use what "
                           "comes after $o");
  }
  if (f.what == kind::end_of_group) {
    s.say(to, "$w is to run at the end, too, for what is left of a group (`and_at_end`), but ");
    if (s.at_fault().every <= 1)
      return s.say(to, "runs for every batch; state an `every`, or drop `and_at_end`");
    if (s.at_fault().collective)
      return s.say(to,
                   "is a collective, which ranks begin for batches that all have; drop "
                   "`and_at_end`, or let every stream end with a full group");
    if (s.at_fault().suspends)
      return s.say(to,
                   "is a coroutine, which is begun for batches that there are; drop `and_at_end`, "
                   "or let a task that is none do what is to be done at the end");
    return s.say(to,
                 "has phase 0, which every group reaches; drop `and_at_end`, or state a phase of 1 "
                 "to $v, how many batches of a group come before the one that it runs for",
                 0);
  }
  if (f.what == kind::phase_out_of_range) {
    if (s.at_fault().every == 1)
      return s.say(to,
                   "$w has phase $n, but runs for every batch; state an `every` that is greater, "
                   "or drop the phase",
                   s.at_fault().phase);
    return s.say(to,
                 "$w has phase $n, but runs once per $m batches; the phase is 0 to $v, how many "
                 "batches of a group come before the one that it runs for",
                 s.at_fault().phase, s.at_fault().every);
  }
  const task& t = s.at_fault();
  const int offset = (f.where == field::reads ? t.reads : t.writes)[f.position].offset;
  s.say(to, "$w $f slot $s at offset $n", offset);
  if (f.what == kind::slot_offset_mismatch)
    return s.say(to, ", but works at lookahead $v; the two must be equal");
  s.say(to, "; the least is 0, and the task's own lookahead is $v");
  if (f.where == field::reads) s.say(to, "; what is of an earlier batch is read as `previous`");
}

inline constexpr rule rule_2{
    .number = 2,
    .kinds =
        {
            {kind::negative_lookahead, "negative_lookahead", "lookahead"},
            {kind::negative_slot_offset, "negative_slot_offset"},
            {kind::slot_offset_mismatch, "slot_offset_mismatch"},
            {kind::reserved_write, "reserved_write"},
            {kind::rate_out_of_range, "rate_out_of_range", "every"},
            {kind::phase_out_of_range, "phase_out_of_range", "phase"},
            {kind::dropped_group, "dropped_group", "every"},
            {kind::end_of_group, "end_of_group", "and_at_end"},
        },
    .check = check_offsets,
    .fix = repair_of_offsets,
    .sentence = sentence_on_offsets,
};

}  // namespace stretto::planner::rules
