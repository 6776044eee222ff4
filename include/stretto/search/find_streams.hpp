// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <initializer_list>
#include <stretto/bound/costs.hpp>
#include <stretto/compiled/linkage.hpp>
#include <stretto/dynamic/values/schedule.hpp>
#include <stretto/plan/model/view.hpp>
#include <stretto/search/find_schedule.hpp>
#include <stretto/search/limits.hpp>
#include <stretto/search/solve.hpp>
#include <string>
#include <vector>

namespace stretto::search {

/// Looks for the streams of tasks, too: those that are on one of \p streams, and not frozen, may be
/// on any of these, and for each way to put them there it is looked for what `find_schedule` looks
/// for, with all ways tried if there are 256 at most, and else those that one task more on another
/// stream, or two that are exchanged, lead to, until the period is the least. What is proved is
/// proved of all ways. Of bytes and batches in flight nothing is proved: where all ways were tried,
/// they are the fewest that `find_schedule` finds with any of these. Throws what `find_schedule`
/// does, and `usage_error` if fewer than two streams are named, one is not declared or named twice,
/// or is the one in whose order results are handed out.
STRETTO_INLINE found_schedule find_streams(const dynamic::schedule& s,
                                           planner::view<task_cost> costs, const limits& within,
                                           const std::vector<std::string>& streams,
                                           const effort& how = {});
inline found_schedule find_streams(const dynamic::schedule& s,
                                   std::initializer_list<task_cost> costs, const limits& within,
                                   const std::vector<std::string>& streams,
                                   const effort& how = {}) {
  return find_streams(s, planner::view<task_cost>(costs.begin(), costs.size()), within, streams,
                      how);
}

}  // namespace stretto::search

#if !defined(STRETTO_COMPILED)
#  include <stretto/search/find_streams.ipp>
#endif
