// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <stretto/bound/batch_cycles.hpp>
#include <stretto/plan/layout/crowded_thread.hpp>
#include <stretto/plan/model/list.hpp>
#include <stretto/search/least_period.hpp>
#include <stretto/search/model.hpp>
#include <stretto/search/problem.hpp>
#include <vector>

namespace stretto::search {

STRETTO_INLINE least_period find_least_period(const problem& p) {
  least_period least;
  const auto at_least = [&](long long time, proof::why reason, number which) {
    if (least.period.time >= time) return;
    least.period = {time, 1};
    least.why.reason = reason;
    least.why.which = which;
  };
  at_least(p.pull_weight, proof::why::task, p.pull());
  std::vector<long long> thread(p.threads, 0);
  std::vector<long long> resource(p.resources, 0);
  std::vector<number> host;  // tasks that are on one of the threads that may be chosen
  long long total = 0;
  long long unit = 0;
  for (number t = 0; t < p.tasks.size(); ++t) {
    const problem::task& task = p.tasks[t];
    for (const number r : task.on) resource[r] += task.weight;
    for (const number r : task.engines) resource[r] += task.device;
    if (task.host && (task.thread == no_number || task.thread < p.choices())) {
      host.push_back(t);
      total += task.weight;
      unit = std::gcd(task.weight, unit);
    }
    if (task.host && task.thread != no_number) thread[task.thread] += task.weight;
  }
  for (number j = 0; j < p.threads; ++j) at_least(thread[j], proof::why::thread, j);
  for (number r = 0; r < p.resources; ++r) at_least(resource[r], proof::why::resource, r);
  // Of a task and of all threads the task says more, as their load may be rounded up.
  for (number t = 0; t < p.tasks.size(); ++t) {
    at_least(p.tasks[t].weight, proof::why::task, t);
    at_least(p.tasks[t].device, proof::why::task, p.done(t));
  }
  // What a thread does is a multiple of the unit of its tasks.
  if (p.choices() > 0 && unit > 0)
    at_least(detail::divided_up(total, unit * static_cast<long long>(p.choices())) * unit,
             proof::why::threads, no_number);
  std::sort(host.begin(), host.end(), [&](number a, number b) {
    const long long of_a = p.tasks[a].weight;
    const long long of_b = p.tasks[b].weight;
    return of_a != of_b ? of_a > of_b : a < b;
  });
  planner::list<long long> longest_first;
  for (const number t : host) longest_first.push_back(p.tasks[t].weight);
  const planner::crowded_thread crowd = planner::find_crowd(longest_first, p.choices());
  at_least(crowd.load, proof::why::crowd, no_number);

  // Cycles of what a problem asks for, and of as many batches as there may be.
  planner::list<long long> times;
  for (number n = 0; n < p.all_nodes(); ++n) times.push_back(p.weight(n));
  bound::shared::batch_cycles waits(times);
  const auto wait = [&](number from, number to, int ago) {
    p.each_wait(from, to, [&](number by, number of) { waits.wait(by, of, ago); });
  };
  for (const problem::slot& s : p.slot_list)
    for (const auto& r : s.readers) wait(s.writer, r.node, r.ago);
  for (const problem::arc& a : p.arcs)
    if (a.ago >= 0) wait(a.from, a.to, a.ago);
  for (number t = 0; t < p.tasks.size(); ++t) {
    if (p.submits(t)) waits.wait(t, p.done(t), 0);
    waits.wait(p.pull(), t, 0);
    waits.wait(t, p.deliver(), 0);
  }
  waits.wait(p.deliver(), p.pull(), p.in_flight);
  for (const problem::arc& a : p.progresses) {
    const int least_ahead = a.from < p.tasks.size() ? p.tasks[a.from].least : 0;
    const int most_ahead = a.to < p.tasks.size() ? p.most_ahead(a.to)
                           : a.to == p.pull()    ? p.in_flight - 1
                                                 : 0;
    const int ago = a.ago + most_ahead - least_ahead;
    if (ago > 0) a.on_host ? waits.wait(a.from, a.to, ago) : wait(a.from, a.to, ago);
  }
  const bound::shared::batch_cycles::greatest cycle = waits.find(least.period);
  if (!cycle.nodes.empty()) {
    least.period = cycle.period;
    least.why = {proof::why::cycle, {}, no_number, 0};
    for (const std::size_t n : cycle.nodes) least.why.nodes.push_back(static_cast<number>(n));
    return least;
  }
  if (least.why.reason == proof::why::crowd) {
    least.why.nodes.assign(host.begin(), host.begin() + static_cast<std::ptrdiff_t>(crowd.tasks));
    least.why.share = static_cast<number>(crowd.share);
    return least;
  }
  for (number t = 0; t < p.tasks.size(); ++t) {
    const problem::task& task = p.tasks[t];
    bool part = false;
    bool on_device = false;
    switch (least.why.reason) {
      case proof::why::task:
        part = least.why.which == t;
        on_device = !part && least.why.which == p.done(t);
        break;
      case proof::why::thread: part = task.host && task.thread == least.why.which; break;
      case proof::why::threads:
        part = task.host && (task.thread == no_number || task.thread < p.choices());
        break;
      case proof::why::resource:
        part = std::find(task.on.begin(), task.on.end(), least.why.which) != task.on.end();
        on_device = std::find(task.engines.begin(), task.engines.end(), least.why.which) !=
                    task.engines.end();
        break;
      default: break;
    }
    if (part) least.why.nodes.push_back(t);
    if (on_device) least.why.nodes.push_back(p.done(t));
  }
  return least;
}

}  // namespace stretto::search
