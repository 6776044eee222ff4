// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cstddef>
#include <initializer_list>
#include <stretto/bound/costs.hpp>
#include <stretto/dynamic/values/schedule.hpp>
#include <stretto/plan/model/view.hpp>
#include <stretto/search/authored.hpp>
#include <stretto/search/batch_graph.hpp>
#include <stretto/search/find_schedule.hpp>
#include <stretto/search/fire_order.hpp>
#include <stretto/search/list_schedule.hpp>
#include <stretto/search/model.hpp>
#include <stretto/search/problem.hpp>
#include <stretto/search/ring_answer.hpp>
#include <stretto/search/schedule_problem.hpp>
#include <stretto/search/solve.hpp>
#include <string>
#include <vector>

namespace stretto::search {

namespace detail {

/// Lookaheads of the tasks of a problem, or two of which the first cannot be as far ahead as the
/// second asks for.
struct assigned {
  std::vector<int> lookahead{};  ///< by task
  number producer = no_number;
  number consumer = no_number;

  bool ok() const { return producer == no_number; }
};

/// The lookaheads of `assign_lookaheads`, from those to \p start with. What a task waits for is at
/// least as far ahead; nobody who waits for an earlier batch moves.
inline assigned assign(const problem& p, const batch_graph& g, const queues& q,
                       const std::vector<int>& start) {
  assigned made{start};
  std::vector<int>& ahead = made.lookahead;
  const std::vector<char> kept = q.with_what_follows(p, g);
  std::vector<int> most(p.tasks.size());
  int nearest = p.in_flight;
  for (number t = 0; t < p.tasks.size(); ++t) {
    most[t] = p.most_ahead(t);
    if (q.is_main(t)) nearest = (std::min)(nearest, start[t]);
  }
  long long window = 0;
  for (number t = 0; t < p.tasks.size(); ++t)
    if (q.is_main(t) && start[t] == nearest) window += p.tasks[t].weight;
  for (const problem::arc& a : g.arcs)
    if (a.ago > 0) most[a.to] = (std::min)(most[a.to], start[a.to]);

  const auto windows = [&](long long time) {
    return window == 0
               ? 1
               : static_cast<int>((std::min<long long>)(divided_up(time, window), p.in_flight));
  };
  for (number t = 0; t < p.tasks.size(); ++t) {
    if (kept[t] != 0) continue;
    int need = (std::max)(1, windows(p.tasks[t].weight));
    for (const number r : p.tasks[t].on)
      if (q.shared[r] != 0) need = (std::max)(need, windows(q.busy[p.threads + r]));
    for (const number b : g.before[t]) need = (std::max)(need, ahead[b]);
    ahead[t] = (std::max)(start[t], (std::min)(need, most[t]));
  }
  for (bool raised = true; raised;) {
    raised = false;
    for (number t = 0; t < p.tasks.size(); ++t)
      for (const number b : g.before[t]) {
        if (ahead[b] >= ahead[t]) continue;
        if (kept[b] != 0 || most[b] < ahead[t]) {
          made.producer = b;
          made.consumer = t;
          return made;
        }
        ahead[b] = ahead[t];
        raised = true;
      }
  }
  return made;
}

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

/// The original engine's lookahead assignment (`auto_assign_lookaheads`). What it calls bit-exact
/// tasks are those whose least lookahead is the most: they stay. What is in the main queue or comes
/// after it keeps the lookahead that it has; any other task works at least a batch ahead, and more
/// if its time, or that of all who share a resource with it, is longer than the main queue's. The
/// main queue is that of most frozen tasks; of several, the fullest one. Tasks that may be
/// on any thread are put on threads as by `list_schedule`; in a progress they come by \p policy.
/// `found` is false if that is no answer of the problem. Throws `usage_error` if \p policy is none.
inline solution assign_lookaheads(const problem& p, const authored& by = {},
                                  fire_order policy = fire_order::declared) {
  detail::refuse_unknown(policy);
  const detail::batch_graph g(p);
  const detail::listed on(p, g, by.by_stream);
  const detail::assigned made =
      detail::assign(p, g, on.waiting, detail::starting_lookaheads(p, g, by));
  if (!made.ok()) return detail::as_solution(p, {});
  return detail::as_solution(p, detail::ring_answer(p, g, made.lookahead, on.thread,
                                                    detail::priorities(p, g, on.waiting, policy)));
}

/// Assigns lookaheads to the tasks of a schedule, from those that it has; see above. Tasks that
/// \p within names as frozen stay. Throws what `find_schedule` does, and `usage_error` if a task
/// would have to be further ahead than one that it waits for, or \p policy is none.
inline found_schedule assign_lookaheads(const dynamic::schedule& s, planner::view<task_cost> costs,
                                        const limits& within = {},
                                        fire_order policy = fire_order::declared) {
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
inline found_schedule assign_lookaheads(const dynamic::schedule& s,
                                        std::initializer_list<task_cost> costs = {},
                                        const limits& within = {},
                                        fire_order policy = fire_order::declared) {
  return assign_lookaheads(s, planner::view<task_cost>(costs.begin(), costs.size()), within,
                           policy);
}

}  // namespace stretto::search
