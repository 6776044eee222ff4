// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <stretto/bound/costs.hpp>
#include <stretto/dynamic/values/schedule.hpp>
#include <stretto/plan/model/view.hpp>
#include <stretto/search/authored.hpp>
#include <stretto/search/batch_graph.hpp>
#include <stretto/search/find_schedule.hpp>
#include <stretto/search/fire_order.hpp>
#include <stretto/search/found_by.hpp>
#include <stretto/search/limits.hpp>
#include <stretto/search/list_schedule.hpp>
#include <stretto/search/listed.hpp>
#include <stretto/search/problem.hpp>
#include <stretto/search/ring_answer.hpp>
#include <stretto/search/schedule_problem.hpp>
#include <stretto/search/solve.hpp>
#include <string>

namespace stretto::search {

STRETTO_INLINE solution list_schedule(const problem& p, const authored& by) {
  const detail::batch_graph g(p);
  const detail::listed on(p, g, by.by_stream);
  return detail::as_solution(
      p, detail::ring_answer(p, g, detail::starting_lookaheads(p, g, by), on.thread,
                             detail::priorities(p, g, on.waiting, fire_order::critical_path)));
}

STRETTO_INLINE found_schedule list_schedule(const dynamic::schedule& s,
                                            planner::view<task_cost> costs, const limits& within) {
  detail::refuse_device(within.device.has_value(), "`list_schedule`");
  return detail::found_by(
      s, costs, within, [](const detail::schedule_problem& asked, std::string& refused) {
        refused = "what a list scheduler makes of these lookaheads does not keep to the limits";
        return list_schedule(asked.asked(), {asked.lookaheads()});
      });
}

}  // namespace stretto::search
