// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cstddef>
#include <stretto/bound/costs.hpp>
#include <string_view>
#include <vector>

namespace stretto::bound::shared {

/// The cost of a task that took \p times: their median, and what the middle nine of ten took. There
/// is one time at least; they are put in order.
inline task_cost cost_of_times(std::string_view task, std::vector<long long>& times) {
  std::sort(times.begin(), times.end());
  const std::size_t left_out = times.size() / 20;
  return {task, times[times.size() / 2], times[left_out], times[times.size() - 1 - left_out]};
}

}  // namespace stretto::bound::shared
