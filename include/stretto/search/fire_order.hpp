// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <functional>
#include <queue>
#include <stretto/run/error.hpp>
#include <stretto/search/batch_graph.hpp>
#include <stretto/search/problem.hpp>
#include <string>
#include <utility>
#include <vector>

namespace stretto::search {

/// Which of the tasks of a progress that wait for nothing more comes first. `critical_path` is the
/// rule of list schedulers (Hu 1961; Graham 1966); those from `main_first` on are the fire orders
/// of the original engine. Where a rule leaves two tasks equal, the one declared earlier is first.
enum class fire_order {
  critical_path,      ///< the task with the longest path to the end of its batch
  declared,           ///< as they are declared
  main_first,         ///< the main queue (the original's default stream) and what comes after it
  longest_off_main,   ///< what does not come after the main queue, the longest task first
  collectives_early,  ///< what is on the fullest resource that several queues share
  transfers_early,    ///< what is on the other resources that several queues share
  least_slack         ///< the task that may be late by the least
};
namespace detail {

/// Where each task waits its turn, and which of these queues the others are to keep busy.
struct queues {
  std::vector<number> of{};       ///< by task: a thread, or past those a resource; or none
  number main = no_number;        ///< that of most frozen tasks; of several, the fullest
  std::vector<long long> busy{};  ///< by thread, then by resource
  std::vector<char> shared{};     ///< by resource: tasks of several queues hold it

  /// \p by_stream: a task with a resource is in the queue of its first one, and not of its thread.
  queues(const problem& p, const std::vector<number>& thread, bool by_stream)
      : of(p.tasks.size(), no_number),
        busy(std::size_t{p.threads} + p.resources, 0),
        shared(p.resources, 0) {
    std::vector<std::size_t> frozen(busy.size(), 0);
    std::vector<long long> load(busy.size(), 0);
    for (number t = 0; t < p.tasks.size(); ++t) {
      const problem::task& task = p.tasks[t];
      const number stream = task.on.empty() ? no_number : p.threads + task.on.front();
      of[t] = thread[t] == no_number || (by_stream && stream != no_number) ? stream : thread[t];
      if (thread[t] != no_number) busy[thread[t]] += task.weight;
      for (const number r : task.on) busy[p.threads + r] += task.weight;
      if (of[t] == no_number) continue;
      load[of[t]] += task.weight;
      if (task.least == task.most) ++frozen[of[t]];
    }
    for (const number q : of) {
      if (q == no_number || q == main) continue;
      if (main == no_number || frozen[q] > frozen[main] ||
          (frozen[q] == frozen[main] && load[q] > load[main]))
        main = q;
    }
    std::vector<number> first(p.resources, no_number);
    for (number t = 0; t < p.tasks.size(); ++t)
      for (const number r : p.tasks[t].on) {
        if (first[r] != no_number && first[r] != of[t]) shared[r] = 1;
        if (first[r] == no_number) first[r] = of[t];
      }
  }
  bool is_main(number t) const { return of[t] != no_number && of[t] == main; }
  /// By task: 1 for those in the main queue and those that come after one on each batch, else 0.
  std::vector<char> with_what_follows(const problem& p, const batch_graph& g) const {
    std::vector<char> late(p.tasks.size(), 0);
    for (const number t : order_of_a_batch(p)) {
      late[t] = is_main(t) ? 1 : 0;
      for (const number b : g.before[t])
        if (late[b] != 0) late[t] = 1;
    }
    return late;
  }
  /// The resource that several queues share and that takes longest.
  number collectives(const problem& p) const {
    number fullest = no_number;
    for (number r = 0; r < p.resources; ++r)
      if (shared[r] != 0 &&
          (fullest == no_number || busy[p.threads + r] > busy[p.threads + fullest]))
        fullest = r;
    return fullest;
  }
};

/// Throws if a fire order is none.
inline void refuse_unknown(fire_order policy) {
  if (policy < fire_order::critical_path || policy > fire_order::least_slack)
    throw usage_error("there is no fire order of number " +
                      std::to_string(static_cast<int>(policy)));
}

/// Tasks as a policy would have them, whether or not they wait for each other.
inline std::vector<number> priorities(const problem& p, const batch_graph& g, const queues& q,
                                      fire_order policy) {
  const number collectives = q.collectives(p);
  const std::vector<char> late = q.with_what_follows(p, g);
  const auto holds = [&](number t, auto is_asked) -> long long {
    return std::any_of(p.tasks[t].on.begin(), p.tasks[t].on.end(), is_asked) ? 0 : 1;
  };
  using key = std::array<long long, 2>;
  const auto key_of = [&](number t) -> key {
    switch (policy) {
      case fire_order::critical_path: return {-g.tail[t], 0};
      case fire_order::main_first: return {1 - late[t], 0};
      case fire_order::longest_off_main: return {late[t], -p.tasks[t].weight};
      case fire_order::collectives_early:
        return {holds(t, [&](number r) { return r == collectives; }), 0};
      case fire_order::transfers_early:
        return {holds(t, [&](number r) { return r != collectives && q.shared[r] != 0; }), 0};
      case fire_order::least_slack: return {g.longest - g.head[t] - g.tail[t], 0};
      default: return {0, 0};
    }
  };
  std::vector<std::pair<key, number>> by_key;
  for (number t = 0; t < p.tasks.size(); ++t) by_key.emplace_back(key_of(t), t);
  std::sort(by_key.begin(), by_key.end());
  std::vector<number> wanted;
  wanted.reserve(by_key.size());
  for (const auto& [of, t] : by_key) wanted.push_back(t);
  return wanted;
}

/// Tasks in an order that those of one progress may have with these lookaheads, and else as
/// \p wanted. Fewer than all if some wait for each other in a circle.
inline std::vector<number> order_of_a_progress(const problem& p, const batch_graph& g,
                                               const std::vector<int>& lookahead,
                                               const std::vector<number>& wanted) {
  std::vector<number> rank(p.tasks.size());
  for (number i = 0; i < wanted.size(); ++i) rank[wanted[i]] = i;
  std::vector<std::vector<number>> after(p.tasks.size());
  std::vector<number> missing(p.tasks.size(), 0);
  const auto add = [&](number from, number to) {
    after[from].push_back(to);
    ++missing[to];
  };
  for (const problem::arc& a : g.arcs)
    if (lookahead[a.from] + a.ago == lookahead[a.to]) add(a.from, a.to);
  for (const problem::arc& a : p.progresses)
    if (a.ago == 0 && a.from < p.tasks.size() && a.to < p.tasks.size()) add(a.from, a.to);
  std::priority_queue<number, std::vector<number>, std::greater<>> ready;
  for (number t = 0; t < p.tasks.size(); ++t)
    if (missing[t] == 0) ready.push(rank[t]);
  std::vector<number> order;
  while (!ready.empty()) {
    const number t = wanted[ready.top()];
    ready.pop();
    order.push_back(t);
    for (const number next : after[t])
      if (--missing[next] == 0) ready.push(rank[next]);
  }
  return order;
}

}  // namespace detail

}  // namespace stretto::search
