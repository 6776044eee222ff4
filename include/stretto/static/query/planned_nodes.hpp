// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <stretto/plan/derive/planned_graph.hpp>
#include <stretto/plan/model/declaration.hpp>
#include <stretto/plan/model/graph.hpp>
#include <stretto/plan/model/view.hpp>
#include <stretto/static/query/plan_of.hpp>
#include <stretto/static/values/constant_draft.hpp>
#include <stretto/static/values/constant_plan.hpp>
#include <stretto/static/values/constant_words.hpp>
#include <stretto/static/values/declared.hpp>

namespace stretto::typed {

namespace detail {

/// Where the nodes of a plan are written down.
class written_nodes {
 public:
  template <std::size_t Capacity>
  constexpr written_nodes(const planner::declaration& d, const constant_words<Capacity>& row,
                          planner::view<std::size_t> thread_of, planner::view<std::size_t> workers)
      : declared_(&d), row_(row), thread_of_(thread_of), workers_(workers) {}

  constexpr planner::graph read() const {
    const planner::declaration& d = *declared_;
    word_reader row = row_;
    const plan_sizes size = read_sizes(row);
    row.skip(2 * size.slot_count);  // where each is mentioned
    planner::graph g;
    read_nodes(d, row, g);
    for (std::size_t n = 0; n < g.tasks; ++n) {
      g.nodes[n].collective = d.tasks[n].collective;
      g.nodes[n].workers = static_cast<int>(workers_[thread_of_[n]]);
    }
    g.nodes[g.pull()].collective = d.from.collective;
    g.nodes[g.pull()].workers = static_cast<int>(workers_[thread_of_[g.pull()]]);
    return g;
  }

 private:
  const planner::declaration* declared_;
  word_reader row_;
  planner::view<std::size_t> thread_of_;
  planner::view<std::size_t> workers_;
};

/// Those of an invalid schedule, after the error.
struct unplanned_nodes {
  const planner::declaration* from;

  constexpr planner::graph read() const { return planner::planned_graph(*from); }
};

template <class Schedule>
constexpr auto find_nodes() {
  constexpr const auto& p = plan_of<Schedule>;
  constexpr const planner::declaration& d = declared<Schedule>::value;
  if constexpr (p.tasks != declared<Schedule>::tasks::size) {
    return unplanned_nodes{&d};
  } else {
    return written_nodes(d, constant_plan<Schedule>::row, p.thread_of, p.workers);
  }
}

}  // namespace detail

/// What the nodes of a schedule's plan are read from: for a function that reads them when it is
/// given the rest of what it needs, so that GCC does not read them where it compiles the caller.
template <class Schedule>
inline constexpr auto nodes_of = detail::find_nodes<Schedule>();

/// The nodes of a schedule's plan as its plan has them: what the resolved graph knows of slots and
/// dependencies is left out, which the plan's edges say. An invalid schedule is a compile error.
template <class Schedule>
constexpr planner::graph planned_nodes() {
  return nodes_of<Schedule>.read();
}

}  // namespace stretto::typed
