#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Breaks the planner in one place after the other and looks whether a test notices.

    python3 tests/property/mutation/rules.py [--cxx g++] [--jobs 2] [--only TEXT] [--sample N] [--shard I/N]
    python3 tests/property/mutation/rules.py --check    only whether each piece to be broken is still there
    python3 tests/record/record.py run mutants.rules    tries all, for tests/record.json

Leaves the tree alone: a mutated header goes before the real one in the include path. Each mutant names the
one test that must fail on it. Ends with `N passed, N failed`: passed is a mutant that its test killed.
"""

import re
import sys

import planted
from planted import ROOT

PLAN = "include/stretto/plan"


def mutants():
    """(what is broken, header, a piece of it, what it becomes, the test that must fail)"""
    found = []

    def breaks(header, test, *changes):
        for what, piece, replacement in changes:
            found.append((what, f"{PLAN}/{header}", piece, replacement, f"tests/{test}.cpp"))

    breaks(
        "rules/rule_1_names.hpp", "plan/rules/diagnose",
        ("kind empty_schedule", "if (tasks.empty())", "if (false)"),
        ("kind empty_name", "if (tasks[t].id.text.empty())", "if (false)"),
        ("kind reserved_name", "tasks[t].id.text == pull_name || ", ""),
        ("kind duplicate_name", "found.push_back({kind::duplicate_name, t, bearers[number]});", ""),
    )
    breaks(
        "rules/roles.hpp", "static/errors/roles",
        ("roles: queues are planned", "if (!d.groups.empty())", "if (false)"),
        ("roles: 65 fit", "if (count() > most_roles)", "if (false)"),
        ("roles: a transfer to nobody", "if (named != 0 && only(to) == 0) f.role = to;\n        if (named == 0 || only(to) == 0) {", "if (false) {"),
        ("roles: a transfer to its sender", "if ((named & only(to)) != 0)", "if (false)"),
        ("roles: a transfer has a communicator", "if (!t.communicator.empty())", "if (false)"),
        ("roles: views are sent", "if (p.slot == f.of) return f;", "if (p.slot == name()) return f;"),
        ("roles: two have the source", "d_.tasks[first.task].role != t.role", "false"),
        ("roles: a transfer before the writer", "if (now.last == none)", "if (false)"),
        ("roles: a transfer from who lacks it", "else if (lacking != 0)", "else if (false)"),
        ("roles: a transfer to who has it", "if ((only(to) & now.who) != 0) return f;", ""),
        ("roles: an update where the value is not", "} else if (now.last != none && lacking != 0) {", "} else if (false) {"),
        ("roles: a read where the value is not", "if (lacking != 0)\n        return {role_misuse::read_elsewhere", "if (false)\n        return {role_misuse::read_elsewhere"),
        ("roles: a transfer leaves nothing with who sends", "so_far.who |= where(d_.tasks[by.node]);\n      return;", "so_far.who = where(d_.tasks[by.node]) & ~only(d_.tasks[by.node].role);\n      return;"),
        ("roles: a writer leaves it with others", "so_far.who = where(d_.tasks[by.node]);", "so_far.who |= where(d_.tasks[by.node]);"),
        ("roles: dependencies across ranks", "(where(t) & ~there) != 0)", "false)"),
        ("roles: orders across ranks", "(where(d_.tasks[t.node]) & where(d_.tasks[t.before])) == 0", "false"),
        ("roles: state across ranks", "if ((where(d_.tasks[n]) & where(d_.tasks[o])) == 0 &&", "if (false &&"),
    )
    breaks(
        "fingerprint.hpp", "static/errors/roles",
        ("fingerprint without roles", "h.text(d.tasks[n].role);", ""),
    )
    breaks(
        "rules/rule_2_offsets.hpp", "plan/rules/diagnose",
        ("kind negative_slot_offset", "if (uses[i].offset < 0)", "if (false)"),
        ("kind slot_offset_mismatch", "if (uses[i].offset != s.declared.tasks[t].lookahead)", "if (false)"),
        ("kind negative_lookahead", "if (declared.lookahead < 0)", "if (false)"),
        ("kind reserved_write", "if (s.resolved.writes[i].slot == s.resolved.source_slot)", "if (false)"),
    )
    breaks(
        "rules/rule_2_offsets.hpp", "plan/rates",
        ("kind rate_out_of_range", "if (declared.every < 1 || declared.every > most_rate)", "if (false)"),
        ("kind phase_out_of_range", "} else if (declared.phase != last_of_group &&", "} else if (false &&"),
        ("kind end_of_group", "} else if (is_in_vain_at_end(declared)) {", "} else if (false) {"),
    )
    breaks(
        "rules/rule_5_reads.hpp", "plan/rates",
        ("kind unwritten_at_end", "written.phase > 0 && !written.at_end", "false"),
        ("at the end: beyond a window", "read.in_window && reads_beyond_window", "false && reads_beyond_window"),
    )
    breaks(
        "derive/copies.hpp", "plan/rates",
        ("at the end: the copy that the source touches", "slot == g.source_slot && detail::is_read_at_end(g, slot)", "false"),
    )
    breaks(
        "model/ends.hpp", "plan/model/ends",
        ("at the end: the phase", "phase) < left ? 0 : left", "phase) < left ? left : left"),
        ("at the end: the farthest are missing", "ago + missing > farthest ||", "false ||"),
        ("at the end: what is written at the end", "slot.at_end ? 0 :", "false ? 0 :"),
    )
    breaks(
        "rules/rule_2_offsets.hpp", "plan/derive/verdicts",
        ("kind dropped_group", "if (may_drop(declared)) {", "if (false) {"),
        ("drops: a group after it", "} else if (v.may_be_skipped(t) &&", "} else if (false &&"),
        ("drops: who writes nothing may have a rate", " && !declared.writes.empty()", ""),
    )
    breaks(
        "rules/rule_5_reads.hpp", "plan/derive/verdicts",
        ("drops: the latest", "if (!read.latest && (!read.in_window", "if ((!read.in_window"),
        ("kind dropped_before_read", "(!read.in_window || read.ago != 1)", "true"),
    )
    breaks(
        "rules/rule_6_dependencies.hpp", "plan/derive/verdicts",
        ("drops: a collective itself", "may_drop(s.declared.tasks[t]) ? t : v.dropper_before(t)", "v.may_be_skipped(t) ? v.dropper_before(t) : none"),
        ("kind dropped_collective", "may_drop(s.declared.tasks[t]) ? t : v.dropper_before(t)", "may_drop(s.declared.tasks[t]) ? t : none"),
    )
    breaks(
        "derive/verdicts.hpp", "plan/derive/verdicts",
        ("drops: who is passed over does not depend on them", "  if (v.may_be_skipped(node)) return true;\n", ""),
        ("drops: nor does who looks back", "g.reads[i].ago > 0 && v.dropper_of_slot", "false && v.dropper_of_slot"),
        ("drops: whoever looks back does", " && v.dropper_of_slot(g.reads[i].slot) != none)", ")"),
        ("drops: who depends on a task", "g.links[i].where == field::depends_on && ", "false && "),
        ("drops: who reads", "read.ago == 0 && read.span == 0 &&", "false &&"),
        ("drops: who looks back has something to do", "read.ago == 0 && read.span == 0 &&", ""),
        ("drops: who read it before", " && !g.before(read, write))", ")"),
        ("drops: who updates", "if (g.before(write, g.writers[i])) all", "if (false) all"),
        ("drops: the batch itself", "if (d.results.empty())", "if (false)"),
        ("drops: the nearest alone is asked", "        continue;\n      }\n      for (std::size_t i = 0; i < width", "      }\n      for (std::size_t i = 0; i < width"),
        ("drops: through others", "asks[u.before * width + i] != 0 && tell(", "false && tell("),
        ("drops: who drops it has not written it", "v.places[writer] == i || ", ""),
        ("drops: how far back", "larger(v.looked_back, static_cast", "smaller(v.looked_back, static_cast"),
    )
    breaks(
        "rules/rule.hpp", "plan/derive/verdicts",
        ("failures: a rule does not say why", "if (only_drops_failures(second()))", "if (false)"),
        ("failures: a rule says so of verdicts, too", "if (only_drops_failures(second()))", "if (may_drop(second()))"),
    )
    breaks(
        "derive/verdicts.hpp", "plan/derive/verdicts",
        ("failures: who drops them is no dropper", "if (!may_drop(t)) continue;", "if (!t.drops) continue;"),
        ("failures: all are dropped", "t.max_failures > 0 ?", "false ?"),
        ("failures: of verdicts, too", "!drops_failures(t)", "false"),
    )
    breaks("fingerprint.hpp", "plan/derive/verdicts", ("drops: a fingerprint", 'h.text("may drop");', ";"))
    breaks("rules/rule_4_writers.hpp", "plan/rates", ("kind writers_of_two_rates", "if (g.rated && !(", "if (false && !("))
    breaks(
        "rules/rule_5_reads.hpp", "plan/rates",
        ("kind group_unwritten", "groups).nearest < 0;", "groups).nearest < -most_batches;"),
        ("kind too_far_back", "if (!unwritten && !too_far) return false;", "if (!unwritten) return false;"),
        ("kind taken_more_than_once", "runs.every < slot.every)", "runs.every < 0)"),
        ("kind view_of_other_rate", "if (!g.rated) return none;", "return none;"),
        ("rates: what is held is not taken", "(other.ago > 0 || other.span > 0)", "(other.ago > 0)"),
        ("rates: nothing is changed that is held", "if (read.ago > 0 || read.span > 0) {", "if (read.ago > 0) {"),
    )
    breaks(
        "rules/rule_6_dependencies.hpp", "plan/rates",
        ("kind never_on_that_batch", "batches_short(consumer.runs, producer.runs, l.ago) != 0", "false"),
        ("rates: how many batches more", "(consumer.phase - ago - producer.phase) % both", "(producer.phase - consumer.phase) % both"),
    )
    breaks(
        "rules/rule_9_items.hpp", "plan/items",
        ("kind inconsistent_items", "if (calls.what == repetitions::failure::inconsistent)", "if (false)"),
        ("kind too_many_items", "if (calls.what == repetitions::failure::too_many)", "if (false)"),
        ("kind mixed_items", "} else if (of_items[slot] != none && of_one[slot] == none) {", "} else if (false) {"),
        ("items: of the source or a result", "if (of_one[slot] != none) found.push_back(", "if (false) found.push_back("),
        ("items: results are values", "users[g.reads[i].slot] = g.deliver();", "static_cast<void>(i);"),
        ("kind repeated_use", "} else if (repeated && (", "} else if (false && ("),
        ("items: a value is taken again", "(where == field::writes || all[i].takes)", "(where == field::writes)"),
        ("kind items_and_rate", "(declared.every != 1 || may_drop(declared) || declared.collective) &&", "false &&"),
        ("items: a collective may have them", " || declared.collective) &&", ") &&"),
        ("items: the repair is upside down", "reduced(calls.over * r.other.items, calls.under)", "reduced(calls.under * r.other.items, calls.over)"),
    )
    breaks(
        "derive/repetitions.hpp", "plan/derive/repetitions",
        ("repetitions: any numbers will do", "} else if (over_[t] != calls.over || under_[t] != calls.under) {", "} else if (false) {"),
        ("repetitions: not the least", "const long long by = under_[t] / common_divisor(common, under_[t]);", "const long long by = under_[t];"),
        ("repetitions: parts of a call", "over_[t] * (common / under_[t])", "over_[t] * common"),
        ("repetitions: too many calls of another", "if (calls.over > most_items || calls.under > most_items) return fail_at(u);", ""),
        ("repetitions: too many calls of the first", "if (common * by > most_items) return fail_at(first_use_[t]);", ""),
        ("repetitions: too many items", "if (calls > most_items || calls * items(u) > most_items) return fail_at(u);", ""),
        ("repetitions: one task alone", "over_[t] == 0 && first_use_[t] != first_use_[t + 1] && !solve_from(t)", "t == 0 && !solve_from(t)"),
        ("repetitions: a weight is that of a call", "static_cast<long long>(tasks[t].weight) * found.calls[t]", "static_cast<long long>(tasks[t].weight)"),
        ("repetitions: a weight wraps around", "weight < longest ? static_cast<int>(weight) : longest", "static_cast<int>(weight)"),
        ("repetitions: items are those of a call", "static_cast<std::size_t>(a.items) *\n                              static_cast<std::size_t>(t.calls)", "static_cast<std::size_t>(a.items)"),
    )
    breaks(
        "fingerprint.hpp", "plan/items",
        ("items: fingerprints do not tell them", "          h.number(static_cast<std::uint64_t>(a.items));\n", ""),
        ("items: fingerprints do not tell of which slot they are", "          h.text(a.slot.text);\n", ""),
    )
    breaks(
        "model/rate.hpp", "plan/model/rate",
        ("rates: the last of a group", "return {every, every - 1, t.and_at_end};", "return {every, 0, t.and_at_end};"),
        ("rates: which batch", "== static_cast<std::size_t>(r.phase)", "== 0"),
        ("rates: the newest of a group", "(reader.phase % step) - slot.phase;", "(reader.phase % step);"),
        ("rates: the oldest of a group", "slot.every - step,\n          step};", "slot.every - 1,\n          step};"),
        ("rates: the newest that is held", "return {ago + since, slot.every - step, step};", "return {ago, slot.every - step, step};"),
        ("rates: groups ago", "static_cast<long long>(groups) * slot.every +", "static_cast<long long>(groups) +"),
        ("rates: the first value that is held", "ago + static_cast<std::size_t>(slot.phase)", "ago"),
    )
    breaks(
        "derive/copies.hpp", "plan/rates",
        ("rates: a copy for each group", "result[slot] = (result[slot] + every - 1) / every;", ""),
        ("rates: part of a group has a copy", "(result[slot] + every - 1) / every", "result[slot] / every + (result[slot] < every ? 1 : 0)"),
        ("rates: a copy is in use for a group", "static_cast<int>(copies[slot]) * every", "static_cast<int>(copies[slot])"),
        ("copies: a writer that runs dry refills what is looked back on", "larger(ahead - behind + 1, reach)", "ahead - behind + 1"),
        ("rates: the oldest use", "batches - (refill->offset - user.oldest())", "batches - (refill->offset - user.offset)"),
    )
    breaks(
        "model/edge.hpp", "plan/rates",
        ("rates: every worker tells", "turn < g.nodes[node].workers && ", "false && "),
    )
    breaks("model/graph.hpp", "plan/rates", ("rates: what is read", "if (g.rated) detail::find_values_read(g, d);", ""))
    breaks("derive/signal_slots.hpp", "plan/rates", ("rates: signals in copies", "of.runs[e.producer].every > 1) continue;", "false) continue;"))
    breaks(
        "fingerprint.hpp", "plan/rates",
        ("rates: of ranks", "runs.every > 1) {", "runs.every > 9) {"),
        ("rates: phases of ranks", "h.number(static_cast<std::uint64_t>(runs.phase));", ""),
    )
    breaks(
        "rules/rule_3_streams.hpp", "plan/rules/diagnose",
        ("kind stream_not_declared", "if (stream != none && stream >= s.resolved.declared_streams)", "if (false)"),
    )
    breaks(
        "rules/rule_4_writers.hpp", "plan/rules/diagnose",
        ("kind multiple_writers", "if (!g.before(earlier, later) && !g.before(later, earlier))", "if (false)"),
        ("kind name_multi_stream", "if (!other_stream && ", "if (false && "),
    )
    breaks(
        "rules/rule_5_reads.hpp", "plan/rules/diagnose",
        ("kind reader_not_after_writer", "if (own) found", "if (false) found"),
        ("kind unresolved_read", "if (ahead) continue;", "if (ahead || behind == none) continue;"),
        ("kind slot_future_read", "if (ahead) continue;", "if (ahead || behind != none) continue;"),
        ("kind view_of_unread", ".key.empty()) {\n      if (filler.node == g.pull())", ".key.empty() && false) {\n      if (filler.node == g.pull())"),
        ("kind changed_under_view", "if (viewed && t != filler.node", "if (false && t != filler.node"),
        ("kind taken_before_use", "other.node != take.node && g.before(take, other) &&", "false &&"),
        ("kind taken_twice", "if (first != none) return report(kind::taken_twice, first);", "if (first != none) return;"),
        ("kind taken_result", "if (other.node == g.deliver()) {", "if (other.node == g.deliver()) return;\n      if (false) {"),
    )
    breaks(
        "rules/rule_6_dependencies.hpp", "plan/rules/diagnose",
        ("kind unknown_name", "found.push_back({kind::unknown_name, t, none, l.where, l.position});", ""),
        ("kind field_overlap", "return g.links[i].where != g.links[j].where;", "return false;"),
        ("kind listed_twice", "g.links[j].where == later.where ? kind::listed_twice", "g.links[j].where == later.where ? kind::field_overlap"),
        ("kind listed_twice, reads", "detail::check_repeated_uses(g.reads, g.nodes[t].reads, field::reads, found);", ""),
        ("kind listed_twice, writes", "detail::check_repeated_uses(g.writes, g.nodes[t].writes, field::writes, found);", ""),
        ("kind cross_offset_not_negative", "if (l.ago < 1) return", "if (false) return"),
        ("kind depends_future_read", "if (l.where == field::depends_on && ", "if (false && "),
        ("kind cross_iter_future_read", "if (delta < 0) return report(kind::cross_iter_future_read);", ""),
        ("kind cross_iter_rotated_out", "if (s.declared.strict && ", "if (false && "),
        ("cross_iter_rotated_out is for strict mode", "if (s.declared.strict && ", "if ("),
        ("kind redundant_cross_iter", "if (written.by(l.producer, l.ago))", "if (false)"),
    )
    breaks(
        "rules/rule_6_dependencies.hpp", "behaviour/execute/given_order",
        ("kind unknown_name, order", "if (g.turns[i].node == none)", "if (false)"),
        ("kind listed_twice, order", "if (g.turns[i].repeated)", "if (false)"),
    )
    breaks(
        "rules/rule_7_acyclic.hpp", "plan/rules/diagnose",
        ("kind cycle", "if (path.empty()) return;", "if (path.empty() || s.edges.back().why != reason::order) return;"),
    )
    breaks(
        "rules/rule_7_acyclic.hpp", "behaviour/execute/given_order",
        ("kind order_cycle", "if (path.empty()) return;", "if (path.empty() || s.edges.back().why == reason::order) return;"),
    )
    breaks("rules/rule_8_emission.hpp", "plan/make_plan", ("rule 8", "return false;", "return true;"))
    breaks(
        "rules/diagnose.hpp", "plan/rules/diagnose",
        ("kind race", "if (result.findings.empty()) result.findings = check_races(d);", ""),
        ("strict mode hides no race", "if (!shares_resources(d)) return {};", "if (d.strict || !shares_resources(d)) return {};"),
    )

    breaks(
        "derive/sort.hpp", "plan/derive/sort",
        ("sort: ties by declaration", "const auto sooner = [](std::size_t a, std::size_t b) { return a < b; };", "const auto sooner = [](std::size_t a, std::size_t b) { return a > b; };"),
        ("sort: only inside one progress", "return e.delta == 0 && e.producer < tasks", "return e.producer < tasks"),
    )
    breaks(
        "model/edge.hpp", "plan/make_plan",
        ("data: no writer behind the reader", "read.ago > 0) && !g.before(read, write)", "read.ago > 0)"),
        ("cross_iter: how many batches ago", "ahead + l.ago - c.lookahead", "ahead - c.lookahead"),
        ("depends_on: lookahead of both", "ahead - c.lookahead, reason::depends_on", "ahead, reason::depends_on"),
    )
    breaks("model/edge.hpp", "plan/earlier_batches", ("earlier batches: a task's own", "(write.node != consumer || read.ago > 0)", "write.node != consumer"))
    breaks(
        "model/graph.hpp", "plan/earlier_batches",
        ("earlier batches: where they are", "u.offset - u.ago, u.ago", "u.offset, u.ago"),
        ("earlier batches: of what is pointed into", "by.offset, by.ago, by.span", "by.offset, 0, by.span"),
        ("earlier batches: touched for another batch", " && uses[i].ago == one.ago", ""),
    )
    breaks("derive/planned_graph.hpp", "plan/earlier_batches", ("earlier batches: no queue is lost", "if (g.readers[i].ago == 0) add", "add"))
    breaks("derive/pipelined.hpp", "plan/earlier_batches", ("earlier batches: how far is raised", "if (g_.reads[i].ago > 0) keep", "if (false) keep"))
    breaks("derive/threads.hpp", "plan/earlier_batches", ("earlier batches: workers in turn", "if (read.ago == 1 && ", "if (read.ago == 2 && "))
    breaks(
        "rules/rule_5_reads.hpp", "plan/earlier_batches",
        ("earlier batches: each writer", "ahead = ahead && behind == none;", ""),
        ("earlier batches: repair", "at.reader - ago + more", "at.reader + more"),
        ("kind taken_before_later_batches", "(other.node != take.node || other.ago != take.ago) &&\n                 (other.ago > 0", "(other.node != take.node || other.ago != take.ago) &&\n                 (false"),
        ("earlier batches: views that are changed", "g.readers[i].ago > 0 ||", "false ||"),
    )
    breaks("rules/diagnose.hpp", "plan/earlier_batches", ("earlier batches: with queues", "if (g.writers[w].offset < g.reads[i].offset)", "if (false)"))
    breaks(
        "rules/rule_6_dependencies.hpp", "plan/earlier_batches",
        ("earlier batches: redundant_cross_iter", "return read.ago > 0 ? read.ago : write.offset - read.offset;", "return write.offset - read.offset;"),
        ("earlier batches: redundant_cross_iter in one progress", "if (looks_back(s.resolved, consumer, l)) report", "if (false) report"),
        ("earlier batches: which read makes it redundant", "if (ago == named) return i;", ""),
    )
    breaks("text/plan_writer.ipp", "plan/earlier_batches", ("earlier batches: told", "if (at.why != reason::data) return;", "return;"))
    breaks(
        "model/graph.hpp", "plan/model/pointing",
        ("points: reads that are implied", "if (!d.points.empty()) detail::imply_reads(g, d, numbers);", ""),
        ("points: of writers", "i < said + writes.last - writes.first", "i < said"),
        ("points: each once", "!touches(g.reads, {first, g.reads.size()}, implied)", "true"),
    )
    breaks(
        "model/pointing.hpp", "plan/model/pointing",
        ("points: over others", "if (next == places.size()) return places;", "return places;"),
        ("points: who names it", "is_named = is_named || used == slot;", ""),
        ("points: told over others", "reached = reached || ((seen >> j & 1U) != 0 && said[j].into == said[i].slot);", ";"),
        ("points: told of those that lead there", "if (!reached) continue;", ""),
    )
    breaks("model/edge.hpp", "plan/model/edge", ("take", "!uses_after(g, reader, taker)", "false"))
    breaks("model/edge.hpp", "behaviour/execute/given_order", ("user order", "if (t.before != none)", "if (false)"))
    breaks(
        "model/graph.hpp", "behaviour/execute/given_order",
        ("user order: lists stand apart", "replace(last[t.list], n.node)", "replace(last[0], n.node)"),
    )
    breaks(
        "model/firing.hpp", "plan/make_plan",
        ("fire rule: prefill", "lag <= progress && ", ""),
        ("fire rule: drain", " && progress < batches + lag", ""),
        ("filled", "progress >= static_cast", "progress > static_cast"),
    )

    breaks(
        "derive/copies.hpp", "plan/make_plan",
        ("copies: one more than the distance", "larger(ahead - behind + 1, reach)", "larger(ahead - behind, reach)"),
        ("copies: writers count", "widen(g.writers, g.writers_of[slot]);", ""),
        ("copies: readers count", "widen(g.readers, g.readers_of[slot]);", ""),
        ("sharing: reuse", "if (user.node != refill->node || g.nodes[user.node].workers > 1)", "if (false)"),
        ("sharing: the writer furthest ahead refills", "if (g.before(g.writers[i], g.writers[first])) first = i;", ""),
        ("sharing: reuse, one progress too soon", "const int first = batches - (", "const int first = batches + 1 - ("),
        ("sharing: update", "if (user.offset > later.offset && ", "if (false && "),
        ("sharing: readers", "order_after(g.readers[i]);", ";"),
        ("sharing: writers", "order_after(g.writers[i]);", ";"),
    )
    breaks(
        "derive/copies.hpp", "plan/derive/planned_graph",
        ("copies: of a queue", "user.group == filler ? user.workers : user.further + 1", "user.group == filler ? user.workers : user.further"),
        ("copies: inside a group", "user.group == filler ? user.workers : user.further + 1", "user.further + 1"),
    )
    breaks(
        "derive/planned_graph.hpp", "plan/derive/planned_graph",
        ("groups: readers of what is taken", "g.readers[i].node != taker.node", "false"),
        ("ahead: depends_on", "if (g.links[i].where == field::depends_on && g.links[i].producer != none)", "if (false)"),
        ("ahead: readers before an update", "if (other.offset > write.offset) all.push_back({other.node, write.node});", ""),
        ("ahead: writers before readers", "if (reads && other.offset <= write.offset) all.push_back({write.node, other.node});", ""),
        ("ahead: one queue after another", "further[after] + (together ? 0 : g.nodes[n].further)", "larger(further[after], g.nodes[n].further)"),
        ("ahead: together", "further[after] + (together ? 0 : g.nodes[n].further)", "further[after] + g.nodes[n].further"),
        ("ahead: the source's lead", "planned + g.max_lookahead - declared", "planned"),
        ("ahead: the source's queue", "own.lookahead + (together ? 0 : pull.further)", "own.lookahead"),
    )
    breaks(
        "derive/planned_graph.hpp", "plan/derive/pipelined",
        ("pipelined: slots move along", "if (u.node != g.deliver()) u.offset += raised[u.node];", "u.offset += raised[g.pull()];"),
    )
    breaks(
        "derive/pipelined.hpp", "plan/derive/pipelined",
        ("pipelined: distances that are there", "g_.nodes[one.before].lookahead > g_.nodes[after].lookahead", "false"),
        ("pipelined: same track", "tracks[one.before] == tracks[after]", "false"),
        ("pipelined: earlier batches", "demands_.push_back({l.producer, n, -room});", ""),
        ("pipelined: turns", "if (seen[producer] != 0) demands_", "if (false) demands_"),
        ("pipelined: resources", "demands_.push_back({other, n, 0});", ""),
        ("pipelined: resources, the other way", "demands_.push_back({n, other, 0});", ""),
        ("pipelined: offsets of reads", "if (a.given) limits_[n] = 0;", "if (!a.given) limits_[n] = 9;"),
        ("pipelined: nothing in part", "raised_[undo_[i]] = was_[i];", "{}"),
        ("pipelined: the source", "tracks[n] == tracks[g.pull()] ? 0 : 1", "0"),
        ("pipelined: the loop over results", "if (keeps_caller_apart_)", "if (false)"),
        ("pipelined: who takes results and pulls", " d.from.thread != d.caller_runs;", " true;"),
        ("pipelined: how long the loop takes", "keeps_caller_apart_(is_unweighted(d) && ", "keeps_caller_apart_("),
        ("pipelined: only so far", "raised[n] = smaller(depths[n], step.most);", "raised[n] = depths[n];"),
    )
    breaks(
        "rules/lookahead_search.hpp", "plan/rules/pipelined_choice",
        ("pipelined: as few as suffice", "(cost.suffices(best_) ? enough_ : not_enough_) = asked_.most;", "not_enough_ = asked_.most;"),
        ("pipelined: nothing to gain", "if (!is_worth_raising(cost)) return end(0);", ""),
        ("pipelined: streams by themselves", "&& !(other.on_tracks < on_tracks)", ""),
        ("pipelined: what costs as much is preferred", "(!cost.suffices(best_) || best_.suffices(cost))", "!cost.suffices(best_)"),
        ("pipelined: the source is never given up", "if (room_.level >= 0) return ask(", "if (false) return ask("),
        ("pipelined: pairs are never separated", "if (room_.pairs.most > 0) return ask(", "if (false) return ask("),
        ("pipelined: no room with the source ahead", "keep_if_less(cost, room_.ahead < 0);", "keep_if_less(cost, false);"),
        ("pipelined: bounds", "if (!is_bounded(d)) return {furthest, -1};", "return {furthest, -1};"),
    )
    breaks(
        "derive/plan_size.hpp", "plan/rules/pipelined_choice",
        ("bounds: one batch less", "size.in_flight = g.max_lookahead + 1;", "size.in_flight = g.max_lookahead;"),
        ("bounds: batches", "d.within.in_flight > 0 && size.in_flight > d.within.in_flight", "false"),
        ("bounds: bytes", "d.within.bytes > 0 && size.bytes > d.within.bytes", "false"),
    )
    breaks(
        "derive/copies.hpp", "plan/rules/pipelined_choice",
        ("bounds: a copy each", "sum += copies[slot] * bytes[known];", "sum += bytes[known];"),
        ("bounds: slack", "detail::add_slack(g, d.slacks, result);", ""),
    )
    breaks(
        "derive/copies.hpp", "plan/derive/spare_copies",
        ("spare copies: within bytes", "if (bytes_of_copies(d, g, with_spares) > d.within.bytes) return result;", ""),
        ("spare copies: where one is needed", "if (result[slot] == 1)", "if (true)"),
        ("spare copies: none taken by raising", "larger(result[slot], declared_source_copies(d, g, slot))", "result[slot]"),
        ("spare copies: nor given with slack", "filler == g.pull() && result[slot] == needed[slot]", "filler == g.pull()"),
    )
    breaks(
        "derive/spare_copies.hpp", "plan/derive/spare_copies",
        ("spare copies: frugal", "if (d.frugal || d.serial)", "if (d.serial)"),
        ("spare copies: serial", "if (d.frugal || d.serial)", "if (d.frugal)"),
        ("spare copies: as declared", "return smaller(static_cast<std::size_t>(ahead) + 1,", "return smaller(static_cast<std::size_t>(g.max_lookahead) + 1,"),
        ("spare copies: as declared, of readers", "declared(g.readers[i].node) != declared(g.pull())", "false"),
        ("spare copies: one batch in flight", "return g.max_lookahead > 0 || ", "return true || "),
        ("spare copies: pulled elsewhere", "|| detail::on_other_threads(d, g, g.pull(), g.deliver());", ";"),
        ("spare copies: of the source", "is_source || user == g.deliver()", "user == g.deliver()"),
        ("spare copies: of results", "is_source || user == g.deliver() ||", "is_source ||"),
        ("spare copies: for streams", "(is_host && g.nodes[user].stream != none)", "false"),
        ("spare copies: between streams", "(is_host && g.nodes[user].stream != none)", "g.nodes[user].stream != none"),
        ("spare copies: only apart", "if (counts && detail::on_other_threads(d, g, filler, user))", "if (counts)"),
        ("spare copies: eight", "most_copies_with_spares = 8", "most_copies_with_spares = 9"),
        ("spare copies: two", "return larger(std::size_t{1}, ", "return larger(std::size_t{0}, "),
        ("spare copies: one for a result", "if (!is_source) return 1;", ""),
        ("spare copies: whom the caller runs", "return thread == d.caller_runs ? caller : thread;", "return thread;"),
        ("spare copies: one generated thread", "if (d.generated == 1 || a == b)", "if (a == b)"),
        ("spare copies: a generated map", "if (is_unplaced(a) || is_unplaced(b)) return true;", ""),
        ("spare copies: a place in a generated map", "n < g.tasks && d.tasks[n].thread.empty();", "n < g.tasks;"),
    )
    breaks(
        "derive/signal_slots.hpp", "plan/derive/signal_slots",
        ("signal slots: of whoever fills", "of.fillers[e.slot] != e.producer || ", ""),
        ("signal slots: the first", " || found[e.producer] != none) continue;", ") continue;"),
        ("signal slots: another thread", "if (of.thread_of[e.consumer] == thread || ", "if ("),
        ("signal slots: one worker", " || of.workers[thread] != 1) continue;", ") continue;"),
        ("signal slots: room", "+ signal_size <= copy_alignment", "<= copy_alignment"),
        ("signal slots: behind the value", "return (size + signal_alignment - 1) / signal_alignment", "return size / signal_alignment"),
    )
    breaks(
        "layout/unweighted_period.hpp", "plan/layout/unweighted_period",
        ("unweighted: visits take no time", "t.weight[n] > 0 ? 1 : 0", "0"),
        ("unweighted: pulling takes time", "t.weight[n] > 0 ? 1 : 0", "1"),
        ("unweighted: workers", "push_back(tracks.workers[tracks.of[n]]);", "push_back(1);"),
        ("unweighted: from track to track", "add_arcs(n, false);", ""),
        ("unweighted: entries delay nobody", "made.arcs.push_back({nodes + n, 0});", ""),
    )
    breaks(
        "rules/pipelined_choice.hpp", "plan/rules/pipelined_choice",
        ("pipelined: without weights", "const bool unweighted = is_unweighted(d);", "const bool unweighted = false;"),
        ("pipelined: weights that are given", "const bool unweighted = is_unweighted(d);", "const bool unweighted = d.generated == 0;"),
        ("pipelined: pulling and results take no time", "keeps_caller_apart(d) ? g.nodes.size() : g.tasks", "g.tasks"),
        ("pipelined: races", "if (is_unsafe(made)) return {};", ""),
        ("pipelined: numbers out of reach", "!is_in_reach(d) || ", ""),
        ("pipelined: order of a map", "if (e.delta != 0) continue;", "continue;"),
    )
    breaks(
        "rules/diagnose.hpp", "plan/derive/planned_graph",
        ("ahead: rule 6", "g.nodes[l.producer].lookahead + l.ago < g.nodes[t].lookahead", "false"),
        ("ahead: rule 7", "  rules::check_acyclic({d, g, edges, order}, result.findings);\n", ""),
    )
    breaks(
        "order/happens_before.hpp", "plan/derive/planned_graph",
        ("distance", "delta <= most && known < wanted", "delta <= most && known <= wanted"),
        ("workers: turns of a chain", "static_cast<int>(t.workers[i]), why", "1, why"),
        ("workers: whose run an edge tells", "raise(tracks_.entry(tracks_.track_of[e.producer], e.delta)", "raise(tracks_.entry(tracks_.track_of[e.producer], 0)"),
        ("workers: whose run is passed on", "tracks_.entry(track, back + e.delta)", "tracks_.entry(track, back)"),
        ("workers: who is asked for", "known_through(other, track, e.delta)", "known_through(other, track, 0)"),
        ("workers: all of a turn", "for (int delta = 1; delta < turn; ++delta)", "for (int delta = 1; delta < 1; ++delta)"),
    )
    breaks(
        "text/misused_groups.hpp", "plan/text/misused_groups",
        ("thread groups: workers that pull", "if (g.thread == d_->from.thread) return {group_misuse::pulls};", ""),
        ("thread groups: the first in order", "if (ordered && in_order_[group] == planner::none)", "if (ordered)"),
        ("thread groups: workers of a coroutine", " || d.tasks[t].suspends", ""),
        ("thread groups: the group of the caller", " || g.thread == d_->caller_runs", ""),
        ("thread groups: nobody but the source", " && g.thread != d_->from.thread", ""),
        ("thread groups: a queue needs no order", "if (g.workers == 1) return {};", ""),
        ("thread groups: which was meant", "return {group_misuse::of_nobody, none, nearest_group(*d_, g.thread)};", "return {group_misuse::of_nobody};"),
        ("thread groups: room in a generated map", "named > d.generated", "named >= d.generated"),
    )
    breaks(
        "model/edge_groups.hpp", "plan/model/edge_groups",
        ("waits: who is awaited", "awaited[e.producer] = true;", ""),
        ("waits: where a group begins", "if (group.first == group.last) group.first = place;", ""),
        ("waits: where a group ends", "group.last = place + 1;", "group.last = place;"),
    )
    breaks(
        "model/plan.hpp", "plan/derive/planned_graph",
        ("workers: waits for each other", "return thread != thread_of[e.consumer] || e.delta % static_cast<int>(workers[thread]) != 0;", "return thread != thread_of[e.consumer];"),
    )
    breaks(
        "derive/threads.hpp", "plan/derive/planned_graph",
        ("workers: not on streams", "if ((!t.stream.empty() || t.collective) &&", "if (t.collective &&"),
        ("workers: no collectives", "if ((!t.stream.empty() || t.collective) &&", "if (!t.stream.empty() &&"),
        ("workers: not the source's", "|| thread == d.from.thread", ""),
    )
    breaks("derive/copies.hpp", "plan/derive/planned_graph", ("workers: refill for each other", " || g.nodes[user.node].workers > 1", ""))
    breaks("rules/races.hpp", "plan/derive/planned_graph", ("workers: race with themselves", "if (users[i].mutates && !hb.in_turn(user, user))", "if (false)"))
    breaks("order/effects.hpp", "plan/derive/planned_graph", ("workers: order of effects", "result.lines.workers[line[streams + t]] = threads.workers[t];", "result.lines.workers[line[streams + t]] = 1;"))
    breaks(
        "layout/period.hpp", "plan/derive/planned_graph",
        ("workers: modelled time", "workers.empty() ? 1 : static_cast<long long>(workers[t])", "1"),
        ("workers: modelled time in turn", "e.producer == n && g.nodes[n].workers == 1", "e.producer == n"),
    )
    breaks("derive/copies.hpp", "static/query/memory_bytes", ("copies: slack", "copies[slot] += more[known];", ""))

    breaks(
        "derive/serial_edges.hpp", "plan/make_plan",
        ("streams", "for (const auto& members : streams) add_chain(members, reason::stream, edges);", ""),
        ("queues: from one progress to the next", "edges.push_back({members.back(), members.front(), 1, why, none, 0});", ""),
        ("tickets: edges", "add_chain(tickets(g, order), reason::ticket, edges);", ""),
        ("tickets: only collectives", "if (g.nodes[n].collective) result", "result"),
        ("word of the next batch", "pulled_ahead - g.nodes[n].lookahead, reason::batch", "pulled_ahead, reason::batch"),
    )
    breaks(
        "derive/threads.hpp", "plan/make_plan",
        ("threads: as the task asks", "if (!t.thread.empty()) return t.thread;", ""),
        ("threads: by stream", 't.stream.empty() ? std::string_view("host") : t.stream', 'std::string_view("host")'),
    )
    breaks(
        "order/waits.hpp", "plan/make_plan",
        ("waits: each once", "if (!known) kept", "kept"),
        ("stream waits: not within a stream", "producer != consumer && ", ""),
        ("stream waits: not for host tasks", "consumer != none && ", ""),
        ("barrier waits: without implied", "if (own[threads.thread_of[e.producer]] > threads.place[e.producer]) continue;", ""),
        ("barrier waits: kept", "merge(e.producer);\n      kept.push_back(e);", "merge(e.producer);"),
        ("barrier waits: what a wait brings with it", "merge(e.producer);\n      kept", "kept"),
        ("barrier waits: latest producer first", "position[a.producer] > position[b.producer]", "position[a.producer] < position[b.producer]"),
        ("barrier waits: inside one progress", "return e.delta == 0 && threads", "return threads"),
    )
    breaks(
        "order/waits.hpp", "behaviour/execute/given_order",
        ("stream waits: none for the user's order", " && e.why != reason::order &&", " &&"),
    )

    breaks(
        "order/happens_before.hpp", "plan/order/happens_before",
        ("clocks: the producer", "if (run > known_run) {", "if (false) {"),
        ("clocks: what the producer knows", "if (known > own[t]) {", "if (false) {"),
        ("clocks: news of the pass before", "told < pass - 1", "told < pass"),
        ("implied: by others", "if (other.producer == e.producer && other.delta == e.delta) continue;", ""),
        ("implied: how far", "if (known_through(other, track, e.delta) >= wanted)", "if (known_through(other, track, e.delta) > wanted)"),
        ("races: each pair is one progress", "(ordered(a, b, 0) && ordered(b, a, turn))", "(ordered(a, b, 0) && ordered(b, a, turn + 1))"),
    )
    breaks(
        "rules/races.hpp", "plan/order/happens_before",
        ("races: a turn leads on", "hb.distance(last, task, 0) > 0 || ", ""),
        ("races: a turn is one progress", " || hb.distance(task, first, 1) > 1)", ")"),
        ("races: two that only look", " || !(later.mutates || earlier.mutates)", ""),
        ("races: the turn with those outside it", "for (const std::size_t j : outside) compare(users[i], users[j]);", ""),
        ("races: those outside the turn", "for (std::size_t j = 0; j < i; ++j) compare(users[i], users[j]);", ""),
    )
    breaks(
        "order/effects.hpp", "behaviour/execute/given_order",
        ("effects: the user's order is of submission", "return g.nodes[e.producer].stream == none;", "return true;"),
    )
    breaks(
        "order/effects.hpp", "plan/order/effects",
        ("effects: tickets are of submission", "e.why != reason::ticket && ", ""),
        ("effects: what a thread submits after a host task", "} else if (host != none) {", "} else if (false) {"),
        ("effects: nor what it submitted before", "if (g.nodes[n].stream == none) {", "if (true) {"),
        ("effects: from one progress to the next", "turn < 2", "turn < 1"),
    )
    breaks(
        "order/fewest_waits.hpp", "plan/order/happens_before",
        ("stream waits: the fewest", "return detail::without_implied_effects(p, p.stream_waits);", "return p.stream_waits;"),
        ("run-ahead waits: delivery", "s.kept.append(deliveries);", ""),
        ("run-ahead waits: delivery from each thread", "lookahead = smaller(lookahead, p.resolved.nodes[n].lookahead);", "lookahead = 0;"),
        ("run-ahead waits: only across threads", "{ return p.threads.crosses(e); }", "{ return p.threads.thread_of[e.producer] < p.threads.thread_of[e.consumer]; }"),
        ("without implied", "if (!hb.implied(e)) kept", "kept"),
    )
    breaks(
        "model/edge.hpp", "plan/order/effects",
        ("delivery: every task is done with the batch", "edges.push_back({n, g.deliver(), g.nodes[n].lookahead, reason::through, none, 0});", ";"),
        ("delivery: room for the next", "edges.push_back({g.deliver(), g.pull(), 1, reason::room, none, 0});", ""),
    )
    breaks(
        "order/fewest_waits.hpp", "plan/order/effects",
        ("blocking waits", "return on_stream(e.producer) && !on_stream(e.consumer)", "return false"),
        ("blocking waits: of host tasks", "!on_stream(e.consumer) && ", ""),
        ("blocking waits: not for tickets", " && e.why != reason::ticket &&", " &&"),
    )
    breaks(
        "order/deadlock.hpp", "plan/order/deadlock",
        ("deadlock: threads' chains", "all.push_back({before, chained[i], first ? 1 : 0, reason::thread, none, 0});", ""),
        ("deadlock: edges", "  all.append(edges);\n", ""),
        ("deadlock: a cycle to an earlier progress", "backward = backward || edges[i].delta < 0;", ""),
        ("deadlock: a cycle to a later progress is none", "e.delta * static_cast<long>(nodes + 1) - 1", "0L - 1"),
        ("deadlock: the cycle's edges", "mirrored = replace(found[i], mirrored);", ""),
    )
    breaks(
        "fingerprint.hpp", "plan/fingerprint",
        ("fingerprint: names", "h.text(node_name(d, n));", ""),
        ("fingerprint: lookahead", "h.number(static_cast<std::uint64_t>(g.nodes[n].lookahead));", ""),
        ("fingerprint: stream", ": g.streams[g.nodes[n].stream]", ": std::string_view()"),
        ("fingerprint: producer", "h.number(e.producer);", ""),
        ("fingerprint: consumer", "h.number(e.consumer);", ""),
        ("fingerprint: delta", "h.number(e.consumer);\n    h.number(static_cast<std::uint64_t>(e.delta));", "h.number(e.consumer);"),
        ("fingerprint: reason", "    h.number(static_cast<std::uint64_t>(e.why));\n  }\n  for", "  }\n  for"),
        ("fingerprint: slots", "h.text(slot_list[s].text);", ""),
        ("fingerprint: copies", "h.number(copies[s]);", ""),
        ("fingerprint: tickets", "for (const std::size_t n : tickets) h.number(n);", ""),
    )
    breaks(
        "rules/rule_1_names.hpp", "plan/rules/repair",
        ("repair of names", "return {remedy::rename, f.task};", "return {};"),
    )
    breaks(
        "rules/rule_2_offsets.hpp", "plan/rules/repair",
        ("repair of negative_lookahead", "{remedy::set_lookahead, f.task, 0}", "{remedy::set_lookahead, f.task, -1}"),
        ("repair of slot offsets", "return {remedy::set_offset, f.task, lookahead_of(d, f.task)};", "return {remedy::set_offset, f.task, lookahead_of(d, f.task) + 1};"),
        ("repair of reserved_write", "return {remedy::own_slot, f.task};", "return {};"),
    )
    breaks(
        "rules/rule_3_streams.hpp", "plan/rules/repair",
        ("repair of stream_not_declared", "return {remedy::declare, f.task};", "return {};"),
    )
    breaks(
        "rules/rule_4_writers.hpp", "plan/rules/repair",
        ("repair of multiple_writers", "return {remedy::own_slot, f.task};", "return {};"),
        ("repair of name_multi_stream", "return {remedy::one_stream, f.task};", "return {};"),
    )
    breaks(
        "rules/rule_5_reads.hpp", "plan/rules/repair",
        ("repair of slot_future_read and taken_before_use", "detail::read_offset(d, f)};", "detail::read_offset(d, f) - 1};"),
        ("repair of slot_future_read of the source", "(f.other >= d.tasks.size()) return {remedy::set_offset, f.task, lookahead_of(d, f.task)}", "(f.other >= d.tasks.size()) return {remedy::set_offset, f.task, lookahead_of(d, f.task) + 1}"),
        ("repair of view_of_unread", "return {remedy::no_view, f.task};", "return {};"),
        ("repair of changed_under_view", "detail::made_at(d, f)};", "detail::made_at(d, f) - 1};"),
        ("repair of taken_twice and taken_result", "return {remedy::only_read, f.task};", "return {};"),
        ("repair of reads by dropping the entry", "return {remedy::drop_entry, f.task};", "return {};"),
    )
    breaks(
        "rules/rule_6_dependencies.hpp", "plan/rules/repair",
        ("repair of depends_future_read", "{remedy::set_lookahead, f.other, ahead(f.task)}", "{remedy::set_lookahead, f.other, ahead(f.task) - 1}"),
        ("repair of cross_offset_not_negative", "larger(1, ahead(f.task) - ahead(f.other))", "1"),
        ("repair of cross_offset_not_negative, least", "larger(1, ahead(f.task) - ahead(f.other))", "ahead(f.task) - ahead(f.other)"),
        ("repair of cross_iter_future_read", "planned_lookahead(d, f.task) - planned_lookahead(d, f.other)", "planned_lookahead(d, f.task) - planned_lookahead(d, f.other) - 1"),
        ("repair of cross_iter_rotated_out", "return {remedy::one_stream, f.task};", "return {};"),
        ("repair by dropping the entry", "return {remedy::drop_entry, f.task};", "return {};"),
    )
    breaks(
        "rules/races.hpp", "plan/rules/repair",
        ("repair of races", "return {remedy::one_stream, f.task};", "return {};"),
    )
    breaks(
        "rules/nearest_name.hpp", "plan/rules/repair",
        ("repair of unknown_name", "const std::size_t away = distance(text_, other, least_);", "const std::size_t away = 9;"),
        ("repair: letters swapped", "return 1 + smaller(least, distance(a.substr(2), b.substr(2), most - 1));", "return 1 + least;"),
        ("repair: names nearby", "const std::size_t replaced = distance(a.substr(1), b.substr(1), most - 1);", "const std::size_t replaced = longer;"),
    )
    breaks(
        "rules/nearest_name.hpp", "plan/text/misused_groups",
        ("nearest group: the caller's", "if (group != caller) nearest.consider(group);", "nearest.consider(group);"),
        ("nearest group: the source's", "consider(d.from.thread);", ""),
        ("nearest group: of generated maps", "consider(d.generated > 0 ? t.thread : thread_name(t));", "consider(thread_name(t));"),
    )
    return found


def kinds():
    rules = "".join(header.read_text() for header in sorted((ROOT / PLAN / "rules").glob("*.hpp")))
    return set(re.findall(r"^inline constexpr finding_kind (\w+) =", rules, re.M))


def main():
    options = planted.options_of(__doc__).parse_args()
    broken = mutants()
    missing = kinds() - {what.split()[1].strip(",") for what, *_ in broken if what.startswith("kind ")}
    return planted.break_pieces(__file__, options, broken, [f"no mutant for {kind}" for kind in sorted(missing)])


if __name__ == "__main__":
    sys.exit(main())
