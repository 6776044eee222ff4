// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <stretto/plan/model/graph.hpp>

namespace stretto::planner {

/// What can be wrong with a schedule; the rule it belongs to is `rule_of`.
enum class kind {
  empty_schedule,
  duplicate_name,
  empty_name,
  reserved_name,
  negative_lookahead,
  negative_slot_offset,
  slot_offset_mismatch,
  reserved_write,
  stream_not_declared,
  multiple_writers,
  name_multi_stream,
  unresolved_read,
  slot_future_read,
  reader_not_after_writer,
  unknown_name,
  field_overlap,
  listed_twice,
  cross_offset_not_negative,
  depends_future_read,
  cross_iter_future_read,
  cross_iter_rotated_out,
  redundant_cross_iter,
  cycle,
  order_cycle,
  race
};

/// The rule that a kind breaks, 1 to 7; 0 for a race, which is not among the eight rules.
constexpr int rule_of(kind k) {
  switch (k) {
    case kind::empty_schedule:
    case kind::duplicate_name:
    case kind::empty_name:
    case kind::reserved_name: return 1;
    case kind::negative_lookahead:
    case kind::negative_slot_offset:
    case kind::slot_offset_mismatch:
    case kind::reserved_write: return 2;
    case kind::stream_not_declared: return 3;
    case kind::multiple_writers:
    case kind::name_multi_stream: return 4;
    case kind::unresolved_read:
    case kind::slot_future_read:
    case kind::reader_not_after_writer: return 5;
    case kind::cycle:
    case kind::order_cycle: return 7;
    case kind::race: return 0;
    default: return 6;
  }
}

/// One violation. `task` is the task at fault, `other` the second task involved (or `none`), and
/// `where`/`position` the entry of the task's declaration that is the culprit, if one is. (For
/// `field::order` there is no task at fault, and `position` counts through the schedule's turns.)
struct finding {
  kind what = kind::empty_schedule;
  std::size_t task = none;
  std::size_t other = none;
  field where = field::reads;
  std::size_t position = none;
};

constexpr int rule_of(const finding& f) { return rule_of(f.what); }

/// No more pairs of tasks than this are reported to write the same slot or to race. 10,000 tasks
/// that forget one thing are 50 million pairs, which nobody reads and few have the memory for.
inline constexpr std::size_t most_pairs = 100000;

}  // namespace stretto::planner
