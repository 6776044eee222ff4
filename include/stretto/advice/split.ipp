// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <stretto/advice/change.hpp>
#include <stretto/advice/moved_along.hpp>
#include <stretto/advice/price.hpp>
#include <stretto/advice/split.hpp>
#include <string>
#include <utility>
#include <vector>

namespace stretto::advising {

STRETTO_INLINE dynamic::schedule split(dynamic::schedule s, std::size_t task) {
  const std::string whole = s.tasks[task].name;
  const std::string between = whole + ", half done";
  dynamic::task first = s.tasks[task];
  first.name = whole + ", first half";
  first.writes = {between};
  for (dynamic::use& u : first.reads) u.takes = false;
  dynamic::task second = s.tasks[task];
  second.name = whole + ", second half";
  second.depends_on.clear();
  second.cross_iter_depends_on.clear();
  second.same_progress_sync.clear();
  std::erase_if(second.reads, [](const dynamic::use& u) { return u.ago > 0; });
  second.reads.emplace_back(between);
  s.tasks[task] = std::move(first);
  s.tasks.insert(s.tasks.begin() + static_cast<std::ptrdiff_t>(task) + 1, second);
  // Who waits for the task waits for its end.
  for (dynamic::task& t : s.tasks) {
    std::replace(t.depends_on.begin(), t.depends_on.end(), whole, second.name);
    std::replace(t.same_progress_sync.begin(), t.same_progress_sync.end(), whole, second.name);
    for (dynamic::ago& a : t.cross_iter_depends_on)
      if (a.task == whole) a.task = second.name;
  }
  for (std::vector<std::string>& order : s.orders) {
    const auto at = std::find(order.begin(), order.end(), whole);
    if (at == order.end()) continue;
    *at = s.tasks[task].name;
    order.insert(at + 1, second.name);
  }
  return s;
}

STRETTO_INLINE planner::ratio period_if_split(const priced_plan& now, std::size_t task,
                                              planner::view<task_cost> costs, bool meet) {
  const dynamic::schedule& s = now.plan.input();
  const dynamic::schedule halves = split(s, task);
  const std::string& whole = s.tasks[task].name;
  long long time = s.tasks[task].weight;
  std::vector<task_cost> shared;
  for (const task_cost& c : costs) {
    if (c.task == whole) {
      time = c.time;
    } else {
      shared.push_back(c);
    }
  }
  shared.push_back({halves.tasks[task].name, time / 2});
  shared.push_back({halves.tasks[task + 1].name, time - time / 2});
  const pricing half_priced(planner::view<task_cost>(shared.data(), shared.size()), meet);

  planner::ratio best = now.period;
  const std::vector<int> ahead = moved_along(halves, task, 1);
  for (const bool further : {false, true})
    for (const bool apart : {false, true}) {
      dynamic::schedule tried = halves;
      if (further && ahead.empty()) continue;
      for (std::size_t t = 0; further && t < ahead.size(); ++t) tried.tasks[t].lookahead = ahead[t];
      if (apart) tried.tasks[task + 1].thread = tried.tasks[task + 1].name;
      const std::optional<priced_plan> plan = half_priced.plan(std::move(tried));
      if (plan && plan->period < best) best = plan->period;
    }
  return best;
}

}  // namespace stretto::advising
