// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <stretto/plan/model/list.hpp>

namespace stretto::planner {

/// Of the \c tasks longest tasks, one of some threads has \c share at least, which take \c load.
struct crowded_thread {
  long long load = 0;
  std::size_t tasks = 0;
  std::size_t share = 0;
};

/// The crowd that takes longest, of tasks that are on one thread each. (Of k * threads + 1 tasks
/// one thread has k + 1, by the pigeonhole principle.) \p longest_first: their times, in that
/// order.
constexpr crowded_thread find_crowd(const list<long long>& longest_first, std::size_t threads) {
  crowded_thread found;
  if (threads == 0) return found;
  for (std::size_t share = 2; (share - 1) * threads < longest_first.size(); ++share) {
    const std::size_t tasks = (share - 1) * threads + 1;
    long long load = 0;
    for (std::size_t i = tasks - share; i < tasks; ++i) load += longest_first[i];
    if (load > found.load) found = {load, tasks, share};
  }
  return found;
}

}  // namespace stretto::planner
