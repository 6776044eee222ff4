// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <stretto/plan/derive/pipelined.hpp>
#include <stretto/plan/layout/period.hpp>
#include <stretto/plan/model/list.hpp>
#include <stretto/plan/model/view.hpp>

namespace stretto::planner {

namespace detail {

/// Arcs on which a track takes its time where it is come to from another one, and none from task to
/// task of its own. Each node has a second one before it, its entry.
struct entered_timing {
  timing arcs;
  list<std::size_t> order;
  list<std::size_t> track_of;  ///< entries are alone on theirs
  list<std::size_t> workers;   ///< by track
};

constexpr entered_timing enter_tracks(const timing& t, view<std::size_t> order,
                                      const track_map& tracks) {
  const std::size_t nodes = t.weight.size();
  entered_timing entered;
  timing& made = entered.arcs;
  made.weight.assign(nodes, 0);
  entered.track_of.append(tracks.of);
  entered.workers.append(tracks.workers);
  for (std::size_t n = 0; n < nodes; ++n) {
    made.weight.push_back(t.weight[n] > 0 ? 1 : 0);
    entered.track_of.push_back(entered.workers.size());
    entered.workers.push_back(tracks.workers[tracks.of[n]]);
  }
  const auto add_arcs = [&, &t = t, &tracks = tracks](std::size_t n, bool same_track) {
    for (std::size_t a = t.into[n].first; a < t.into[n].last; ++a)
      if ((tracks.of[t.arcs[a].from] == tracks.of[n]) == same_track) made.arcs.push_back(t.arcs[a]);
  };
  for (std::size_t n = 0; n < nodes; ++n) {
    const std::size_t first = made.arcs.size();
    made.arcs.push_back({nodes + n, 0});
    add_arcs(n, true);
    made.into.push_back({first, made.arcs.size()});
  }
  for (std::size_t n = 0; n < nodes; ++n) {
    const std::size_t first = made.arcs.size();
    add_arcs(n, false);
    made.into.push_back({first, made.arcs.size()});
  }
  for (const std::size_t n : order) {
    entered.order.push_back(nodes + n);
    entered.order.push_back(n);
  }
  return entered;
}

}  // namespace detail

/// The time per progress where nobody says how long tasks take, if the time that a thread or a
/// stream takes in all counts 1: any of its tasks may be the one that takes all of it, so each
/// visit counts as that. No distribution of the time over its tasks makes a progress take longer.
/// What has no weight takes no time; \p order as in `period_on`.
constexpr ratio unweighted_period_on(const timing& t, view<std::size_t> order,
                                     const track_map& tracks) {
  const detail::entered_timing entered = detail::enter_tracks(t, order, tracks);
  return period_on(entered.arcs, entered.order, entered.track_of, entered.workers);
}

}  // namespace stretto::planner
