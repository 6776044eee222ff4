// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <stretto/plan/rules/subject.hpp>

namespace stretto::planner::rules {

/// Rule 4: at most one writer per slot and offset, and all writers of a slot on one stream.
constexpr void check_writers(const subject& s, findings& found) {
  const graph& g = s.resolved;
  const std::size_t most = found.size() + most_pairs;
  for (std::size_t slot = 0; slot < g.slot_list.size(); ++slot) {
    if (slot == g.source_slot) continue;  // rule 2 has those
    const range writers = g.writers_of[slot];
    for (std::size_t i = writers.first; i < writers.last; ++i) {
      const use& later = g.writers[i];
      const auto position = [&] {
        const range own = g.nodes[later.node].writes;
        for (std::size_t w = own.first; w < own.last; ++w)
          if (g.writes[w].slot == slot && g.writes[w].offset == later.offset) return w - own.first;
        return none;
      };
      bool other_stream = false;
      for (std::size_t j = writers.first; j < i; ++j) {
        const use& earlier = g.writers[j];
        if (earlier.node == later.node) continue;
        if (found.size() >= most) return;
        if (!g.before(earlier, later) && !g.before(later, earlier))
          found.push_back(
              {kind::multiple_writers, later.node, earlier.node, field::writes, position()});
        if (!other_stream && g.nodes[earlier.node].stream != g.nodes[later.node].stream) {
          other_stream = true;
          found.push_back(
              {kind::name_multi_stream, later.node, earlier.node, field::writes, position()});
        }
      }
    }
  }
}

}  // namespace stretto::planner::rules
