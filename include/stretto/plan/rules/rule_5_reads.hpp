// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <stretto/plan/rules/subject.hpp>

namespace stretto::planner::rules {

/// Rule 5: every read resolves to a writer at or ahead of it, and to one sorted before it when both
/// are in the same progress. The sort sees to the latter for all but a task that reads its own
/// write.
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
}

}  // namespace stretto::planner::rules
