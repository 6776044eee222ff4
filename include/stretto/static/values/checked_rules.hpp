// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <array>
#include <cstddef>
#include <stretto/plan/model/declaration.hpp>
#include <stretto/plan/rules/diagnose.hpp>

namespace stretto::typed::detail {

/// How many findings there are, and tasks of a cycle.
constexpr std::array<std::size_t, 2> sizes_of_diagnosis(const planner::declaration& d) {
  const planner::diagnosis found = planner::check_rules(d);
  return {found.findings.size(), found.cycle.size()};
}

/// How much the rules find wrong with a schedule, asked once. `Declared::bare` is the declaration,
/// without any generated thread map, which no rule looks at.
template <class Declared>
struct checked_rules {
  /// The findings, and the tasks of a cycle.
  static constexpr std::array<std::size_t, 2> sizes = sizes_of_diagnosis(Declared::bare);
  static constexpr bool kept = sizes[0] == 0;
};

}  // namespace stretto::typed::detail
