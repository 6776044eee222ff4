// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cstddef>
#include <limits>
#include <stretto/plan/edge.hpp>
#include <stretto/plan/list.hpp>
#include <stretto/plan/view.hpp>
#include <stretto/plan/waits.hpp>

namespace stretto::plan {

/// What runs in order by nature: a stream, or the host tasks of a thread. Every node is on one
/// track, and a track's runs are counted through all progresses: place + progress * length.
struct tracks {
  list<std::size_t> track_of;  ///< by node
  list<std::size_t> place;     ///< by node: position on its track
  list<std::size_t> length;    ///< by track

  /// Puts the nodes on tracks, in \p order; \p track numbers them.
  template <class Track>
  static constexpr tracks lay(view<std::size_t> order, std::size_t count, Track track) {
    tracks t;
    t.track_of.assign(order.size(), 0);
    t.place.assign(order.size(), 0);
    t.length.assign(count, 0);
    std::size_t* const length_of = t.length.data();
    for (const std::size_t n : order) {
      const std::size_t on = track(n);
      t.track_of[n] = on;
      t.place[n] = length_of[on]++;
    }
    return t;
  }

  /// The run of \p node that lies \p delta progresses back, counted on its track from this
  /// progress.
  constexpr long run(std::size_t node, int delta) const {
    return static_cast<long>(place[node]) - delta * static_cast<long>(length[track_of[node]]);
  }
};

/// The edges that tracks stand for: each node after the one before it, the first after the last of
/// the progress before.
constexpr list<edge> track_edges(const tracks& t, view<std::size_t> order, reason why) {
  list<std::size_t> first(t.length.size(), none);
  list<std::size_t> last(t.length.size(), none);
  list<edge> edges;
  for (const std::size_t n : order) {
    std::size_t& before = last[t.track_of[n]];
    if (before == none) {
      first[t.track_of[n]] = n;
    } else {
      edges.push_back({before, n, 0, why, none, 0});
    }
    before = n;
  }
  for (std::size_t i = 0; i < first.size(); ++i)
    if (first[i] != none) edges.push_back({last[i], first[i], 1, why, none, 0});
  return edges;
}

/// What is known to come before what, in a pipeline that has run for ever: a vector clock per node,
/// over tracks. Exact: the edges repeat with every progress, so the latest run known of each track
/// says all.
class happens_before {
 public:
  /// \p edges must hold the tracks' own edges too, and be acyclic where delta is 0 (in \p order).
  constexpr happens_before(const tracks& t, view<std::size_t> order, view<edge> edges)
      : tracks_(t),
        width_(t.length.size()),
        edges_(detail::by_consumer(order.size(), edges)),
        incoming_(detail::consumer_groups(order.size(), edges_)),
        clock_(order.size() * width_, never),
        grown_in_(order.size(), -1) {
    // Clocks only grow, and none grows past the node's own progress, so this ends.
    for (int pass = 0; advance(order, pass);) ++pass;
  }

  /// Whether \p before at progress i - \p delta comes before \p after at progress i.
  constexpr bool ordered(std::size_t before, std::size_t after, int delta) const {
    if (before == after) return delta >= 1;
    return clock(after, tracks_.track_of[before]) >= tracks_.run(before, delta);
  }

  /// The least number of progresses from a run of \p before to a run of \p after that must follow
  /// it; at most \p most, else \p most + 1.
  constexpr int distance(std::size_t before, std::size_t after, int most) const {
    if (before == after) return std::min(1, most + 1);
    const std::size_t track = tracks_.track_of[before];
    const long known = clock(after, track);
    const long length = static_cast<long>(tracks_.length[track]);
    long wanted = static_cast<long>(tracks_.place[before]);
    int delta = 0;
    for (; delta <= most && known < wanted; ++delta) wanted -= length;
    return delta;
  }

  /// Whether the other edges order what \p e orders. (\p e itself is among the edges.)
  constexpr bool implied(const edge& e) const {
    const std::size_t track = tracks_.track_of[e.producer];
    const long wanted = tracks_.run(e.producer, e.delta);
    const range in = incoming_[e.consumer];
    for (std::size_t i = in.first; i < in.last; ++i) {
      const edge& other = edges_[i];
      if (other.producer == e.producer && other.delta == e.delta) continue;
      if (known_through(other, track) >= wanted) return true;
    }
    return false;
  }

  constexpr view<edge> into(std::size_t node) const {
    const range r = incoming_[node];
    return {edges_.data() + r.first, r.last - r.first};
  }

 private:
  static constexpr long never = std::numeric_limits<long>::min() / 4;

  constexpr long clock(std::size_t node, std::size_t track) const {
    return clock_[node * width_ + track];
  }

  constexpr long known_through(const edge& e, std::size_t track) const {
    const long there = clock(e.producer, track);
    const long here =
        there == never ? never : there - e.delta * static_cast<long>(tracks_.length[track]);
    return tracks_.track_of[e.producer] == track ? std::max(here, tracks_.run(e.producer, e.delta))
                                                 : here;
  }

  /// One pass over all nodes; passes are numbered from 0. What a producer knows only has to be
  /// passed on if it grew since. Rows instead of clock() and known_through(), because compilers
  /// count the steps.
  constexpr bool advance(view<std::size_t> order, int pass) {
    const std::size_t width = width_;
    const std::size_t* const length = tracks_.length.data();
    const std::size_t* const place = tracks_.place.data();
    const std::size_t* const track_of = tracks_.track_of.data();
    const int* const grown_in = grown_in_.data();
    const edge* const edges = edges_.data();
    const range* const incoming = incoming_.data();
    long* const clocks = clock_.data();
    bool any = false;
    for (const std::size_t n : order) {
      const range in = incoming[n];
      long* const own = clocks + n * width;
      bool grew = false;
      for (const edge* e = edges + in.first; e != edges + in.last; ++e) {
        if (grown_in[e->producer] < pass - 1) continue;
        const long* const there = clocks + e->producer * width;
        const std::size_t track = track_of[e->producer];
        const long back = e->delta;
        const long run =
            static_cast<long>(place[e->producer]) - back * static_cast<long>(length[track]);
        if (run > own[track]) {
          own[track] = run;
          grew = true;
        }
        for (std::size_t t = 0; t < width; ++t) {
          const long known = there[t] - back * static_cast<long>(length[t]);
          if (known > own[t]) {
            own[t] = known;
            grew = true;
          }
        }
      }
      if (grew) {
        grown_in_[n] = pass;
        any = true;
      }
    }
    return any;
  }

  tracks tracks_;
  std::size_t width_;
  list<edge> edges_;
  list<range> incoming_;
  list<long> clock_;
  list<int> grown_in_;  ///< by node: the latest pass in which its clock grew
};

}  // namespace stretto::plan
