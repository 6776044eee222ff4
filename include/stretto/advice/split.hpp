// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <stretto/advice/price.hpp>
#include <stretto/bound/costs.hpp>
#include <stretto/compiled/linkage.hpp>
#include <stretto/dynamic/values/schedule.hpp>
#include <stretto/plan/layout/period.hpp>
#include <stretto/plan/model/view.hpp>
#include <string>

namespace stretto {

/// What if a task were two, each with half of its work, one behind the other? No plan does that:
/// somebody has to write them.
struct split_what_if {
  std::string task;
  planner::ratio period;  ///< of the best plan with the two that was tried
};

namespace advising {

/// A schedule in which a task, a number, is two: the first reads what it reads, the second writes
/// what it writes, and both use what it uses besides.
STRETTO_INLINE dynamic::schedule split(dynamic::schedule s, std::size_t task);

/// The least time per progress of those plans of the two that were tried: with the first further
/// ahead or not, the second on a thread of its own or not.
STRETTO_INLINE planner::ratio period_if_split(const priced_plan& now, std::size_t task,
                                              planner::view<task_cost> costs, bool meet);

}  // namespace advising

}  // namespace stretto

#if !defined(STRETTO_COMPILED)
#  include <stretto/advice/split.ipp>
#endif
