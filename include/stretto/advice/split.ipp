// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <stretto/advice/change.hpp>
#include <stretto/advice/moved_along.hpp>
#include <stretto/advice/price.hpp>
#include <stretto/advice/split.hpp>
#include <stretto/bound/costs.hpp>
#include <stretto/dynamic/query/device_plan.hpp>
#include <stretto/plan/model/plan.hpp>
#include <stretto/plan/model/view.hpp>
#include <string>
#include <string_view>
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

STRETTO_INLINE dynamic::schedule split_side_by_side(dynamic::schedule s, std::size_t task) {
  const auto is_among = [](const std::vector<std::string>& names, const std::string& name) {
    return std::find(names.begin(), names.end(), name) != names.end();
  };
  const dynamic::task whole = s.tasks[task];
  const std::string other_half = whole.name + ", other half";
  dynamic::task second = whole;
  dynamic::task& first = s.tasks[task];
  first.name = whole.name + ", first half";
  second.name = whole.name + ", second half";
  second.stream.clear();
  second.writes = {other_half};
  for (dynamic::use& u : second.reads) u.takes = false;
  // What it changes is two things then, one of each half.
  const auto also = [&](std::vector<std::string>& names) {
    for (std::size_t i = names.size(); i-- > 0;)
      if (is_among(whole.mutates, names[i])) names.push_back(names[i] + ", other half");
  };
  std::erase_if(second.observes,
                [&](const std::string& name) { return is_among(whole.mutates, name); });
  for (std::string& name : second.mutates) name += ", other half";
  // Who waits for the task waits for both.
  const auto both = [&](std::vector<std::string>& names) {
    if (!is_among(names, whole.name)) return;
    std::replace(names.begin(), names.end(), whole.name, first.name);
    names.push_back(second.name);
  };
  const auto is_written = [&](const std::string& slot) {
    return std::any_of(whole.writes.begin(), whole.writes.end(),
                       [&](const dynamic::use& w) { return w.slot == slot; });
  };
  const auto wait_for_both = [&](dynamic::task& t) {
    both(t.depends_on);
    both(t.same_progress_sync);
    for (std::size_t i = t.cross_iter_depends_on.size(); i-- > 0;) {
      if (t.cross_iter_depends_on[i].task != whole.name) continue;
      t.cross_iter_depends_on[i].task = first.name;
      const int batches = t.cross_iter_depends_on[i].batches;
      t.cross_iter_depends_on.emplace_back(second.name, batches);
    }
  };
  wait_for_both(second);
  for (dynamic::task& t : s.tasks) {
    wait_for_both(t);
    if (&t == &first) continue;
    also(t.observes);
    also(t.mutates);
    const auto read = std::find_if(t.reads.begin(), t.reads.end(), [&](const dynamic::use& r) {
      return !r.latest && is_written(r.slot);
    });
    if (read == t.reads.end()) continue;
    dynamic::use more(other_half);
    more.ago = read->ago;
    t.reads.push_back(std::move(more));
  }
  if (std::any_of(s.results.begin(), s.results.end(), is_written)) s.results.push_back(other_half);
  for (std::vector<std::string>& order : s.orders)
    std::replace(order.begin(), order.end(), whole.name, first.name);
  s.tasks.insert(s.tasks.begin() + static_cast<std::ptrdiff_t>(task) + 1, std::move(second));
  return s;
}

namespace detail {

/// Puts a half for each of two in place of a cost, which is \p unsaid if costs do not say it.
inline void halve(std::vector<task_cost>& costs, std::string_view whole, long long unsaid,
                  const std::vector<std::string>& halves) {
  long long time = unsaid;
  std::erase_if(costs, [&](const task_cost& c) {
    if (c.task != whole) return false;
    time = c.time;
    return true;
  });
  costs.push_back({halves[0], time / 2});
  costs.push_back({halves[1], time - time / 2});
}

/// A device whose engines work for two tasks in place of one.
inline dynamic::device_model with_halves(dynamic::device_model device, const std::string& whole,
                                         const std::vector<std::string>& halves) {
  for (std::vector<std::string>& engine : device.engines)
    if (std::erase(engine, whole) > 0) engine.insert(engine.end(), halves.begin(), halves.end());
  return device;
}

}  // namespace detail

STRETTO_INLINE split_what_if best_split(const priced_plan& now, std::size_t task,
                                        planner::view<task_cost> costs, bool meet,
                                        std::size_t most_threads,
                                        const dynamic::device_model* device) {
  const dynamic::schedule& s = now.plan.input();
  const dynamic::schedule behind = split(s, task);
  const dynamic::schedule beside = split_side_by_side(s, task);
  const std::string& whole = s.tasks[task].name;
  const std::vector<std::string> halves{behind.tasks[task].name, behind.tasks[task + 1].name};
  const bool on_device = device != nullptr && !s.tasks[task].stream.empty();
  std::vector<task_cost> shared(costs.begin(), costs.end());
  detail::halve(shared, whole, s.tasks[task].weight, halves);
  const std::vector<std::string> submissions{dynamic::device_plan::submission_of(halves[0]),
                                             dynamic::device_plan::submission_of(halves[1])};
  if (on_device) detail::halve(shared, dynamic::device_plan::submission_of(whole), 0, submissions);
  dynamic::device_model with_halves;
  if (device != nullptr) with_halves = detail::with_halves(*device, whole, halves);
  const pricing half_priced(planner::view<task_cost>(shared.data(), shared.size()), meet,
                            device != nullptr ? &with_halves : nullptr);
  const planner::thread_map& map = now.plan.plan().threads;
  const auto go_elsewhere = [&](dynamic::schedule& tried) {
    dynamic::task& second = tried.tasks[task + 1];
    if (on_device) {
      second.thread = std::string(map.names[map.thread_of[task]]);
      second.stream = second.name;
      if (!tried.streams.empty()) tried.streams.push_back(second.name);
    } else {
      second.thread = second.name;
    }
  };

  split_what_if best{whole, now.period};
  const auto attempt = [&](dynamic::schedule tried, bool side_by_side) {
    const std::optional<priced_plan> plan = half_priced.plan(std::move(tried));
    if (!plan || !(plan->period < best.period)) return;
    const std::size_t threads = host_threads(plan->plan);
    if (most_threads > 0 && threads > most_threads && threads > host_threads(now.plan)) return;
    best.period = plan->period;
    best.side_by_side = side_by_side;
  };
  const std::vector<int> ahead = moved_along(behind, task, 1);
  for (const bool further : {false, true})
    for (const bool apart : {false, true}) {
      dynamic::schedule tried = behind;
      if (further && ahead.empty()) continue;
      for (std::size_t t = 0; further && t < ahead.size(); ++t) tried.tasks[t].lookahead = ahead[t];
      if (apart) go_elsewhere(tried);
      attempt(std::move(tried), false);
    }
  if (on_device) {
    dynamic::schedule tried = beside;
    go_elsewhere(tried);
    attempt(std::move(tried), true);
    return best;
  }
  std::vector<std::string> others{beside.tasks[task + 1].name};
  for (std::size_t t = 0; t < map.names.size(); ++t)
    if (t != map.thread_of[task] && map.workers[t] == 1) others.emplace_back(map.names[t]);
  for (const std::string& thread : others) {
    dynamic::schedule tried = beside;
    tried.tasks[task + 1].thread = thread;
    attempt(std::move(tried), true);
  }
  return best;
}

}  // namespace stretto::advising
