// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <stretto/plan/model/view.hpp>
#include <stretto/plan/rules/subject.hpp>

namespace stretto::planner::rules {

/// Rule 2: lookaheads and slot offsets are not negative, a slot's offset is its task's lookahead,
/// and no task writes the source slot.
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
    const range writes = s.resolved.nodes[t].writes;
    for (std::size_t i = writes.first; i < writes.last; ++i)
      if (s.resolved.writes[i].slot == s.resolved.source_slot)
        found.push_back({kind::reserved_write, t, none, field::writes, i - writes.first});
  }
}

}  // namespace stretto::planner::rules
