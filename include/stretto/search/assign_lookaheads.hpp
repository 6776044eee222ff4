// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <initializer_list>
#include <stretto/bound/costs.hpp>
#include <stretto/compiled/linkage.hpp>
#include <stretto/dynamic/values/schedule.hpp>
#include <stretto/plan/model/view.hpp>
#include <stretto/search/authored.hpp>
#include <stretto/search/find_schedule.hpp>
#include <stretto/search/fire_order.hpp>
#include <stretto/search/limits.hpp>
#include <stretto/search/problem.hpp>
#include <stretto/search/solve.hpp>

namespace stretto::search {

/// The original engine's lookahead assignment (`auto_assign_lookaheads`). What it calls bit-exact
/// tasks are those whose least lookahead is the most: they stay. What is in the main queue or comes
/// after it keeps the lookahead that it has; any other task works at least a batch ahead, and more
/// if its time, or that of all who share a resource with it, is longer than the main queue's. The
/// main queue is that of most frozen tasks; of several, the fullest one. Tasks that may be
/// on any thread are put on threads as by `list_schedule`; in a progress they come by \p policy.
/// `found` is false if that is no answer of the problem. Throws `usage_error` if \p policy is none.
STRETTO_INLINE solution assign_lookaheads(const problem& p, const authored& by = {},
                                          fire_order policy = fire_order::declared);

/// Assigns lookaheads to the tasks of a schedule, from those that it has; see above. Tasks that
/// \p within names as frozen stay. Throws what `find_schedule` does, and `usage_error` if a task
/// would have to be further ahead than one that it waits for, or \p policy is none.
STRETTO_INLINE found_schedule assign_lookaheads(const dynamic::schedule& s,
                                                planner::view<task_cost> costs,
                                                const limits& within = {},
                                                fire_order policy = fire_order::declared);
inline found_schedule assign_lookaheads(const dynamic::schedule& s,
                                        std::initializer_list<task_cost> costs = {},
                                        const limits& within = {},
                                        fire_order policy = fire_order::declared) {
  return assign_lookaheads(s, planner::view<task_cost>(costs.begin(), costs.size()), within,
                           policy);
}

}  // namespace stretto::search

#if !defined(STRETTO_COMPILED)
#  include <stretto/search/assign_lookaheads.ipp>
#endif
