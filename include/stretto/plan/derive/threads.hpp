// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <stretto/plan/model/declaration.hpp>
#include <stretto/plan/model/edge.hpp>
#include <stretto/plan/model/graph.hpp>
#include <stretto/plan/model/list.hpp>
#include <stretto/plan/model/plan.hpp>
#include <stretto/plan/model/text_index.hpp>
#include <stretto/plan/model/view.hpp>
#include <string_view>

namespace stretto::planner {

/// The thread group that a task asks for, by name.
constexpr std::string_view thread_name(const task& t) {
  if (!t.thread.empty()) return t.thread;
  return t.stream.empty() ? std::string_view("host") : t.stream;
}

/// Whether a task or the source is in a thread group.
constexpr bool has_group(const declaration& d, std::string_view thread) {
  if (d.from.thread == thread) return true;
  for (const task& t : d.tasks)
    if ((d.generated > 0 ? t.thread : thread_name(t)) == thread) return true;
  return false;
}

/// How many workers a thread group has. Workers are for host tasks: a group with a task on a
/// stream, a collective or the source has one, as has the calling thread.
constexpr int workers_on(const declaration& d, std::string_view thread) {
  int workers = 1;
  for (const thread_group& g : d.groups)
    if (g.thread == thread) workers = g.workers;
  if (workers == 1 || thread == caller || thread == d.caller_runs || thread == d.from.thread)
    return 1;
  for (const task& t : d.tasks)
    if ((!t.stream.empty() || t.collective) && thread_name(t) == thread) return 1;
  return workers;
}

/// How many workers each thread group with a queue or workers has, looked up by name.
class group_index {
 public:
  constexpr explicit group_index(const declaration& d) : workers_(d.groups.size(), 1) {
    bool shared = false;
    for (const thread_group& g : d.groups) {
      threads_.add(g.thread);
      workers_[threads_.find(g.thread)] = g.workers;
      shared = shared || g.workers != 1;
    }
    if (!shared) return;
    have_one(caller);
    have_one(d.caller_runs);
    have_one(d.from.thread);
    for (const task& t : d.tasks)
      if (!t.stream.empty() || t.collective) have_one(thread_name(t));
  }

  /// The place of a group in the declaration; \c none if it has no queue and no workers.
  constexpr std::size_t find(std::string_view thread) const { return threads_.find(thread); }

  constexpr int workers_on(std::string_view thread) const {
    const std::size_t group = find(thread);
    return group == none ? 1 : workers_[group];
  }

 private:
  constexpr void have_one(std::string_view thread) {
    if (const std::size_t group = find(thread); group != none) workers_[group] = 1;
  }

  text_index threads_;
  list<int> workers_;  // by group
};

/// Whether several workers call a task's object at once: not if each run of it waits for the one of
/// the batch before.
constexpr bool shared_by_workers(const declaration& d, std::size_t number) {
  const task& t = d.tasks[number];
  if (workers_on(d, thread_name(t)) == 1) return false;
  for (const dependency& e : t.cross_iter_depends_on)
    if (e.task == t.id && e.ago == 1) return false;
  for (const access& read : t.reads)
    for (const access& write : t.writes)
      if (read.ago == 1 && read.slot == write.slot) return false;
  return true;
}

/// Whether a node is a task that is a coroutine. Each of these is a thread group of its own, behind
/// those that threads run: whatever is ordered with it waits for it, wherever it is resumed.
constexpr bool suspends(const declaration& d, std::size_t node) {
  return node < d.tasks.size() && d.tasks[node].suspends;
}

constexpr bool has_coroutines(const declaration& d) {
  bool found = false;
  for (const task& t : d.tasks) found = found || t.suspends;
  return found;
}

/// Lays nodes out over threads, numbered in order of first use; \p thread_by names the thread of
/// each. Every chain is in \p order. A coroutine's calls are begun by the thread that it would be
/// on, or by the calling thread if nothing else is on that one.
template <class ThreadBy>
constexpr thread_map lay_out_threads(const declaration& d, view<std::size_t> order,
                                     ThreadBy thread_by) {
  thread_map m;
  text_index names;
  names.number(caller);
  m.thread_of.assign(order.size(), 0);
  m.place.assign(order.size(), 0);
  for (const std::size_t n : order) {
    if (suspends(d, n)) continue;
    const std::string_view thread = thread_by(n);
    m.thread_of[n] = thread == d.caller_runs ? 0 : names.number(thread);
  }
  m.names = names.texts();
  if (has_coroutines(d)) m.begun_by.assign(m.names.size(), none);
  for (const std::size_t n : order) {
    if (!suspends(d, n)) continue;
    const std::string_view thread = thread_by(n);
    const std::size_t by = thread == d.caller_runs ? 0 : names.find(thread);
    m.begun_by.push_back(by == none ? 0 : by);
    m.thread_of[n] = m.names.size();
    m.names.push_back(d.tasks[n].id.text);
  }
  list<std::size_t> next(m.names.size(), 0);
  for (const std::size_t n : order) m.place[n] = next[m.thread_of[n]]++;
  m.chains.assign(m.names.size(), {});
  std::size_t start = 0;
  for (std::size_t t = 0; t < m.names.size(); ++t) {
    m.chains[t] = {start, start + next[t]};
    start += next[t];
  }
  m.chained.assign(order.size(), 0);
  for (const std::size_t n : order) m.chained[m.chains[m.thread_of[n]].first + m.place[n]] = n;
  m.workers.assign(m.names.size(), 1);
  if (d.groups.empty()) return m;
  const group_index groups(d);
  for (std::size_t t = 0; t < m.names.size(); ++t)
    m.workers[t] = static_cast<std::size_t>(groups.workers_on(m.names[t]));
  return m;
}

/// The thread map that a declaration asks for by names.
constexpr thread_map make_thread_map(const declaration& d, view<std::size_t> order) {
  return lay_out_threads(d, order, [&d = d](std::size_t n) {
    if (n < d.tasks.size()) return thread_name(d.tasks[n]);
    return n == d.tasks.size() ? d.from.thread : d.caller_runs;
  });
}

}  // namespace stretto::planner
