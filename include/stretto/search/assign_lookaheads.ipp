// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <stretto/bound/costs.hpp>
#include <stretto/dynamic/values/schedule.hpp>
#include <stretto/plan/model/view.hpp>
#include <stretto/search/assign_lookaheads.hpp>
#include <stretto/search/assigned.hpp>
#include <stretto/search/authored.hpp>
#include <stretto/search/batch_graph.hpp>
#include <stretto/search/find_schedule.hpp>
#include <stretto/search/fire_order.hpp>
#include <stretto/search/found_by.hpp>
#include <stretto/search/limits.hpp>
#include <stretto/search/listed.hpp>
#include <stretto/search/problem.hpp>
#include <stretto/search/ring_answer.hpp>
#include <stretto/search/schedule_problem.hpp>
#include <stretto/search/solve.hpp>
#include <string>

namespace stretto::search {

namespace detail {

/// Why lookaheads cannot be assigned to the tasks of a schedule.
inline std::string refusal(const schedule_problem& asked, const assigned& made) {
  return std::string("lookaheads cannot be assigned: task `")
      .append(asked.name_of(made.consumer))
      .append("` would work ")
      .append(std::to_string(made.lookahead[made.consumer]))
      .append(" ahead, and `")
      .append(asked.name_of(made.producer))
      .append("`, for which it waits, stays at ")
      .append(std::to_string(made.lookahead[made.producer]))
      .append(": give the latter a greater lookahead");
}

}  // namespace detail

STRETTO_INLINE solution assign_lookaheads(const problem& p, const authored& by, fire_order policy) {
  detail::refuse_unknown(policy);
  const detail::batch_graph g(p);
  const detail::listed on(p, g, by.by_stream);
  const detail::assigned made =
      detail::assign(p, g, on.waiting, detail::starting_lookaheads(p, g, by));
  if (!made.ok()) return detail::as_solution(p, {});
  return detail::as_solution(p, detail::ring_answer(p, g, made.lookahead, on.thread,
                                                    detail::priorities(p, g, on.waiting, policy)));
}

STRETTO_INLINE found_schedule assign_lookaheads(const dynamic::schedule& s,
                                                planner::view<task_cost> costs,
                                                const limits& within, fire_order policy) {
  detail::refuse_device(within.device.has_value(), "`assign_lookaheads`");
  return detail::found_by(
      s, costs, within, [&](const detail::schedule_problem& asked, std::string& refused) {
        const problem& p = asked.asked();
        const authored by{asked.lookaheads()};
        const detail::batch_graph g(p);
        const detail::assigned made = detail::assign(p, g, detail::listed(p, g, true).waiting,
                                                     detail::starting_lookaheads(p, g, by));
        refused = made.ok() ? "the lookaheads that are assigned do not keep to the limits"
                            : detail::refusal(asked, made);
        return assign_lookaheads(p, by, policy);
      });
}

}  // namespace stretto::search
