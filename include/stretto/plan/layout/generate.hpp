// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <stretto/plan/derive/threads.hpp>
#include <stretto/plan/layout/exhaustive_search.hpp>
#include <stretto/plan/layout/layout.hpp>
#include <stretto/plan/layout/local_search.hpp>
#include <stretto/plan/layout/period.hpp>
#include <stretto/plan/model/declaration.hpp>
#include <stretto/plan/model/edge.hpp>
#include <stretto/plan/model/graph.hpp>
#include <stretto/plan/model/list.hpp>
#include <stretto/plan/model/view.hpp>
#include <utility>

namespace stretto::planner {

/// Up to how many nodes all maps are looked through, as far as the budget allows.
inline constexpr std::size_t enumerated_nodes = 20;

/// How much work the generator may do for a thread map, arcs looked at and the like, unless it is
/// told otherwise: as much as compilers compute in a constant. With more nodes, stating the problem
/// takes more of that.
constexpr long long layout_budget(std::size_t nodes) {
  return nodes <= enumerated_nodes ? 110000 : 52000;
}

/// Stands for `layout_budget`.
inline constexpr long long usual_budget = 0;

/// What the edges of a plan say about time, before its tasks have threads. \p edges are all that
/// hold on the host.
constexpr timing make_layout_timing(const declaration& d, const graph& g, view<edge> edges) {
  list<edge> all;
  all.reserve(edges.size() + g.nodes.size() + 1);
  all.append(edges);
  all.append(delivery_edges(g));
  if (threads_of(d).find(d, d.from.thread) == 0)
    all.push_back({g.deliver(), g.pull(), 1, reason::thread, none, 0});
  return make_timing(g, all);
}

/// What `generate` solves. \p order is the plan's; the \p bound is worked out unless it is known.
constexpr layout_problem make_layout_problem(const declaration& d, const graph& g,
                                             view<std::size_t> order, timing edges,
                                             ratio bound = {0, 0}) {
  const thread_list listed = threads_of(d);
  layout_problem p;
  p.edges = std::move(edges);
  p.threads = listed.names.size();
  p.named = listed.named;
  p.pinned.assign(g.nodes.size(), none);
  p.unit.reserve(g.nodes.size());
  p.stream.reserve(g.nodes.size());
  for (const node& n : g.nodes) {
    p.unit.push_back(p.unit.size());
    p.stream.push_back(n.stream);
  }
  for (std::size_t n = 0; n < g.tasks; ++n)
    if (!d.tasks[n].thread.empty()) p.pinned[n] = listed.find(d, d.tasks[n].thread);
  p.pinned[g.pull()] = listed.find(d, d.from.thread);
  p.pinned[g.deliver()] = 0;
  p.order.append(order);
  p.bound = bound;
  if (bound.progresses > 0) return p;
  list<long long> loads(p.threads, 0);
  for (std::size_t n = 0; n < g.nodes.size(); ++n)
    if (p.pinned[n] != none) loads[p.pinned[n]] += p.edges.weight[n];
  period_finder finder(p.edges);
  p.bound = period_bound(finder, p.edges, p.order, p.threads, loads);
  return p;
}

/// The thread map with the least modelled time per progress when threads run ahead of each other,
/// and the fewest waits between threads among those, as far as \p budget allows: then it is
/// `exact`. The same everywhere.
constexpr layout generate(const layout_problem& p, long long budget = usual_budget) {
  if (budget == usual_budget) budget = layout_budget(p.order.size());
  // Half is for a good map, which the search of all maps needs to leave most of them out.
  layout_search search(p, budget / 2);
  const layout good = search.quick();
  const long long used = budget / 2 - search.left();
  if (p.order.size() > enumerated_nodes || !can_enumerate(p)) {
    search.left() = budget - used;
    return search.patient(good);
  }
  // No map is faster than the bound: what is left to gain then is a wait or two.
  const long long share = p.bound < good.period ? 2 : 8;
  layout_enumeration all(p, good, (budget - used) / share);
  const layout likely = search.whole_streams(p.order);
  layout best = all.run(likely.thread_of);
  if (best.exact) return best;
  search.left() = (budget - used) / 2;
  return search.patient(best);
}

/// A generated layout as a thread map, without the threads that got nothing to do.
constexpr thread_map generated_thread_map(const declaration& d, view<std::size_t> order,
                                          view<std::size_t> thread_of) {
  const thread_list listed = threads_of(d);
  return lay_out_threads(d, order, [&](std::size_t n) { return listed.names[thread_of[n]]; });
}

}  // namespace stretto::planner
