// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <stretto/plan/rules/subject.hpp>

namespace stretto::planner::rules {

/// Rule 3: every stream that a task names is declared by the schedule. (That it exists in the
/// backend is for the backend to check when it is given its streams.)
constexpr void check_streams(const subject& s, findings& found) {
  for (std::size_t t = 0; t < s.resolved.tasks; ++t) {
    const std::size_t stream = s.resolved.nodes[t].stream;
    if (stream != none && stream >= s.resolved.declared_streams)
      found.push_back({kind::stream_not_declared, t});
  }
}

}  // namespace stretto::planner::rules
