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

/// How far a beam search looks. The defaults are those of the repository's comparison.
struct beam {
  int width = 8;         ///< candidates that each round goes on with
  int rounds = 10;       ///< at most
  int patience = 2;      ///< rounds without a better one, after which it ends
  long long scored = 0;  ///< the most candidates; 0: 40,000 divided by the number of tasks
};

/// The original engine's joint beam search: thread maps and fire orders are changed a step at a
/// time, lookaheads are assigned to each candidate, and each round goes on with the best.
/// Changes: consecutive stages on each number of threads, by stream, a list scheduler's threads,
/// stages moved to another thread; each `fire_order`, neighbours swapped. Where no candidate with
/// assigned lookaheads is an answer, the least lookaheads are taken instead. The score is the exact
/// period, where the original takes one from a simulation. `found` is false if there is no legal
/// candidate. Throws `usage_error` if \p how makes no beam.
STRETTO_INLINE solution beam_search(const problem& p, const authored& by = {},
                                    const beam& how = {});

/// Looks for a schedule by that beam search, from the lookaheads that the schedule has, or from
/// lookaheads by depth if all are 0. Throws what `find_schedule` does, and if \p how makes no beam.
STRETTO_INLINE found_schedule beam_search(const dynamic::schedule& s,
                                          planner::view<task_cost> costs, const limits& within = {},
                                          const beam& how = {});
inline found_schedule beam_search(const dynamic::schedule& s,
                                  std::initializer_list<task_cost> costs = {},
                                  const limits& within = {}, const beam& how = {}) {
  return beam_search(s, planner::view<task_cost>(costs.begin(), costs.size()), within, how);
}

}  // namespace stretto::search

#if !defined(STRETTO_COMPILED)
#  include <stretto/search/beam_search.ipp>
#endif
