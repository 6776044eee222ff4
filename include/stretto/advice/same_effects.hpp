// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <stretto/dynamic/query/planned.hpp>
#include <stretto/plan/model/plan.hpp>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace stretto::advising {

namespace detail {

/// By node: its place in the order of a progress.
inline std::vector<std::size_t> places(const planner::plan& p) {
  std::vector<std::size_t> place(p.order.size());
  for (std::size_t i = 0; i < p.order.size(); ++i) place[p.order[i]] = i;
  return place;
}

}  // namespace detail

/// Whether tasks that use a resource which one of them changes do so in the order, and on the
/// batches, that they did. Tasks are found by name.
inline bool same_effects(const dynamic::planned_schedule& before,
                         const dynamic::planned_schedule& after) {
  struct user {
    std::size_t task = 0;  // its number before
    std::size_t then = 0;  // and after
    bool mutates = false;
  };
  std::unordered_map<std::string_view, std::vector<user>> users;
  const auto& tasks = before.input().tasks;
  for (std::size_t t = 0; t < tasks.size(); ++t) {
    if (tasks[t].observes.empty() && tasks[t].mutates.empty()) continue;
    const std::size_t then = after.node(tasks[t].name);
    for (const std::string& r : tasks[t].observes) users[r].push_back({t, then, false});
    for (const std::string& r : tasks[t].mutates) users[r].push_back({t, then, true});
  }
  const std::vector<std::size_t> was = detail::places(before.plan());
  const std::vector<std::size_t> is = detail::places(after.plan());
  const auto apart = [](const dynamic::planned_schedule& p, std::size_t a, std::size_t b) {
    const auto& nodes = p.plan().resolved.nodes;
    return nodes[a].lookahead - nodes[b].lookahead;
  };
  for (const auto& [resource, all] : users)
    for (const user& a : all)
      for (const user& b : all)
        if ((a.mutates || b.mutates) && a.task < b.task &&
            (apart(before, a.task, b.task) != apart(after, a.then, b.then) ||
             (was[a.task] < was[b.task]) != (is[a.then] < is[b.then])))
          return false;
  return true;
}

}  // namespace stretto::advising
