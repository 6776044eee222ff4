// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <stretto/declare/name.hpp>
#include <stretto/plan/derive/planned_graph.hpp>
#include <stretto/plan/derive/verdicts.hpp>
#include <stretto/plan/model/algorithm.hpp>
#include <stretto/plan/model/declaration.hpp>
#include <stretto/plan/model/list.hpp>
#include <stretto/plan/model/name_index.hpp>
#include <stretto/plan/model/rate.hpp>
#include <stretto/plan/model/text_builder.hpp>
#include <stretto/plan/model/view.hpp>
#include <stretto/plan/rules/nearest_name.hpp>
#include <stretto/plan/rules/rule.hpp>

namespace stretto::planner::kind {
inline constexpr finding_kind unknown_name = kind_of_rule(6, 1);
inline constexpr finding_kind field_overlap = kind_of_rule(6, 2);
inline constexpr finding_kind listed_twice = kind_of_rule(6, 3);
inline constexpr finding_kind cross_offset_not_negative = kind_of_rule(6, 4);
inline constexpr finding_kind depends_future_read = kind_of_rule(6, 5);
inline constexpr finding_kind cross_iter_future_read = kind_of_rule(6, 6);
inline constexpr finding_kind cross_iter_rotated_out = kind_of_rule(6, 7);
inline constexpr finding_kind redundant_cross_iter = kind_of_rule(6, 8);
inline constexpr finding_kind never_on_that_batch = kind_of_rule(6, 9);
inline constexpr finding_kind dropped_collective = kind_of_rule(6, 10);
}  // namespace stretto::planner::kind

namespace stretto::planner {

/// Which read makes the entry superfluous that a `redundant_cross_iter` is about.
constexpr std::size_t ordering_read(const declaration& d, const finding& f) {
  const view<access> reads = d.tasks[f.task].reads;
  const view<access> writes = d.tasks[f.other].writes;
  name_index written(writes.size());
  for (const access& w : writes) written.number(w.slot);
  const auto key = [](std::size_t slot, int offset) {
    return slot << 32U | static_cast<unsigned>(offset);
  };
  list<std::size_t> keys;
  for (const access& w : writes) keys.push_back(key(written.find(w.slot), w.offset));
  const list<std::size_t> sorted = places_by_key(keys);
  for (std::size_t i = 0; i < reads.size(); ++i) {
    const std::size_t slot = written.find(reads[i].slot);
    if (slot == none) continue;
    const int named = entry_of(d, f).ago;
    const int reached = reach_of(d, d.tasks[f.task], reads[i]).nearest;
    const int ago = reached >= 0 ? reached : 1;
    if (ago > 0) {
      if (ago == named) return i;
      continue;
    }
    const std::size_t wanted = key(slot, reads[i].offset + named);
    std::size_t low = 0;
    std::size_t high = sorted.size();
    while (low < high) {
      const std::size_t middle = (low + high) / 2;
      if (keys[sorted[middle]] < wanted) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    if (low < sorted.size() && keys[sorted[low]] == wanted) return i;
  }
  return none;
}

}  // namespace stretto::planner

namespace stretto::planner::rules {

namespace detail {

/// Up to how many entries of a field pairs are compared directly. Most fields have two or three.
inline constexpr std::size_t few_entries = 16;

/// Who wrote what a task reads, and how many batches ahead of it.
class written_for {
 public:
  constexpr written_for(const graph& g, const node& consumer) : graph_(g), consumer_(consumer) {
    if (consumer.reads.last - consumer.reads.first <= few_entries || !waits_for_earlier()) return;
    for (std::size_t r = consumer.reads.first; r < consumer.reads.last; ++r) {
      const use& read = g.reads[r];
      const range writers = g.writers_of[read.slot];
      for (std::size_t w = writers.first; w < writers.last; ++w)
        known_.push_back(key(g.writers[w].node, ahead(g.writers[w], read)));
    }
    list<std::size_t> sorted;
    for (const std::size_t i : places_by_key(known_)) sorted.push_back(known_[i]);
    known_ = sorted;
    sorted_ = true;
  }

  /// Whether the task reads a slot that \p producer wrote \p ago batches ahead of it.
  constexpr bool by(std::size_t producer, int ago) const {
    if (sorted_) {
      const std::size_t wanted = key(producer, ago);
      std::size_t low = 0;
      std::size_t high = known_.size();
      while (low < high) {
        const std::size_t middle = (low + high) / 2;
        if (known_[middle] < wanted) {
          low = middle + 1;
        } else {
          high = middle;
        }
      }
      return low < known_.size() && known_[low] == wanted;
    }
    for (std::size_t r = consumer_.reads.first; r < consumer_.reads.last; ++r) {
      const use& read = graph_.reads[r];
      const range writers = graph_.writers_of[read.slot];
      for (std::size_t w = writers.first; w < writers.last; ++w)
        if (graph_.writers[w].node == producer && ahead(graph_.writers[w], read) == ago)
          return true;
    }
    return false;
  }

 private:
  /// Of a read of an earlier batch: which one it is.
  static constexpr int ahead(const use& write, const use& read) {
    return read.ago > 0 ? read.ago : write.offset - read.offset;
  }
  static constexpr std::size_t key(std::size_t producer, int ahead) {
    return producer << 32U | static_cast<unsigned>(ahead);
  }

  constexpr bool waits_for_earlier() const {
    for (std::size_t i = consumer_.links.first; i < consumer_.links.last; ++i)
      if (graph_.links[i].where == field::cross_iter_depends_on) return true;
    return false;
  }

  const graph& graph_;
  const node& consumer_;
  list<std::size_t> known_;  // where looking through all would take long
  bool sorted_ = false;
};

/// Whether a task reads what the task that an entry names wrote for the batch that the entry names.
constexpr bool looks_back(const graph& g, const node& consumer, const link& l) {
  for (std::size_t r = consumer.reads.first; r < consumer.reads.last; ++r) {
    const use& read = g.reads[r];
    if (read.ago == 0 || read.ago != l.ago) continue;
    const range writers = g.writers_of[read.slot];
    for (std::size_t w = writers.first; w < writers.last; ++w)
      if (g.writers[w].node == l.producer) return true;
  }
  return false;
}

/// How many batches more \p ago would have to be for a task to run for that batch, if it never does
/// for one that lies so many before those of another.
constexpr int batches_short(const rate& consumer, const rate& producer, int ago) {
  const int both = common_divisor(consumer.every, producer.every);
  return ((consumer.phase - ago - producer.phase) % both + both) % both;
}

constexpr void check_link_reach(const subject& s, std::size_t t, const link& l,
                                const written_for& written, findings& found) {
  const node& consumer = s.resolved.nodes[t];
  const node& producer = s.resolved.nodes[l.producer];
  const auto report = [t, &l = l, &found = found](finding_kind k) {
    found.push_back({k, t, l.producer, l.where, l.position});
  };
  if (l.where == field::depends_on && producer.lookahead < consumer.lookahead)
    report(kind::depends_future_read);
  if (s.resolved.rated && l.where != field::same_progress_sync && l.ago >= 0 &&
      batches_short(consumer.runs, producer.runs, l.ago) != 0)
    report(kind::never_on_that_batch);
  if (l.where != field::cross_iter_depends_on) return;
  if (l.ago < 1) return report(kind::cross_offset_not_negative);
  const int delta = producer.lookahead + l.ago - consumer.lookahead;
  if (delta < 0) return report(kind::cross_iter_future_read);
  if (delta == 0) {
    if (looks_back(s.resolved, consumer, l)) report(kind::redundant_cross_iter);
    return;
  }
  if (s.declared.strict && producer.stream != consumer.stream && consumer.lookahead - l.ago < 0)
    report(kind::cross_iter_rotated_out);
  if (written.by(l.producer, l.ago)) report(kind::redundant_cross_iter);
}

/// What an entry names, as a number (\c none: nothing there is), and what else tells it from
/// others.
struct entry_key {
  std::size_t what = none;
  std::size_t how = 0;
};

constexpr std::size_t as_key(int number) { return static_cast<unsigned>(number); }

/// Calls \p found with each entry that repeats one before it, and the first that it repeats, in
/// the order of the entries: one with the same key, or one of the same name if \p overlaps says so.
/// (Where entries are many, that is asked of the first of a name only: a field's stand together.)
template <class Key, class Overlaps, class Found>
constexpr void for_each_repeated(range own, Key key, Overlaps overlaps, Found found) {
  const std::size_t entries = own.last - own.first;
  if (entries <= few_entries) {
    for (std::size_t i = own.first; i < own.last; ++i) {
      const entry_key later = key(i);
      for (std::size_t j = own.first; j < i && later.what != none; ++j)
        if (const entry_key earlier = key(j);
            earlier.what == later.what && (earlier.how == later.how || overlaps(i, j))) {
          found(i, j);
          break;
        }
    }
    return;
  }
  list<std::size_t> whats;
  list<std::size_t> hows;
  for (std::size_t i = own.first; i < own.last; ++i) {
    whats.push_back(key(i).what);
    hows.push_back(key(i).how);
  }
  list<std::size_t> first(entries, none);
  const auto take_groups = [&](const list<std::size_t>& sorted, bool same) {
    std::size_t group = 0;
    for (std::size_t at = 0; at < entries; ++at) {
      const std::size_t i = sorted[at];
      if (whats[i] == none) break;  // they come last
      if (whats[sorted[group]] != whats[i] || (same && hows[sorted[group]] != hows[i])) group = at;
      const std::size_t j = sorted[group];
      if (j == i || (!same && !overlaps(own.first + i, own.first + j))) continue;
      if (first[i] == none || j < first[i]) first[i] = j;
    }
  };
  take_groups(places_by_key(whats), false);
  list<std::size_t> sorted = places_by_key(hows);
  sort_by_key(sorted, whats);
  take_groups(sorted, true);
  for (std::size_t i = 0; i < entries; ++i)
    if (first[i] != none) found(own.first + i, own.first + first[i]);
}

constexpr void check_repeats(const graph& g, std::size_t t, findings& found) {
  for_each_repeated(
      g.nodes[t].links,
      [&g = g](std::size_t i) {
        const link& l = g.links[i];
        return entry_key{l.producer, static_cast<std::size_t>(l.where) << 32U | as_key(l.ago)};
      },
      [&g = g](std::size_t i, std::size_t j) { return g.links[i].where != g.links[j].where; },
      [t, &g = g, &found = found](std::size_t i, std::size_t j) {
        const link& later = g.links[i];
        found.push_back({g.links[j].where == later.where ? kind::listed_twice : kind::field_overlap,
                         t, later.producer, later.where, later.position});
      });
}

constexpr void check_repeated_uses(view<use> uses, range own, field where, findings& found) {
  for_each_repeated(
      own,
      [&](std::size_t i) {
        return entry_key{uses[i].slot, as_key(uses[i].offset)};
      },
      [](std::size_t, std::size_t) { return false; },
      [&, &found = found](std::size_t i, std::size_t) {
        found.push_back({kind::listed_twice, uses[i].node, none, where, i - own.first});
      });
}

constexpr void check_repeated_resources(std::size_t t, view<name> resources, field where,
                                        findings& found) {
  if (resources.size() < 2) return;
  name_index seen(resources.size());
  std::size_t distinct = 0;
  for (std::size_t i = 0; i < resources.size(); ++i) {
    if (seen.number(resources[i]) == distinct) {
      ++distinct;
    } else {
      found.push_back({kind::listed_twice, t, none, where, i});
    }
  }
}

}  // namespace detail

/// A collective runs on all ranks or on none. Where ranks agree on the end, pulling is one.
constexpr void check_dropped_collectives(const subject& s, findings& found) {
  if (!may_drop(s.declared)) return;
  if (drops_failures(s.declared.from)) {
    bool together = s.declared.from.collective;
    for (const task& t : s.declared.tasks) together = together || !t.role.empty();
    const std::size_t pull = s.resolved.pull();
    if (together) found.push_back({kind::dropped_collective, pull, pull});
  }
  const verdicts v = find_verdicts(s.declared, s.resolved);
  for (std::size_t t = 0; t < s.resolved.tasks; ++t) {
    if (!s.declared.tasks[t].collective) continue;
    const std::size_t by = may_drop(s.declared.tasks[t]) ? t : v.dropper_before(t);
    if (by != none) found.push_back({kind::dropped_collective, t, by});
  }
}

/// Rule 6: every name in the dependency fields and in the user's order is a task of the schedule,
/// listed once, and reachable in time; no collective drops batches, or depends on what does.
constexpr void check_dependencies(const subject& s, findings& found) {
  const graph& g = s.resolved;
  for (std::size_t t = 0; t < g.tasks; ++t) {
    const detail::written_for written(g, g.nodes[t]);
    for (std::size_t i = g.nodes[t].links.first; i < g.nodes[t].links.last; ++i) {
      const link& l = g.links[i];
      if (l.producer == none) {
        found.push_back({kind::unknown_name, t, none, l.where, l.position});
      } else {
        detail::check_link_reach(s, t, l, written, found);
      }
    }
    detail::check_repeats(g, t, found);
    detail::check_repeated_uses(g.reads, g.nodes[t].reads, field::reads, found);
    detail::check_repeated_uses(g.writes, g.nodes[t].writes, field::writes, found);
    const task& declared = s.declared.tasks[t];
    detail::check_repeated_resources(t, declared.observes, field::observes, found);
    detail::check_repeated_resources(t, declared.mutates, field::mutates, found);
  }
  for (std::size_t i = 0; i < g.turns.size(); ++i) {
    if (g.turns[i].node == none) found.push_back({kind::unknown_name, none, none, field::order, i});
    if (g.turns[i].repeated) found.push_back({kind::listed_twice, none, none, field::order, i});
  }
  check_dropped_collectives(s, found);
}

constexpr repair repair_of_dependencies(const declaration& d, const finding& f) {
  if (f.what == kind::dropped_collective) return {remedy::keep_all, f.other};
  const auto ahead = [&d = d](std::size_t t) { return lookahead_of(d, t); };
  if (f.what == kind::unknown_name) {
    const name& named = f.where == field::order ? d.turns[f.position].task : entry_of(d, f).task;
    const std::size_t meant = planner::detail::nearest_task(d, f.task, named.text);
    return {meant == none ? remedy::drop_entry : remedy::replace_entry, meant};
  }
  if (f.what == kind::cross_offset_not_negative)
    return {remedy::set_ago, f.task, larger(1, ahead(f.task) - ahead(f.other))};
  if (f.what == kind::depends_future_read) return {remedy::set_lookahead, f.other, ahead(f.task)};
  if (f.what == kind::cross_iter_future_read)
    return {remedy::set_ago, f.task, planned_lookahead(d, f.task) - planned_lookahead(d, f.other)};
  if (f.what == kind::never_on_that_batch && f.where == field::cross_iter_depends_on) {
    const int ago = entry_of(d, f).ago;
    return {remedy::set_ago, f.task,
            ago + detail::batches_short(rate_of(d.tasks[f.task]), rate_of(d.tasks[f.other]), ago)};
  }
  if (f.what == kind::cross_iter_rotated_out) return {remedy::one_stream, f.task};
  return {remedy::drop_entry, f.task};
}

namespace detail {

/// The dependency field in which a task named another before the entry that a finding is about.
constexpr field first_field_of(const declaration& d, const finding& f) {
  const task& t = d.tasks[f.task];
  for (const dependency& e : t.depends_on)
    if (e.task == entry_of(d, f).task) return field::depends_on;
  return field::cross_iter_depends_on;
}

/// What is wrong with a name that no task has.
constexpr void say_unknown(const statement& s, text_builder& to, const char* pattern,
                           std::string_view unknown) {
  s.say(to, pattern);
  to.quoted(unknown);
  s.say(to, s.f.where == field::order ? ", which is not a task of this schedule"
                                      : " in $f, which is not a task of this schedule");
  if (s.fix.how == remedy::replace_entry) {
    to.add("; did you mean ").quoted(node_name(s.d, s.fix.task)).add("?");
  } else {
    to.add("; list it there, or drop the entry");
  }
}

/// What is wrong with a dependency that is named once, by what tasks and when they run.
constexpr void say_reach(const statement& s, text_builder& to) {
  const finding& f = s.f;
  const int own = s.at_fault().lookahead;
  if (f.what == kind::depends_future_read)
    return s.say(to,
                 "$w (lookahead $n) depends_on $o (lookahead $m), which has not run on that batch "
                 "yet; raise the lookahead of $o to at least $v",
                 own, s.second().lookahead);
  const int ago = entry_of(s.d, f).ago;
  if (f.what == kind::never_on_that_batch) {
    s.say(to, "$w runs ");
    say_when(s.at_fault(), to);
    s.say(to, " and waits for the run of $o for ");
    s.say(to, ago == 0 ? "the same batch" : "the batch $a", ago);
    s.say(to, ", but that runs ");
    say_when(s.second(), to);
    s.say(to, ", never for that one; name it in cross_iter_depends_on $b", 0,
          ago + batches_short(rate_of(s.at_fault()), rate_of(s.second()), ago));
    return;
  }
  if (f.what == kind::cross_offset_not_negative) {
    s.say(to, "$w names $o in cross_iter_depends_on $a; name it at least $b", ago, s.fix.value);
    if (ago == 0 && f.other != f.task && s.second().lookahead >= own)
      s.say(to, ", or in depends_on, which speaks of the same batch");
    return;
  }
  if (f.what == kind::cross_iter_future_read) {
    const int ahead = planned_lookahead(s.d, f.task);
    s.say(to, "$w (lookahead $n", ahead);
    if (ahead != own) s.say(to, " with the schedule's queues and workers");
    s.say(to, ") waits for the run of $o (lookahead $n) $b", planned_lookahead(s.d, f.other), ago);
    return s.say(to, ", which is still to come; name it at least $a", s.fix.value);
  }
  s.say(to,
        "$w waits for $o of $a on another stream, which has left the ring; put both on one stream, "
        "or drop `strict`, which keeps no history",
        ago);
}

}  // namespace detail

constexpr void sentence_on_dependencies(const statement& s, text_builder& to) {
  const finding& f = s.f;
  if (f.what == kind::dropped_collective) {
    if (f.task == s.d.tasks.size())
      return s.say(to,
                   "the source drops batches$c, but ranks agree before each batch whether all have "
                   "one, and would disagree on those; let its failures end the run, as they do "
                   "without, or catch what is thrown in the source, and go on to the next there");
    s.say(to, f.task == f.other
                  ? "$w is a collective and may drop batches$c, of which ranks would disagree; "
                  : "$w is a collective, but does not run for batches that $d drops$c, of which "
                    "ranks would disagree; ");
    if (f.other == s.d.tasks.size())
      return s.say(to,
                   "let its failures end the run, as they do without, or catch what is thrown in "
                   "the source, and go on to the next there");
    if (only_drops_failures(s.second()))
      return s.say(to,
                   "let its failures end the run, as they do without, or catch what is thrown "
                   "and write that to a slot");
    return s.say(to, f.task == f.other
                         ? "let it keep all, and write what they agree on to a slot"
                         : "let $o keep all, and write what it thinks of them to a slot");
  }
  if (f.where == field::order) {
    const std::string_view entry = s.d.turns[f.position].task.text;
    if (f.what != kind::listed_twice)
      return detail::say_unknown(s, to, "an `order` of the schedule names ", entry);
    s.say(to, "an `order` of the schedule lists ");
    to.quoted(entry);
    return s.say(to, " twice; drop one");
  }
  if (f.what == kind::unknown_name)
    return detail::say_unknown(s, to, "$w names ", entry_of(s.d, f).task.text);
  if (f.what == kind::field_overlap) {
    s.say(to, "$w names $o in $f and in ");
    to.add(field_name(detail::first_field_of(s.d, f)));
    return s.say(to, " too; keep the one that says what is meant");
  }
  if (f.what == kind::listed_twice)
    return s.say(to, f.other == none ? "$w lists $s twice in $f; drop one"
                                     : "$w lists $o twice in $f; drop one");
  if (f.what == kind::redundant_cross_iter) {
    s.say(to, "$w names $o in cross_iter_depends_on; drop the entry: the read of ");
    to.quoted(s.at_fault().reads[ordering_read(s.d, f)].slot.text);
    return s.say(to, " already orders it");
  }
  detail::say_reach(s, to);
}

inline constexpr rule rule_6{
    .number = 6,
    .kinds =
        {
            {kind::unknown_name, "unknown_name"},
            {kind::field_overlap, "field_overlap"},
            {kind::listed_twice, "listed_twice"},
            {kind::cross_offset_not_negative, "cross_offset_not_negative"},
            {kind::depends_future_read, "depends_future_read"},
            {kind::cross_iter_future_read, "cross_iter_future_read"},
            {kind::cross_iter_rotated_out, "cross_iter_rotated_out"},
            {kind::redundant_cross_iter, "redundant_cross_iter"},
            {kind::never_on_that_batch, "never_on_that_batch"},
            {kind::dropped_collective, "dropped_collective", "collective"},
        },
    .check = check_dependencies,
    .fix = repair_of_dependencies,
    .sentence = sentence_on_dependencies,
};

}  // namespace stretto::planner::rules
