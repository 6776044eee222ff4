// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <stretto/plan/derive/planned_graph.hpp>
#include <stretto/plan/model/declaration.hpp>
#include <stretto/plan/model/graph.hpp>
#include <stretto/static/query/plan_of.hpp>
#include <stretto/static/values/constant_draft.hpp>
#include <stretto/static/values/constant_plan.hpp>
#include <stretto/static/values/constant_words.hpp>
#include <stretto/static/values/declared.hpp>

namespace stretto::typed {

/// The nodes of a schedule's plan as its plan has them: what the resolved graph knows of slots and
/// dependencies is left out, which the plan's edges say. An invalid schedule is a compile error.
template <class Schedule>
constexpr planner::graph planned_nodes() {
  constexpr const auto& p = plan_of<Schedule>;
  constexpr const planner::declaration& d = declared<Schedule>::value;
  if constexpr (p.tasks != declared<Schedule>::tasks::size) {
    return planner::planned_graph(d);  // after the error
  } else {
    word_reader row(constant_plan<Schedule>::row);
    const detail::plan_sizes size = detail::read_sizes(row);
    row.skip(2 * size.slot_count);  // where each is mentioned
    planner::graph g;
    detail::read_nodes(d, row, g);
    for (std::size_t n = 0; n < p.tasks; ++n) {
      g.nodes[n].collective = d.tasks[n].collective;
      g.nodes[n].workers = static_cast<int>(p.workers[p.thread_of[n]]);
    }
    g.nodes[p.pull].collective = d.from.collective;
    g.nodes[p.pull].workers = static_cast<int>(p.workers[p.thread_of[p.pull]]);
    return g;
  }
}

}  // namespace stretto::typed
