// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <stretto/plan/derive/threads.hpp>
#include <stretto/plan/layout/layout.hpp>
#include <stretto/plan/make_plan.hpp>
#include <stretto/plan/model/declaration.hpp>
#include <stretto/plan/model/list.hpp>
#include <stretto/static/values/constant_draft.hpp>
#include <stretto/static/values/constant_words.hpp>
#include <stretto/static/values/declared.hpp>
#include <utility>

/// Plans as constants, written down.
namespace stretto::typed {

namespace detail {

/// Serialises a plan.
template <std::size_t Capacity>
constexpr constant_words<Capacity> keep(const draft& d) {
  const planner::plan& p = d.made;
  constant_words<Capacity> row;
  keep_draft(d, row);
  row.push(p.stream_waits);
  row.push(p.host_waits);
  row.push(p.threads.thread_of);
  row.push(p.threads.chained);
  for (const planner::range& chain : p.threads.chains) row.push(chain.last);
  for (const std::size_t by : p.threads.begun_by) row.push(by);
  return row;
}

/// The plan that was written down, except what its graph knows of reads, writes and dependencies.
template <std::size_t Capacity>
constexpr planner::plan read_plan(const planner::declaration& d,
                                  const constant_words<Capacity>& row) {
  word_reader from(row);
  const plan_sizes size = read_sizes(from);
  planner::plan p = std::move(read_draft(d, size, from).made);
  const planner::graph& g = p.resolved;
  const std::size_t nodes = g.nodes.size();
  p.stream_waits = from.next_edges(size.stream_waits);
  p.host_waits = from.next_edges(size.host_waits);

  planner::thread_map& threads = p.threads;
  threads.thread_of = from.next_list(nodes);
  threads.chained = from.next_list(nodes);
  threads.place.assign(nodes, 0);
  planner::thread_list listed;
  if (d.generated > 0) listed = planner::threads_of(d);
  std::size_t first = 0;
  for (std::size_t t = 0; t < size.threads; ++t) {
    const std::size_t last = from.next();
    threads.chains.push_back({first, last});
    for (std::size_t i = first; i < last; ++i) threads.place[threads.chained[i]] = i - first;
    // Its first node gives a thread its name.
    if (t == 0) {
      threads.names.push_back(planner::caller);
    } else if (planner::suspends(d, threads.chained[first])) {
      threads.names.push_back(d.tasks[threads.chained[first]].id.text);
    } else if (d.generated > 0) {
      threads.names.push_back(listed.names[d.layout.thread_of[threads.chained[first]]]);
    } else if (threads.chained[first] < g.tasks) {
      threads.names.push_back(planner::thread_name(d.tasks[threads.chained[first]]));
    } else {
      threads.names.push_back(d.from.thread);
    }
    first = last;
  }
  if (planner::has_coroutines(d)) threads.begun_by = from.next_list(size.threads);
  threads.workers.assign(size.threads, 1);
  if (g.grouped)
    for (std::size_t t = 0; t < size.threads; ++t)
      threads.workers[t] = static_cast<std::size_t>(planner::workers_on(d, threads.names[t]));
  return p;
}

// Named, because nvcc cannot destroy the temporary of a constant expression.
template <std::size_t Capacity>
constexpr constant_words<Capacity> make_row(const planner::declaration& d) {
  draft made = make_draft(d);
  planner::finish_plan(d, made.made);
  return keep<Capacity>(made);
}
template <std::size_t Capacity, std::size_t Drafted>
constexpr constant_words<Capacity> make_row(const planner::declaration& d,
                                            const constant_words<Drafted>& drafted) {
  draft made = read_draft(d, drafted);
  planner::finish_plan(d, made.made);
  return keep<Capacity>(made);
}

template <class Schedule, std::size_t Capacity,
          bool Generated =
              (declared<Schedule>::bare.generated > 0 && !declared<Schedule>::bare.pipelined)>
struct plan_row {
  static constexpr constant_words<Capacity> value = make_row<Capacity>(declared<Schedule>::value);
};
template <class Schedule, std::size_t Capacity>
struct plan_row<Schedule, Capacity, true> {
  static constexpr constant_words<Capacity> value =
      make_row<Capacity>(declared<Schedule>::value, constant_draft<declared<Schedule>>::row);
};

// A function of its own: nvcc evaluates a constant of a template as soon as it reads it, which took
// 0.4 GB here.
template <class Schedule>
constexpr std::size_t usual_plan_row() {
  return usual_row(declared<Schedule>::value);
}

}  // namespace detail

/// The plan of a schedule that keeps the rules, written down. Made once, read for all else.
template <class Schedule>
struct constant_plan {
  static constexpr std::size_t usual = detail::usual_plan_row<Schedule>();
  static constexpr std::size_t needed = detail::plan_row<Schedule, usual>::value.size;
  static constexpr const auto& row =
      detail::plan_row<Schedule, (needed > usual ? needed : usual)>::value;

  static constexpr planner::plan read() {
    return detail::read_plan(declared<Schedule>::value, row);
  }
};

}  // namespace stretto::typed
