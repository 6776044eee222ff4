// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <stretto/plan/layout/layout.hpp>
#include <stretto/plan/layout/period.hpp>
#include <stretto/plan/model/plan.hpp>
#include <stretto/plan/model/view.hpp>

namespace stretto::planner {

/// What a plan costs by the weights of its tasks, if threads run ahead of each other as far as the
/// plan's edges allow and waiting takes no time.
struct modelled {
  ratio period;  ///< time per progress
  ratio least;   ///< the least that any map on as many threads could have; a bound, maybe not met
};

namespace detail {

/// A bound for a plan with workers: an equal share of the work, the longest task as its workers
/// share it, and what the arcs ask for.
constexpr ratio least_with_workers(const graph& g, const timing& t, view<std::size_t> order,
                                   view<std::size_t> workers) {
  ratio least{0, 0};
  for (const long long w : t.weight) least.time += w;
  for (const std::size_t w : workers) least.progresses += static_cast<long long>(w);
  for (std::size_t n = 0; n < t.weight.size(); ++n)
    if (const ratio own{t.weight[n], g.nodes[n].workers}; least < own) least = own;
  return period_finder(t).period(least, order);
}

}  // namespace detail

/// \p thread_of by node, \p workers by thread; chains are in \p order.
constexpr modelled make_modelled(const declaration& d, const graph& g, view<std::size_t> order,
                                 view<edge> edges, view<std::size_t> thread_of,
                                 view<std::size_t> workers) {
  const std::size_t threads = workers.size();
  list<edge> all;
  all.reserve(edges.size() + g.nodes.size());
  all.append(edges);
  all.append(delivery_edges(g));
  const timing t = make_timing(g, all);
  period_finder finder(t);
  modelled m;
  m.period = period_on(finder, t, order, thread_of, workers);
  if (g.grouped) {
    m.least = detail::least_with_workers(g, t, order, workers);
    return m;
  }
  list<long long> pinned(threads, 0);
  if (d.generated > 0)
    for (std::size_t n = 0; n < g.tasks; ++n)
      if (!d.tasks[n].thread.empty()) pinned[thread_of[n]] += t.weight[n];
  std::size_t available = threads;
  if (d.generated > 0) available = threads_of(d).names.size();
  m.least = period_bound(finder, t, order, available, pinned);
  return m;
}

constexpr modelled make_modelled(const declaration& d, const plan& p) {
  return make_modelled(d, p.resolved, p.order, p.edges, p.threads.thread_of, p.threads.workers);
}

}  // namespace stretto::planner
