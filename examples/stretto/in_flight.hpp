// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <stretto/dynamic.hpp>
#include <stretto/plan/model/text_builder.hpp>
#include <stretto/search.hpp>
#include <string>
#include <utility>
#include <vector>

/// Whether more batches in flight might make the period shorter, by a hundredth at least.
inline bool may_ask_for_more(const stretto::search::found_schedule& found) {
  constexpr double much = 0.99;
  return found.least.value() < much * found.period.value() || found.least_goes_by_in_flight();
}

/// Looks with at most as many batches in flight as \p within says, or else as the schedule has, and
/// with twice as many as long as that helps, and may help.
inline stretto::search::found_schedule find_at_any_depth(
    const stretto::dynamic::schedule& tasks, const std::vector<stretto::task_cost>& costs,
    stretto::search::limits within, const stretto::search::effort& how) {
  const stretto::planner::view<stretto::task_cost> all(costs.data(), costs.size());
  // Then each task may be a batch ahead of the one that waits for it.
  const int most = static_cast<int>(std::min<std::size_t>(tasks.tasks.size(), 1'000)) + 1;
  stretto::search::found_schedule best = stretto::search::find_schedule(tasks, all, within, how);
  for (bool helps = true; helps && may_ask_for_more(best);) {
    within.in_flight = std::min(2 * best.most_in_flight, most);
    if (within.in_flight <= best.most_in_flight) break;
    stretto::search::found_schedule more = stretto::search::find_schedule(tasks, all, within, how);
    if (more.most_in_flight <= best.most_in_flight) break;  // the schedule bounds them itself
    helps = more.period < best.period;
    if (!helps && best.bytes <= more.bytes) {  // what is there with fewer stays, and what is proved
                                               // with more holds of it
      more.schedule = std::move(best.schedule);
      more.period = best.period;
      more.bytes = best.bytes;
      more.in_flight = best.in_flight;
      more.spare = best.spare;
      more.hand_overs = best.hand_overs;
      more.fewest_in_flight = best.fewest_in_flight;
    }
    more.steps += best.steps;
    best = std::move(more);
  }
  return best;
}

/// What it costs that there may be no more batches in flight than \p found was looked for with:
/// nothing, or a line.
inline std::string price_of_in_flight(const stretto::search::found_schedule& found,
                                      stretto::dynamic::schedule tasks,
                                      const std::vector<stretto::task_cost>& costs,
                                      stretto::search::limits within, stretto::search::effort how) {
  if (!may_ask_for_more(found)) return {};
  how.progress = {};
  tasks.max_in_flight = 0;
  within.in_flight = found.most_in_flight;
  const stretto::search::found_schedule more = find_at_any_depth(tasks, costs, within, how);
  if (!(more.period < found.period)) return {};
  stretto::planner::text_builder out;
  out.add("the bound of ")
      .count(static_cast<std::size_t>(found.most_in_flight), " batch", " batches");
  out.add(" in flight has its price: with ").number(more.in_flight).add(", a progress takes ");
  out.quotient(more.period.time, more.period.progresses);
  return out.add("\n").text();
}
