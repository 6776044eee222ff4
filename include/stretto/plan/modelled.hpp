// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <stretto/plan/layout.hpp>
#include <stretto/plan/period.hpp>
#include <stretto/plan/plan.hpp>
#include <stretto/plan/view.hpp>

namespace stretto::plan {

/// What a plan costs by the weights of its tasks, if threads run ahead of each other as far as the
/// plan's edges allow and waiting takes no time.
struct modelled {
  ratio period;  ///< time per progress
  ratio least;   ///< the least that any map on as many threads could have; a bound, maybe not met
};

/// \p thread_of by node; chains are in \p order.
constexpr modelled make_modelled(const declaration& d, const graph& g, view<std::size_t> order,
                                 view<edge> edges, view<std::size_t> thread_of,
                                 std::size_t threads) {
  list<edge> all;
  all.reserve(edges.size() + g.nodes.size());
  for (const edge& e : edges) all.push_back(e);
  all.append(delivery_edges(g));
  const timing t = make_timing(g, all);
  list<long long> loads(threads, 0);
  list<long long> pinned(threads, 0);
  ratio fullest{0, 1};
  for (const std::size_t n : order) {
    long long& load = loads[thread_of[n]];
    load += t.weight[n];
    if (fullest.time < load) fullest.time = load;
    if (d.generated > 0 && n < g.tasks && !d.tasks[n].thread.empty())
      pinned[thread_of[n]] += t.weight[n];
  }
  period_finder finder(t);
  modelled m;
  m.period = finder.period(fullest, order, thread_of, threads);
  m.least = least_period(finder, t, order, d.generated > 0 ? threads_of(d).names.size() : threads,
                         pinned);
  return m;
}

constexpr modelled make_modelled(const declaration& d, const plan& p) {
  return make_modelled(d, p.resolved, p.order, p.edges, p.threads.thread_of,
                       p.threads.names.size());
}

/// Whether a declaration says how long anything takes.
constexpr bool has_weights(const declaration& d) {
  bool says = d.from.weight != 0;
  for (const task& t : d.tasks) says = says || t.weight != 1;
  return says;
}

}  // namespace stretto::plan
