// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <optional>
#include <stretto/bound/costs.hpp>
#include <stretto/bound/plan_bound.hpp>
#include <stretto/bound/simulation.hpp>
#include <stretto/compiled/linkage.hpp>
#include <stretto/dynamic/query/device_plan.hpp>
#include <stretto/dynamic/query/planned.hpp>
#include <stretto/dynamic/values/schedule.hpp>
#include <stretto/plan/layout/period.hpp>
#include <stretto/plan/model/view.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace stretto {

/// What a plan takes. Times are in the unit of the costs that it was asked by.
struct plan_price {
  planner::ratio period;    ///< of a progress, at best
  planner::ratio latency;   ///< of a batch from its pull to its result, in a long run
  std::size_t bytes = 0;    ///< of all copies of slots whose types are known
  std::size_t copies = 0;   ///< of all slots
  std::size_t threads = 0;  ///< on the host, workers counted
};

namespace advising {

/// A schedule without bodies, which keeps the types of slots that they tell: cheap to copy.
STRETTO_INLINE dynamic::schedule without_bodies(dynamic::schedule s);

/// A plan, and what it takes at best.
struct priced_plan {
  dynamic::planned_schedule plan;
  planner::ratio period{};
  std::vector<std::size_t> cycle{};  ///< the nodes that ask for that
  std::vector<std::string> parts{};  ///< what of those does, by name: tasks, or submitting them
  bool is_circle = false;            ///< tasks of several threads that wait for each other
  std::optional<dynamic::device_plan> on_device{};  ///< what is priced, if streams are a device's
};

/// The host threads of a plan, workers counted.
STRETTO_INLINE std::size_t host_threads(const dynamic::planned_schedule& p);

/// Plans schedules, and asks the same of each plan.
class pricing {
 public:
  /// \p costs must outlive it, and \p device, of which streams are; null: threads do the work of
  /// streams. With \p meet threads meet after each progress.
  pricing(planner::view<task_cost> costs, bool meet, const dynamic::device_model* device)
      : costs_(costs), meet_(meet), device_(device) {}

  /// Nothing if the schedule cannot be planned.
  std::optional<priced_plan> plan(dynamic::schedule s) const;
  priced_plan price(dynamic::planned_schedule p) const;
  /// All that a plan takes.
  plan_price whole(const priced_plan& p) const;
  /// What a progress takes, and why, in words.
  std::string limit(const priced_plan& p) const;
  /// How much of a part's time is not hidden behind others'.
  planner::ratio exposed(const priced_plan& p, std::string_view part) const;
  /// A long run in virtual time.
  simulation run(const priced_plan& p) const;
  /// What a progress takes in it.
  planner::ratio time_in_run(const priced_plan& p) const;

 private:
  plan_bound bound(const priced_plan& p) const;

  planner::view<task_cost> costs_;
  bool meet_;
  const dynamic::device_model* device_;
};

/// Whether tasks come to the same results by another plan of theirs: what each reads of a slot was
/// written before, or is updated later, as it was; and those that use a resource which one of them
/// changes do so in the order, and on the batches, that they did.
STRETTO_INLINE bool same_results(const dynamic::planned_schedule& before,
                                 const dynamic::planned_schedule& after);

}  // namespace advising

}  // namespace stretto

#if !defined(STRETTO_COMPILED)
#  include <stretto/advice/price.ipp>
#endif
