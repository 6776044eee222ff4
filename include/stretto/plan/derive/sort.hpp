// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <stretto/plan/model/algorithm.hpp>
#include <stretto/plan/model/edge.hpp>
#include <stretto/plan/model/list.hpp>
#include <stretto/plan/model/view.hpp>

namespace stretto::planner {

/// The tasks in the order in which one progress runs them; `cyclic` holds those that no order can
/// place, and is empty in a valid schedule.
struct sorted {
  list<std::size_t> order;
  list<std::size_t> cyclic;
};

/// Kahn's sort over the edges that hold inside one progress (delta 0), ties broken by declaration
/// order. `pull` comes first and `deliver` last.
constexpr sorted sort(const graph& g, view<edge> edges) {
  const std::size_t tasks = g.tasks;
  const auto inside = [tasks](const edge& e) {
    return e.delta == 0 && e.producer < tasks && e.consumer < tasks;
  };
  list<std::size_t> counts(tasks, 0);
  std::size_t* const missing = counts.data();
  list<range> ranges(tasks, range{});
  range* const out = ranges.data();
  for (const edge& e : edges) {
    if (!inside(e)) continue;
    ++missing[e.consumer];
    ++out[e.producer].last;
  }
  list<std::size_t> grouped(lay_out(ranges), 0);
  std::size_t* const consumers = grouped.data();
  for (const edge& e : edges)
    if (inside(e)) consumers[out[e.producer].last++] = e.consumer;

  sorted result;
  result.order.push_back(g.pull());
  // Always the first task that is ready. Schedules are mostly declared in an order that works, so
  // tasks are gone through once; those that get ready behind are few, and come from a heap.
  constexpr std::size_t done = none;
  const auto sooner = [](std::size_t a, std::size_t b) { return a < b; };
  list<std::size_t> behind;
  for (std::size_t reached = 0; reached < tasks || !behind.empty();) {
    std::size_t t = reached;
    if (behind.empty()) {
      ++reached;
    } else {
      t = pop_from_heap(behind, sooner);
    }
    if (missing[t] != 0) continue;
    missing[t] = done;
    result.order.push_back(t);
    for (std::size_t i = out[t].first; i < out[t].last; ++i) {
      const std::size_t consumer = consumers[i];
      if (--missing[consumer] != 0 || consumer >= reached) continue;
      push_to_heap(behind, consumer, sooner);
    }
  }
  for (std::size_t t = 0; t < tasks; ++t)
    if (missing[t] != done) result.cyclic.push_back(t);
  result.order.push_back(g.deliver());
  return result;
}

/// One cycle among the tasks that `sort` could not place: each waits for the next, the last for the
/// first. Starts at the earliest declared task of the cycle.
constexpr list<std::size_t> cycle(const graph& g, view<edge> edges, const sorted& s) {
  if (s.cyclic.empty()) return {};
  list<char> stuck(g.nodes.size(), 0);
  for (const std::size_t t : s.cyclic) stuck[t] = 1;
  // Every stuck task has a stuck producer, so walking producers must come back to a task seen.
  list<std::size_t> producer(g.nodes.size(), none);
  for (const edge& e : edges)
    if (e.delta == 0 && stuck[e.consumer] != 0 && stuck[e.producer] != 0 &&
        producer[e.consumer] == none)
      producer[e.consumer] = e.producer;
  list<char> seen(g.nodes.size(), 0);
  std::size_t at = s.cyclic.front();
  while (seen[at] == 0) {
    seen[at] = 1;
    at = producer[at];
  }
  list<std::size_t> path;
  const std::size_t end = at;
  do {
    path.push_back(at);
    at = producer[at];
  } while (at != end);
  const std::size_t earliest = place_of_least(path);
  list<std::size_t> from_there;
  for (std::size_t i = 0; i < path.size(); ++i)
    from_there.push_back(path[(earliest + i) % path.size()]);
  return from_there;
}

/// No more cycles than this are reported.
inline constexpr std::size_t most_cycles = 100;

/// Cycles that have no task in common, each found without the tasks of those before, with `none`
/// between them. Each is as `cycle` gives it, and the first is that.
constexpr list<std::size_t> cycles(const graph& g, view<edge> edges, const sorted& s) {
  list<std::size_t> all = cycle(g, edges, s);
  if (all.empty()) return all;
  list<char> told(g.nodes.size(), 0);
  list<std::size_t> found = all;
  for (std::size_t count = 1; count < most_cycles; ++count) {
    for (const std::size_t t : found) told[t] = 1;
    list<edge> left;
    for (const edge& e : edges)
      if (told[e.producer] == 0 && told[e.consumer] == 0) left.push_back(e);
    found = cycle(g, left, sort(g, left));
    if (found.empty()) return all;
    all.push_back(none);
    all.append(found);
  }
  return all;
}

/// Of such cycles the one that begins with a task; empty: none does.
constexpr view<std::size_t> cycle_from(view<std::size_t> cycles, std::size_t task) {
  for (std::size_t first = 0; first < cycles.size();) {
    std::size_t last = first;
    while (last < cycles.size() && cycles[last] != none) ++last;
    if (cycles[first] == task) return {cycles.data() + first, last - first};
    first = last + 1;
  }
  return {};
}

}  // namespace stretto::planner
