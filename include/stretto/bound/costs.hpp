// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <stretto/plan/model/declaration.hpp>
#include <stretto/plan/model/graph.hpp>
#include <stretto/plan/model/list.hpp>
#include <stretto/plan/model/view.hpp>
#include <stretto/run/error.hpp>
#include <string>
#include <string_view>

namespace stretto {

/// What a task takes for a batch, in any unit: the same for all tasks. "pull" is the source.
struct task_cost {
  std::string_view task;
  long long time = 0;
  // Of what was measured: from where to where most of its times were. No bound goes by that;
  // `search::cost_ranges` says whether a schedule is the best for all of them.
  long long least = 0;
  long long most = 0;  ///< 0: nothing is known of it

  constexpr bool varies() const { return most != 0; }
};

namespace bound::shared {

// No constants: a compiler that has to call one of these in a constant shows its name.

[[noreturn]] inline void costs_name_what_is_no_task_of_this_plan(std::string_view task) {
  throw usage_error(std::string("task `").append(task).append("` is not one of this plan"));
}
[[noreturn]] inline void costs_name_a_task_twice(std::string_view task) {
  throw usage_error(std::string("task `").append(task).append("` is told the cost of twice"));
}
[[noreturn]] inline void costs_are_too_large_tell_them_in_a_larger_unit() {
  throw usage_error("costs are too large in all: tell them in a larger unit");
}
[[noreturn]] inline void a_task_costs_less_than_nothing(std::string_view task) {
  throw usage_error(std::string("task `").append(task).append("` costs less than nothing"));
}

/// The names of a plan's nodes: tasks, `pull`, `deliver`. Refers to those of the declaration.
class node_names {
 public:
  explicit constexpr node_names(const planner::declaration& d) {
    for (std::size_t n = 0; n < d.tasks.size() + 2; ++n) names_.push_back(planner::node_name(d, n));
  }
  /// How many can be told the cost of: all but `deliver`.
  constexpr std::size_t timed() const { return names_.size() - 1; }
  constexpr std::size_t pull() const { return names_.size() - 2; }
  constexpr std::size_t deliver() const { return names_.size() - 1; }
  constexpr std::string_view operator[](std::size_t node) const { return names_[node]; }
  /// Looks at node \p first first, and at those behind it.
  constexpr std::size_t node_of(std::string_view task, std::size_t first = 0) const {
    for (std::size_t i = 0; i < timed(); ++i) {
      const std::size_t n = first + i < timed() ? first + i : first + i - timed();
      if (names_[n] == task) return n;
    }
    costs_name_what_is_no_task_of_this_plan(task);
  }
  /// Calls \p set with the node and the time of each of \p costs.
  template <class Set>
  constexpr void each(planner::view<task_cost> costs, Set set) const {
    planner::list<char> told(names_.size(), 0);
    constexpr long long most = 1'000'000'000'000'000;
    long long left = most;
    std::size_t next = 0;  // costs are mostly told in the order of the tasks
    for (const task_cost& c : costs) {
      const std::size_t node = node_of(c.task, next);
      next = node + 1;
      if (told[node] != 0) costs_name_a_task_twice(c.task);
      if (c.time < 0) a_task_costs_less_than_nothing(c.task);
      if (c.time >= left) costs_are_too_large_tell_them_in_a_larger_unit();
      left -= c.time;
      told[node] = 1;
      set(node, c.time);
    }
  }

 private:
  planner::list<std::string_view> names_;
};

/// What a plan's nodes take for each progress: by \p costs, else by weight. Of a task that runs
/// once per N batches an N-th counts, rounded down.
struct node_times {
  node_names names;
  planner::list<long long> all;  ///< by node

  constexpr node_times(const planner::declaration& d, const planner::graph& g,
                       planner::view<task_cost> costs)
      : names(d) {
    for (std::size_t n = 0; n < g.nodes.size(); ++n)
      all.push_back((n < g.tasks     ? d.tasks[n].weight
                     : n == g.pull() ? d.from.weight
                                     : 0) /
                    g.nodes[n].runs.every);
    names.each(costs, [&g = g, this](std::size_t node, long long time) {
      all[node] = time / g.nodes[node].runs.every;
    });
  }
};

}  // namespace bound::shared

}  // namespace stretto
