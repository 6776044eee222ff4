// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <initializer_list>
#include <stretto/advice/spelled_types.hpp>
#include <stretto/bound/costs.hpp>
#include <stretto/compiled/linkage.hpp>
#include <stretto/dynamic/query/from_types.hpp>
#include <stretto/dynamic/query/planned.hpp>
#include <stretto/dynamic/values/schedule.hpp>
#include <stretto/plan/model/view.hpp>
#include <stretto/search/find_schedule.hpp>
#include <string>
#include <string_view>

namespace stretto::search {

namespace detail {

/// The code, of a schedule whose types are spelled so.
STRETTO_INLINE std::string as_replan_of(const dynamic::schedule& from,
                                        const advising::spelling& how, const found_schedule& found,
                                        planner::view<task_cost> costs, std::string_view name);

}  // namespace detail

/// What was found, as code: another plan \p name of the schedule of types that it was looked for,
/// `dynamic::outline<Schedule>()` or `from_types`. A `static_assert` names the task if one comes in
/// or goes; of tasks that \p costs do not tell, one names the task whose weight has left the range
/// in which the plan is proved to be the best, or if nothing is proved, has changed; another fails
/// when tasks or the library have changed so that the period is not the one that was found. Where
/// `is_optimal` can prove that no plan of these tasks is faster, so does a third one; else a
/// comment says what the search has proved. Throws `usage_error` if \p name is none of C++, and if
/// no `replan` can say it: it was found for another schedule, or that leaves lookaheads or threads
/// to the planner.
template <class Schedule>
std::string as_replan(const found_schedule& found, planner::view<task_cost> costs,
                      std::string_view name) {
  const dynamic::planned_schedule planned(dynamic::outline<Schedule>());
  return detail::as_replan_of(planned.input(), advising::spelling_of<Schedule>(planned), found,
                              costs, name);
}
template <class Schedule>
std::string as_replan(const found_schedule& found, std::initializer_list<task_cost> costs,
                      std::string_view name) {
  return as_replan<Schedule>(found, planner::view<task_cost>(costs.begin(), costs.size()), name);
}

}  // namespace stretto::search

#if !defined(STRETTO_COMPILED)
#  include <stretto/search/as_replan.ipp>
#endif
