// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <optional>
#include <stretto/advice/advice.hpp>
#include <stretto/advice/candidates.hpp>
#include <stretto/advice/fidelity.hpp>
#include <stretto/advice/spelled.hpp>
#include <stretto/bound/costs.hpp>
#include <stretto/compiled/linkage.hpp>
#include <stretto/dynamic/query/device_plan.hpp>
#include <stretto/dynamic/query/planned.hpp>
#include <stretto/plan/model/view.hpp>

namespace stretto {

/// Which edit comes first.
enum class advice_order {
  time_saved,    ///< the one that saves most time; of those that save as much, the fewest bytes
  gain_per_byte  ///< those that need no further bytes, by time saved; then by time saved per byte
};

/// What advice is to keep to.
struct advice_options {
  /// The measured time per progress, in the unit of the costs, that the model has to tell before
  /// its advice is worth something; 0: take its word for it.
  long long measured_period = 0;
  std::size_t most_threads = 0;  ///< on the host, workers counted; 0: any number
  /// Where no slot's size is known, \c gain_per_byte counts copies in place of bytes.
  advice_order by = advice_order::time_saved;
  /// If streams are a device's: costs are then of both kinds, as of a `dynamic::device_plan`.
  std::optional<dynamic::device_model> device{};
};

namespace advising {

/// What is asked.
struct question {
  planner::view<task_cost> costs;
  bool meet = false;  ///< whether threads meet after each progress
  advice_options within{};
  const measured_run* run = nullptr;  ///< a run of the plan, if there is one
  task_facts facts{};
  spelling how{};

  const dynamic::device_model* device() const { return within.device ? &*within.device : nullptr; }
};

/// Plans what may be tried for real, and keeps what takes less time: single edits, and pairs of
/// which neither alone does. An edit after which tasks come to other results, or which takes no
/// less time in a run in virtual time, is none.
STRETTO_INLINE advice find_advice(const dynamic::planned_schedule& p, const question& asked);

}  // namespace advising

}  // namespace stretto

#if !defined(STRETTO_COMPILED)
#  include <stretto/advice/search.ipp>
#endif
