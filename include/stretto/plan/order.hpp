// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <stretto/plan/edge.hpp>
#include <stretto/plan/list.hpp>

namespace stretto::plan {

/// The tasks in the order in which one progress runs them; `cyclic` holds those that no order can
/// place, and is empty in a valid schedule.
struct sorted {
  list<std::size_t> order;
  list<std::size_t> cyclic;
};

/// Kahn's sort over the edges that hold inside one progress (delta 0), ties broken by declaration
/// order. `pull` comes first and `deliver` last.
constexpr sorted sort(const graph& g, std::span<const edge> edges) {
  const std::size_t tasks = g.tasks;
  const auto inside = [&](const edge& e) {
    return e.delta == 0 && e.producer < tasks && e.consumer < tasks;
  };
  list<std::size_t> missing(tasks, 0);
  list<range> out(tasks, range{});
  for (const edge& e : edges) {
    if (!inside(e)) continue;
    ++missing[e.consumer];
    ++out[e.producer].last;
  }
  list<std::size_t> consumers(lay_out(out), 0);
  for (const edge& e : edges)
    if (inside(e)) consumers[out[e.producer].last++] = e.consumer;

  sorted result;
  result.order.push_back(g.pull());
  list<std::size_t> ready;  // a heap, its least number on top
  const auto after = [](std::size_t a, std::size_t b) { return a > b; };
  for (std::size_t t = 0; t < tasks; ++t)
    if (missing[t] == 0) ready.push_back(t);
  while (!ready.empty()) {
    std::pop_heap(ready.begin(), ready.end(), after);
    const std::size_t t = ready.back();
    ready.pop_back();
    result.order.push_back(t);
    for (std::size_t i = out[t].first; i < out[t].last; ++i) {
      if (--missing[consumers[i]] != 0) continue;
      ready.push_back(consumers[i]);
      std::push_heap(ready.begin(), ready.end(), after);
    }
  }
  for (std::size_t t = 0; t < tasks; ++t)
    if (missing[t] != 0) result.cyclic.push_back(t);
  result.order.push_back(g.deliver());
  return result;
}

/// One cycle among the tasks that `sort` could not place: each waits for the next, the last for the
/// first. Starts at the earliest declared task of the cycle.
constexpr list<std::size_t> cycle(const graph& g, std::span<const edge> edges, const sorted& s) {
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
  std::rotate(path.begin(), std::min_element(path.begin(), path.end()), path.end());
  return path;
}

}  // namespace stretto::plan
