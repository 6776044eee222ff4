// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <stretto/advice/price.hpp>
#include <stretto/bound/costs.hpp>
#include <stretto/compiled/linkage.hpp>
#include <stretto/dynamic/query/device_plan.hpp>
#include <stretto/dynamic/values/schedule.hpp>
#include <stretto/plan/layout/period.hpp>
#include <stretto/plan/model/view.hpp>
#include <string>

namespace stretto {

/// What if a task were two, each with half of its work? No plan does that: somebody has to write
/// them.
struct split_what_if {
  std::string task;
  planner::ratio period;      ///< of the best plan with the two that was tried
  bool side_by_side = false;  ///< neither needs what the other does, else one is behind the other
};

namespace advising {

/// A schedule in which a task, a number, is two: the first reads what it reads, the second writes
/// what it writes, and both use the resources that it uses.
STRETTO_INLINE dynamic::schedule split(dynamic::schedule s, std::size_t task);

/// A schedule in which a task, a number, is two that are done at once: both read what it reads, and
/// who uses what it writes, or changes, waits for both. The second one is on no stream.
STRETTO_INLINE dynamic::schedule split_side_by_side(dynamic::schedule s, std::size_t task);

/// The best of those plans of the two that were tried: one behind the other with the first further
/// ahead or not, the second on a thread of its own or not; or side by side, the second on another
/// thread. If the task is on a stream of \p device, the second is on another stream in place of
/// another thread, and each takes half of the time to submit. On \p most_threads at most, or on as
/// many as there are now if that is more; 0: any number.
STRETTO_INLINE split_what_if best_split(const priced_plan& now, std::size_t task,
                                        planner::view<task_cost> costs, bool meet,
                                        std::size_t most_threads,
                                        const dynamic::device_model* device);

}  // namespace advising

}  // namespace stretto

#if !defined(STRETTO_COMPILED)
#  include <stretto/advice/split.ipp>
#endif
