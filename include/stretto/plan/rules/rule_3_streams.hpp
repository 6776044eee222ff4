// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <stretto/plan/model/text_builder.hpp>
#include <stretto/plan/rules/rule.hpp>

namespace stretto::planner::kind {
inline constexpr finding_kind stream_not_declared = kind_of_rule(3, 1);
}  // namespace stretto::planner::kind

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

constexpr repair repair_of_streams(const declaration&, const finding& f) {
  return {remedy::declare, f.task};
}

constexpr void sentence_on_streams(const statement& s, text_builder& to) {
  s.say(to, "$w is on $i, which the schedule does not declare; add it to `streams`");
}

inline constexpr rule rule_3{
    .number = 3,
    .kinds =
        {
            {kind::stream_not_declared, "stream_not_declared", "stream"},
        },
    .check = check_streams,
    .fix = repair_of_streams,
    .sentence = sentence_on_streams,
};

}  // namespace stretto::planner::rules
