// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <array>
#include <cstddef>
#include <stretto/plan/rules/diagnose.hpp>

namespace stretto::typed::detail {

/// How much the rules find wrong with a schedule, asked once. `Declared::bare` is the declaration,
/// without any generated thread map, which no rule looks at.
template <class Declared>
struct checked_rules {
  /// The findings, and the tasks of a cycle.
  static constexpr std::array<std::size_t, 2> sizes = [] {
    const planner::diagnosis d = planner::check_rules(Declared::bare);
    return std::array{d.findings.size(), d.cycle.size()};
  }();
  static constexpr bool kept = sizes[0] == 0;
};

}  // namespace stretto::typed::detail
