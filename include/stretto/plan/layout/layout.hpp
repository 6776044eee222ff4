// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <array>
#include <cstddef>
#include <stretto/plan/layout/period.hpp>
#include <stretto/plan/model/algorithm.hpp>
#include <stretto/plan/model/declaration.hpp>
#include <stretto/plan/model/graph.hpp>
#include <stretto/plan/model/list.hpp>
#include <stretto/plan/model/view.hpp>
#include <string_view>
#include <utility>

namespace stretto::planner {

namespace detail {

/// "worker 1" and so on; threads beyond these are not generated.
inline constexpr std::size_t most_workers = 255;
struct worker_name {
  std::array<char, 10> text{'w', 'o', 'r', 'k', 'e', 'r', ' '};
  std::size_t size = 7;
};
inline constexpr auto worker_names = [] {
  std::array<worker_name, most_workers> names{};
  std::size_t number = 1;
  for (worker_name& n : names) {
    for (std::size_t unit = number >= 100 ? 100 : number >= 10 ? 10 : 1; unit > 0; unit /= 10)
      n.text[n.size++] = static_cast<char>('0' + number / unit % 10);
    ++number;
  }
  return names;
}();

}  // namespace detail

/// The threads that a generated map lays tasks out over: the caller's, those that something asks
/// for by name, and as many workers as are left of the number asked for.
struct thread_list {
  list<std::string_view> names;
  std::size_t named = 1;  ///< those before the workers

  /// The number of a thread by name; \c none if no task has asked for it.
  constexpr std::size_t find(const declaration& d, std::string_view thread) const {
    if (thread == d.caller_runs) return 0;
    for (std::size_t i = 0; i < names.size(); ++i)
      if (names[i] == thread) return i;
    return none;
  }
};

constexpr thread_list threads_of(const declaration& d) {
  thread_list listed;
  listed.names.push_back(caller);
  const auto add = [&, &d = d](std::string_view thread) {
    if (!thread.empty() && listed.find(d, thread) == none) listed.names.push_back(thread);
  };
  for (const task& t : d.tasks) add(t.thread);
  add(d.from.thread);
  listed.named = listed.names.size();
  for (const detail::worker_name& w : detail::worker_names) {
    if (listed.names.size() >= smaller(d.generated, d.tasks.size() + listed.named)) break;
    const std::string_view name(w.text.data(), w.size);
    if (listed.find(d, name) == none) listed.names.push_back(name);
  }
  return listed;
}

/// What a thread map is to be found for.
struct layout_problem {
  timing edges;
  list<std::size_t> order;   ///< the plan's: topological where delta is 0
  list<std::size_t> pinned;  ///< by node: the thread that it must be on, or none
  list<std::size_t> unit;    ///< by node: nodes of one unit must share a thread
  list<std::size_t> stream;  ///< by node: what is in order by nature, or none
  std::size_t threads = 1;
  std::size_t named = 1;  ///< threads before this one are not interchangeable
  ratio bound;            ///< no map takes less time per progress
};

/// The least time per progress of a plan on N threads, whichever task is on which: at least
/// the share of a thread, at least the longest task, at least what the arcs ask for. \p loads is
/// what each thread has to do anyway.
constexpr ratio period_bound(period_finder& finder, const timing& t, view<std::size_t> order,
                             std::size_t threads, view<long long> loads = {}) {
  long long total = 0;
  long long most = 0;
  long long unit = 0;
  for (const long long w : t.weight) {
    total += w;
    most = larger(most, w);
    unit = common_divisor(w, unit);
  }
  if (unit > 0) {  // a thread's work is a multiple of it
    const long long step = unit * static_cast<long long>(threads);
    most = larger(most, (total + step - 1) / step * unit);
  }
  for (const long long load : loads) most = larger(most, load);
  return finder.period({most, 1}, order);
}

/// A thread map under way: an order of all nodes, of which each thread runs its own.
struct layout {
  list<std::size_t> order;
  list<std::size_t> thread_of;  ///< by node, into `threads_of` the declaration
  ratio period;
  std::size_t crossings = 0;  ///< arcs between different threads
  bool exact = false;         ///< no map has a lesser period, or as few crossings with the same

  friend constexpr bool better(const layout& a, const layout& b) {
    return a.period < b.period || (a.period == b.period && a.crossings < b.crossings);
  }
};

}  // namespace stretto::planner
