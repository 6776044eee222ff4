// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <stretto/plan/model/edge.hpp>
#include <stretto/plan/model/view.hpp>

namespace stretto::planner::rules {

/// Rule 8: each wait is emitted exactly once. Looks at an emitted list grouped by consumer.
constexpr bool emitted_once(view<edge> waits) {
  for (std::size_t i = 0; i < waits.size(); ++i)
    for (std::size_t j = i + 1; j < waits.size() && waits[j].consumer == waits[i].consumer; ++j)
      if (waits[j].producer == waits[i].producer && waits[j].delta == waits[i].delta) return false;
  return true;
}

}  // namespace stretto::planner::rules
