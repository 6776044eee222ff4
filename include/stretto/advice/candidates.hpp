// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <stretto/advice/change.hpp>
#include <stretto/compiled/linkage.hpp>
#include <stretto/dynamic/query/planned.hpp>
#include <vector>

namespace stretto::advising {

/// What is known of a schedule's tasks beyond its plan.
struct task_facts {
  std::vector<char> shareable{};  ///< by task: whether workers may call it at once
  bool may_have_workers = true;   ///< whether the schedule can say that a group has some
};

/// What may be tried for a plan whose period the nodes \p cycle ask for: edits that touch one of
/// them, for nothing else makes it shorter. Not all of them can be planned.
STRETTO_INLINE std::vector<changes> candidates(const dynamic::planned_schedule& p,
                                               const std::vector<std::size_t>& cycle,
                                               const task_facts& facts);

}  // namespace stretto::advising

#if !defined(STRETTO_COMPILED)
#  include <stretto/advice/candidates.ipp>
#endif
