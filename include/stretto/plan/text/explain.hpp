// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cstddef>
#include <stretto/plan/order/effects.hpp>
#include <stretto/plan/text/describe.hpp>
#include <string>
#include <string_view>

namespace stretto::planner {

/// Why the run of \p before at progress i - \p delta comes before the run of \p after at progress
/// i: a shortest chain of edges from the one to the other. Empty if nothing orders them.
constexpr list<edge> why_ordered(const plan& p, std::size_t before, std::size_t after, int delta) {
  const effects order = make_effects(p.resolved, p.order, p.edges, p.threads);
  struct visit {
    std::size_t node;
    int back;
    std::size_t through;  // place of the edge that led here
    std::size_t from;     // place of the visit that it led from
  };
  const auto depth = static_cast<std::size_t>(delta) + 1;
  list<char> seen(p.order.size() * depth, 0);
  list<visit> visits;
  visits.push_back({after, 0, none, none});
  seen[after * depth] = 1;
  for (std::size_t at = 0; at < visits.size(); ++at) {
    const visit now = visits[at];
    if (now.node == before && now.through != none) {
      // A run of `before` at or after the one asked for; the task's own runs are in order.
      list<edge> path;
      for (visit v = now; v.through != none; v = visits[v.from])
        path.push_back(order.edges[v.through]);
      return path;
    }
    for (std::size_t e = 0; e < order.edges.size(); ++e) {
      const edge& in = order.edges[e];
      const int back = now.back + in.delta;
      if (in.consumer != now.node || back > delta) continue;
      char& known = seen[in.producer * depth + static_cast<std::size_t>(back)];
      if (known != 0) continue;
      known = 1;
      visits.push_back({in.producer, back, e, at});
    }
  }
  return {};
}

/// Why one run of a task waits for another, as text for a person.
inline std::string explain(const declaration& d, const plan& p, std::size_t before,
                           std::size_t after, int delta) {
  const list<edge> path = why_ordered(p, before, after, delta);
  if (path.empty())
    return "nothing orders " + planner::quoted(node_name(d, before)) + " " + detail::ago(delta) +
           " before " + planner::quoted(node_name(d, after)) + "\n";
  std::string text = planner::quoted(node_name(d, before)) + " " + detail::ago(delta) +
                     " comes before " + planner::quoted(node_name(d, after)) + ":\n";
  for (const edge& e : path)
    text +=
        "  " + planner::quoted(node_name(d, e.producer)) + " before " +
        planner::quoted(node_name(d, e.consumer)) +
        (e.delta == 0
             ? std::string()
             : ", " + detail::count(static_cast<std::size_t>(e.delta), "progress", "progresses") +
                   " later") +
        ": " + detail::why(p, e) + "\n";
  return text;
}

}  // namespace stretto::planner
