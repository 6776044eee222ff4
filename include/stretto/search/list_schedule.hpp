// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <initializer_list>
#include <stretto/bound/costs.hpp>
#include <stretto/dynamic/values/schedule.hpp>
#include <stretto/plan/model/view.hpp>
#include <stretto/search/authored.hpp>
#include <stretto/search/batch_graph.hpp>
#include <stretto/search/find_schedule.hpp>
#include <stretto/search/fire_order.hpp>
#include <stretto/search/problem.hpp>
#include <stretto/search/ring_answer.hpp>
#include <stretto/search/schedule_problem.hpp>
#include <stretto/search/solve.hpp>
#include <stretto/search/thread_maps.hpp>
#include <string>
#include <vector>

namespace stretto::search {

namespace detail {

/// Threads by a list scheduler: in the order of the longest paths to the end of a batch.
struct listed {
  std::vector<number> thread;
  queues waiting;

  listed(const problem& p, const batch_graph& g, bool by_stream)
      : thread(thread_maps(p).greedy(order(p, g))), waiting(p, thread, by_stream) {}

  static std::vector<number> order(const problem& p, const batch_graph& g) {
    const std::vector<number> none(p.tasks.size(), no_number);
    return order_of_a_progress(p, g, std::vector<int>(p.tasks.size(), 0),
                               priorities(p, g, queues(p, none, true), fire_order::critical_path));
  }
};

}  // namespace detail

/// A list scheduler (Graham 1966; the original engine's `schedule_tasks`): of the tasks that wait
/// for nothing more the one with the longest path to the end of its batch comes first; one that may
/// be on any thread is put on the one with the least to do so far. Lookaheads stay as they are
/// \p by their author. `found` is false if that is no answer of the problem.
inline solution list_schedule(const problem& p, const authored& by = {}) {
  const detail::batch_graph g(p);
  const detail::listed on(p, g, by.by_stream);
  return detail::as_solution(
      p, detail::ring_answer(p, g, detail::starting_lookaheads(p, g, by), on.thread,
                             detail::priorities(p, g, on.waiting, fire_order::critical_path)));
}

/// Lists the tasks of a schedule; see above. Lookaheads are those that it has, or as close as the
/// limits \p within let them be. Throws what `find_schedule` does.
inline found_schedule list_schedule(const dynamic::schedule& s, planner::view<task_cost> costs,
                                    const limits& within = {}) {
  detail::refuse_device(within.device.has_value(), "`list_schedule`");
  return detail::found_by(
      s, costs, within, [](const detail::schedule_problem& asked, std::string& refused) {
        refused = "what a list scheduler makes of these lookaheads does not keep to the limits";
        return list_schedule(asked.asked(), {asked.lookaheads()});
      });
}
inline found_schedule list_schedule(const dynamic::schedule& s,
                                    std::initializer_list<task_cost> costs = {},
                                    const limits& within = {}) {
  return list_schedule(s, planner::view<task_cost>(costs.begin(), costs.size()), within);
}

}  // namespace stretto::search
