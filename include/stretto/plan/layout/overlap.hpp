// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <stretto/plan/derive/pipelined.hpp>
#include <stretto/plan/layout/period.hpp>
#include <stretto/plan/model/algorithm.hpp>
#include <stretto/plan/model/declaration.hpp>
#include <stretto/plan/model/edge.hpp>
#include <stretto/plan/model/graph.hpp>
#include <stretto/plan/model/list.hpp>
#include <stretto/plan/model/view.hpp>

namespace stretto::planner {

/// Whether tasks of a plan can work at the same time, and what they are on.
struct overlap {
  bool some = false;        ///< any two can
  std::size_t tracks = 0;   ///< streams and threads that have tasks
  std::size_t threads = 0;  ///< threads that have tasks
};

/// Looks at a plan as if each of its tasks took as long: if a progress takes as long as all of
/// them, no two work at the same time. \p thread_of by node.
constexpr overlap find_overlap(const declaration& d, const graph& g, view<std::size_t> order,
                               view<edge> edges, view<std::size_t> thread_of) {
  overlap found;
  const track_map tracks = tracks_of(d, g, thread_of);
  list<char> seen(tracks.workers.size(), 0);
  list<char> threads(g.nodes.size(), 0);
  for (std::size_t n = 0; n < g.tasks; ++n) {
    if (replace(seen[tracks.of[n]], char{1}) == 0) ++found.tracks;
    if (replace(threads[thread_of[n]], char{1}) == 0) ++found.threads;
  }
  list<edge> all;
  all.reserve(edges.size() + g.nodes.size());
  all.append(edges);
  all.append(delivery_edges(g));
  timing t = make_timing(g, all);
  for (std::size_t n = 0; n < g.nodes.size(); ++n) t.weight[n] = n < g.tasks ? 1 : 0;
  found.some =
      period_on(t, order, tracks.of, tracks.workers) < ratio{static_cast<long long>(g.tasks), 1};
  return found;
}

}  // namespace stretto::planner
