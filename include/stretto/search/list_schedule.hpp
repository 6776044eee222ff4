// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <initializer_list>
#include <stretto/bound/costs.hpp>
#include <stretto/compiled/linkage.hpp>
#include <stretto/dynamic/values/schedule.hpp>
#include <stretto/plan/model/view.hpp>
#include <stretto/search/authored.hpp>
#include <stretto/search/find_schedule.hpp>
#include <stretto/search/limits.hpp>
#include <stretto/search/problem.hpp>
#include <stretto/search/solve.hpp>

namespace stretto::search {

/// A list scheduler (Graham 1966; the original engine's `schedule_tasks`): of the tasks that wait
/// for nothing more the one with the longest path to the end of its batch comes first; one that may
/// be on any thread is put on the one with the least to do so far. Lookaheads stay as they are
/// \p by their author. `found` is false if that is no answer of the problem.
STRETTO_INLINE solution list_schedule(const problem& p, const authored& by = {});

/// Lists the tasks of a schedule; see above. Lookaheads are those that it has, or as close as the
/// limits \p within let them be. Throws what `find_schedule` does.
STRETTO_INLINE found_schedule list_schedule(const dynamic::schedule& s,
                                            planner::view<task_cost> costs,
                                            const limits& within = {});
inline found_schedule list_schedule(const dynamic::schedule& s,
                                    std::initializer_list<task_cost> costs = {},
                                    const limits& within = {}) {
  return list_schedule(s, planner::view<task_cost>(costs.begin(), costs.size()), within);
}

}  // namespace stretto::search

#if !defined(STRETTO_COMPILED)
#  include <stretto/search/list_schedule.ipp>
#endif
