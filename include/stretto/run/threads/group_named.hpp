// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <stretto/plan/model/view.hpp>
#include <string_view>

namespace stretto::runner::detail {

/// The number of a thread group, or `size()` of them.
inline std::size_t group_named(planner::view<std::string_view> groups, std::string_view name) {
  std::size_t g = 0;
  while (g < groups.size() && groups[g] != name) ++g;
  return g;
}

}  // namespace stretto::runner::detail
