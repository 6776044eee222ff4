// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <initializer_list>
#include <stretto/bound/costs.hpp>
#include <stretto/compiled/linkage.hpp>
#include <stretto/dynamic/values/schedule.hpp>
#include <stretto/plan/model/view.hpp>
#include <stretto/search/find_schedule.hpp>
#include <stretto/search/limits.hpp>
#include <stretto/search/solve.hpp>
#include <vector>

namespace stretto::search {

/// The best \p count schedules, or as many as there are, in the order of `find_schedule`, whose is
/// the first: to measure which of those that the model takes for as good, or nearly, is the best on
/// a machine. Two of them have some task on another thread or at another lookahead; threads that
/// may change their names do not count as others. If each search ends within its share of the
/// steps, and no tasks share state, none is left out that is better than the last one. `progress`
/// is of the first search. Takes and throws what `find_schedule` does.
STRETTO_INLINE std::vector<found_schedule> find_schedules(const dynamic::schedule& s,
                                                          planner::view<task_cost> costs,
                                                          const limits& within, std::size_t count,
                                                          const effort& how = {});
inline std::vector<found_schedule> find_schedules(const dynamic::schedule& s,
                                                  std::initializer_list<task_cost> costs,
                                                  const limits& within, std::size_t count,
                                                  const effort& how = {}) {
  return find_schedules(s, planner::view<task_cost>(costs.begin(), costs.size()), within, count,
                        how);
}

}  // namespace stretto::search

#if !defined(STRETTO_COMPILED)
#  include <stretto/search/find_schedules.ipp>
#endif
