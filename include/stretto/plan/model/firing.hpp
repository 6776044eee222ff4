// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>

namespace stretto::planner {

/// How many progresses after the first batch was pulled a task with this lookahead starts.
constexpr std::size_t lag(int max_lookahead, int lookahead) {
  return static_cast<std::size_t>(max_lookahead - lookahead);
}

/// The fire rule: whether a task runs at a progress, \p batches being those pulled so far.
constexpr bool fires(std::size_t lag, std::size_t progress, std::size_t batches) {
  return lag <= progress && progress < batches + lag;
}

/// Whether every task has a batch to work on at a progress, if the source has not ended.
constexpr bool filled(int max_lookahead, std::size_t progress) {
  return progress >= static_cast<std::size_t>(max_lookahead);
}

}  // namespace stretto::planner
