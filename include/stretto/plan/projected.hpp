// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <stretto/declare/name.hpp>
#include <stretto/plan/model/declaration.hpp>
#include <stretto/plan/model/view.hpp>

/// The plan of a rank's part of a schedule with roles, next to that of all ranks.
namespace stretto::planner {

/// The number of a task, which is among them.
constexpr std::size_t number_of(const name& task, view<stretto::planner::task> among) {
  std::size_t n = 0;
  while (!(among[n].id == task)) ++n;
  return n;
}

/// As much of a plan as says how ranks meet.
struct met_plan {
  view<task> tasks{};
  view<std::size_t> lag{};      ///< by node
  view<std::size_t> tickets{};  ///< nodes, in the order of collectives
};

/// Whether a rank's plan of a schedule with roles keeps to that of all ranks: each task is as far
/// behind the source, and collectives are in one order.
///
/// Then no rank waits for another for ever, even where a send is complete only when it is received.
/// For suppose that some transfers and other collectives never complete, and take the first of them
/// by progress and place in the order of all ranks. On each rank, host or stream, what comes before
/// it waits only for what comes before that in the rank's own plan, in which collectives have the
/// order of all ranks: so it waits for none but collectives that do complete. Hence all ranks of
/// this one come to it, and it completes, too. A library that makes collectives has to begin those
/// of a rank in their order, and to make all that a rank does for one together.
constexpr bool keeps_to(const met_plan& whole, const met_plan& part, std::size_t pull) {
  for (std::size_t t = 0; t < part.tasks.size(); ++t)
    if (part.lag[t] != whole.lag[number_of(part.tasks[t].id, whole.tasks)]) return false;
  if (part.tickets.empty() || part.tickets[0] != pull) return false;
  std::size_t next = 0;
  for (std::size_t i = 1; i < part.tickets.size(); ++i) {
    const std::size_t wanted = number_of(part.tasks[part.tickets[i]].id, whole.tasks);
    while (next < whole.tickets.size() && whole.tickets[next] != wanted) ++next;
    if (next++ >= whole.tickets.size()) return false;
  }
  return true;
}

}  // namespace stretto::planner
