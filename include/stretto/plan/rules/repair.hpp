// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cstddef>
#include <stretto/plan/derive/planned_graph.hpp>
#include <stretto/plan/model/declaration.hpp>
#include <stretto/plan/model/list.hpp>
#include <stretto/plan/model/name_index.hpp>
#include <stretto/plan/rules/finding.hpp>
#include <string_view>

namespace stretto::planner {

/// What to do about a finding. (How it is said: sentence.hpp.)
enum class remedy {
  unknown,        ///< only the author knows
  rename,         ///< give the task a name of its own
  declare,        ///< add the task's stream to the schedule's
  one_stream,     ///< put the task on the stream of the other
  own_slot,       ///< write another slot
  set_lookahead,  ///< let the task work `value` batches ahead, or more
  set_offset,     ///< touch the slot at offset `value`
  set_ago,        ///< name the entry `value` batches ago, or more
  replace_entry,  ///< name the task instead
  drop_entry      ///< of the field
};

/// What makes a finding go away; others may come to light.
struct repair {
  remedy how = remedy::unknown;
  std::size_t task = none;  ///< the task that changes, or is meant
  int value = 0;
};

namespace detail {

/// How far ahead the read is that a finding is about.
constexpr int read_offset(const declaration& d, const finding& f) {
  if (f.task >= d.tasks.size()) return 0;
  const task& t = d.tasks[f.task];
  return d.serial ? t.stage : t.reads[f.position].offset;
}

/// How many characters to insert, drop or replace to get from one word to the other, if no more
/// than \p most, which is small; else more than \p most.
constexpr std::size_t distance(std::string_view a, std::string_view b, std::size_t most) {
  const std::size_t shorter = (std::min)(a.size(), b.size());
  const std::size_t longer = (std::max)(a.size(), b.size());
  const char* const in_a = a.data();
  const char* const in_b = b.data();
  std::size_t same = 0;
  while (same < shorter && in_a[same] == in_b[same]) ++same;
  if (same == shorter || longer - shorter > most || most == 0) return longer - same;
  a.remove_prefix(same);
  b.remove_prefix(same);
  const std::size_t replaced = distance(a.substr(1), b.substr(1), most - 1);
  const std::size_t dropped = distance(a.substr(1), b, most - 1);
  const std::size_t inserted = distance(a, b.substr(1), most - 1);
  return 1 + (std::min)(replaced, (std::min)(dropped, inserted));
}

/// Which of some names was probably meant by one that is none of them.
class nearest_name {
 public:
  constexpr explicit nearest_name(std::string_view text)
      : text_(text),
        least_(text.size() < 3   ? 0
               : text.size() < 6 ? 1
                                 : 2) {}

  /// Whether \p other is nearer than those before, and near enough.
  constexpr bool consider(std::string_view other) {
    constexpr std::size_t longest = 200;  // nobody mistypes such a name
    if (other.empty() || text_.size() > longest || other.size() > text_.size() + least_ ||
        text_.size() > other.size() + least_)
      return false;
    const std::size_t away = distance(text_, other, least_);
    if (away > least_ || (away == least_ && !nearest_.empty())) return false;
    nearest_ = other;
    least_ = away;
    return true;
  }
  /// The nearest; empty if none is near.
  constexpr std::string_view name() const { return nearest_; }

 private:
  std::string_view text_;
  std::string_view nearest_;
  std::size_t least_;
};

/// The task that a name was probably meant for, or none.
constexpr std::size_t nearest_task(const declaration& d, std::size_t self, std::string_view text) {
  nearest_name nearest(text);
  std::size_t task = none;
  for (std::size_t t = 0; t < d.tasks.size(); ++t)
    if (t != self && nearest.consider(d.tasks[t].id.text)) task = t;
  return task;
}

}  // namespace detail

/// The entry of a dependency field that a finding is about.
constexpr const dependency& entry_of(const declaration& d, const finding& f) {
  const task& t = d.tasks[f.task];
  switch (f.where) {
    case field::depends_on: return t.depends_on[f.position];
    case field::cross_iter_depends_on: return t.cross_iter_depends_on[f.position];
    default: return t.same_progress_sync[f.position];
  }
}

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
    const std::size_t wanted = key(slot, reads[i].offset + entry_of(d, f).ago);
    const std::size_t* const at =
        std::lower_bound(sorted.begin(), sorted.end(), wanted,
                         [&](std::size_t place, std::size_t k) { return keys[place] < k; });
    if (at != sorted.end() && keys[*at] == wanted) return i;
  }
  return none;
}

/// What to do about a finding of `diagnose(d)`.
constexpr repair repair_of(const declaration& d, const finding& f) {
  const auto lookahead = [&d = d](std::size_t t) {
    return t < d.tasks.size() ? d.tasks[t].lookahead : 0;
  };
  switch (f.what) {
    case kind::duplicate_name:
    case kind::empty_name:
    case kind::reserved_name: return {remedy::rename, f.task};
    case kind::negative_lookahead: return {remedy::set_lookahead, f.task, 0};
    case kind::negative_slot_offset:
    case kind::slot_offset_mismatch: return {remedy::set_offset, f.task, lookahead(f.task)};
    case kind::reserved_write:
    case kind::multiple_writers: return {remedy::own_slot, f.task};
    case kind::stream_not_declared: return {remedy::declare, f.task};
    case kind::name_multi_stream:
    case kind::cross_iter_rotated_out:
    case kind::race:
      if (f.task == f.other) return {};
      return {remedy::one_stream, f.task};
    case kind::slot_future_read:
      // Behind `pull`, which no task can be, lies only what is not at its task's lookahead.
      if (f.other >= d.tasks.size()) return {remedy::set_offset, f.task, lookahead(f.task)};
      return {remedy::set_lookahead, f.other, detail::read_offset(d, f)};
    case kind::depends_future_read: return {remedy::set_lookahead, f.other, lookahead(f.task)};
    case kind::unknown_name: {
      const name& named = f.where == field::order ? d.turns[f.position].task : entry_of(d, f).task;
      const std::size_t meant = detail::nearest_task(d, f.task, named.text);
      return {meant == none ? remedy::drop_entry : remedy::replace_entry, meant};
    }
    case kind::cross_offset_not_negative:
      return {remedy::set_ago, f.task, (std::max)(1, lookahead(f.task) - lookahead(f.other))};
    case kind::cross_iter_future_read:
      return {remedy::set_ago, f.task,
              planned_lookahead(d, f.task) - planned_lookahead(d, f.other)};
    case kind::unresolved_read:
    case kind::reader_not_after_writer:
    case kind::field_overlap:
    case kind::listed_twice:
    case kind::redundant_cross_iter: return {remedy::drop_entry, f.task};
    default: return {};
  }
}

}  // namespace stretto::planner
