// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <limits>
#include <stretto/plan/model/algorithm.hpp>
#include <stretto/plan/model/edge.hpp>
#include <stretto/plan/model/edge_groups.hpp>
#include <stretto/plan/model/list.hpp>
#include <stretto/plan/model/view.hpp>

namespace stretto::planner {

/// What runs in order by nature: a stream, or the host tasks of a thread. Every node is on one
/// track, and a track's runs are counted through all progresses: place + progress * length. Where
/// workers take turns at a track, only the runs of one worker are in order.
struct tracks {
  list<std::size_t> track_of;  ///< by node
  list<std::size_t> place;     ///< by node: position on its track
  list<std::size_t> length;    ///< by track
  list<std::size_t> workers;   ///< by track: each runs every N-th progress
  list<std::size_t> first;     ///< by track: the entry of a clock for its first worker
  std::size_t entries = 0;     ///< of a clock: one for each worker of each track

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
    t.workers.assign(count, 1);
    t.count_entries();
    return t;
  }

  /// Where the entries of a clock are, after `workers` has changed.
  constexpr void count_entries() {
    first.assign(length.size(), 0);
    entries = 0;
    for (std::size_t track = 0; track < length.size(); ++track) {
      first[track] = entries;
      entries += workers[track];
    }
  }

  constexpr bool have_workers() const { return entries > length.size(); }
  constexpr list<std::size_t> workers_by_node() const {
    list<std::size_t> by_node(track_of.size(), 1);
    for (std::size_t n = 0; n < track_of.size(); ++n) by_node[n] = workers[track_of[n]];
    return by_node;
  }

  /// The entry of a clock for the worker of a track that was on \p delta progresses back.
  constexpr std::size_t entry(std::size_t track, int delta) const {
    return first[track] + static_cast<std::size_t>(delta) % workers[track];
  }

  /// The run of \p node that lies \p delta progresses back, counted on its track from this
  /// progress.
  constexpr long run(std::size_t node, int delta) const {
    return static_cast<long>(place[node]) - delta * static_cast<long>(length[track_of[node]]);
  }
};

/// The edges that tracks stand for: each node after the one before it, the first after the last of
/// the progress before, or of the one that its worker ran before.
constexpr list<edge> track_edges(const tracks& t, view<std::size_t> order, reason why) {
  const std::size_t count = t.length.size();
  list<std::size_t> first(count, none);
  list<std::size_t> last(count, none);
  const std::size_t* const track_of = t.track_of.data();
  std::size_t* const before = last.data();
  list<edge> edges;
  edges.reserve(order.size() + count);
  // NOLINTNEXTLINE(modernize-loop-convert): an index takes a compiler less than an iterator
  for (std::size_t i = 0; i < order.size(); ++i) {
    const std::size_t n = order[i];
    const std::size_t track = track_of[n];
    if (before[track] == none) {
      first[track] = n;
    } else {
      edges.push_back({before[track], n, 0, why, none, 0});
    }
    before[track] = n;
  }
  for (std::size_t i = 0; i < count; ++i)
    if (first[i] != none)
      edges.push_back({last[i], first[i], static_cast<int>(t.workers[i]), why, none, 0});
  return edges;
}

/// What is known to come before what, in a pipeline that has run for ever: a vector clock per node,
/// over tracks. Exact: the edges repeat with every progress, so the latest run known of each track
/// says all. (A clock has an entry for each worker of a track, numbered by how many progresses back
/// it was on: known through an edge, those numbers grow by the edge's delta.)
class happens_before {
 public:
  /// \p edges must hold the tracks' own edges too, and be acyclic where delta is 0 (in \p order).
  constexpr happens_before(const tracks& t, view<std::size_t> order, view<edge> edges)
      : tracks_(t),
        width_(t.entries),
        edges_(by_consumer(order.size(), edges, incoming_)),
        clock_(order.size() * width_, never),
        grown_in_(order.size(), -1) {
    // Clocks only grow, and none grows past the node's own progress, so this ends.
    for (int pass = 0; advance(order, pass);) ++pass;
  }

  /// Whether \p before at progress i - \p delta comes before \p after at progress i.
  constexpr bool ordered(std::size_t before, std::size_t after, int delta) const {
    if (before == after && delta < 1) return false;
    return clock(after, tracks_.entry(tracks_.track_of[before], delta)) >=
           tracks_.run(before, delta);
  }

  /// How many workers take turns at a node, N: every N-th of its runs is in order.
  constexpr int workers(std::size_t node) const {
    return static_cast<int>(tracks_.workers[tracks_.track_of[node]]);
  }

  /// Whether all runs of two nodes are ordered, or all of one. Runs of a node as many progresses
  /// apart as it has workers are in order, so each run of the other must lie between two of those.
  constexpr bool in_turn(std::size_t a, std::size_t b) const {
    const int turn = workers(a);
    for (int delta = 1; delta < turn; ++delta)
      if (!ordered(a, b, delta) || !ordered(b, a, turn - delta)) return false;
    return a == b || (ordered(a, b, 0) && ordered(b, a, turn)) ||
           (ordered(a, b, turn) && ordered(b, a, 0));
  }

  /// The least number of progresses from a run of \p before to a run of \p after that must follow
  /// it; at most \p most, else \p most + 1.
  constexpr int distance(std::size_t before, std::size_t after, int most) const {
    const std::size_t track = tracks_.track_of[before];
    if (tracks_.workers[track] > 1) {
      int delta = before == after ? 1 : 0;
      while (delta <= most && !ordered(before, after, delta)) ++delta;
      return delta;
    }
    if (before == after) return smaller(1, most + 1);
    const long known = clock(after, tracks_.first[track]);
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
    const edge* const others = edges_.data();
    for (std::size_t i = in.first; i < in.last; ++i) {
      const edge& other = others[i];
      if (other.producer == e.producer && other.delta == e.delta) continue;
      if (known_through(other, track, e.delta) >= wanted) return true;
    }
    return false;
  }

  constexpr view<edge> into(std::size_t node) const {
    const range r = incoming_[node];
    return {edges_.data() + r.first, r.last - r.first};
  }

 private:
  static constexpr long never = (std::numeric_limits<long>::min)() / 4;

  constexpr long clock(std::size_t node, std::size_t entry) const {
    return clock_[node * width_ + entry];
  }

  /// The latest run known through an edge, of the worker that was on \p delta progresses back.
  constexpr long known_through(const edge& e, std::size_t track, int delta) const {
    const std::size_t from = e.producer;
    const int workers = static_cast<int>(tracks_.workers[track]);
    int behind = 0;
    if (workers > 1) {
      behind = (delta - e.delta) % workers;
      if (behind < 0) behind += workers;
    }
    const long back = e.delta * static_cast<long>(tracks_.length[track]);
    const long there = clock(from, tracks_.first[track] + static_cast<std::size_t>(behind));
    const long here = there == never ? never : there - back;
    if (behind != 0 || tracks_.track_of[from] != track) return here;
    const long own = static_cast<long>(tracks_.place[from]) - back;
    return here < own ? own : here;
  }

  /// What one node's clock gives another through an edge, where tracks have workers. Whether the
  /// other's grew.
  constexpr bool merge_turns(const edge& e, const long* there, long* own) const {
    bool grew = false;
    const auto raise = [&](std::size_t entry, long run) {
      if (run <= own[entry]) return;
      own[entry] = run;
      grew = true;
    };
    raise(tracks_.entry(tracks_.track_of[e.producer], e.delta), tracks_.run(e.producer, e.delta));
    for (std::size_t track = 0; track < tracks_.length.size(); ++track)
      for (int back = 0; back < static_cast<int>(tracks_.workers[track]); ++back)
        raise(
            tracks_.entry(track, back + e.delta),
            there[tracks_.entry(track, back)] - e.delta * static_cast<long>(tracks_.length[track]));
    return grew;
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
    const bool turns = tracks_.have_workers();
    bool any = false;
    const std::size_t nodes = order.size();
    const std::size_t* const ordered = order.data();
    for (std::size_t at = 0; at < nodes; ++at) {
      const std::size_t n = ordered[at];
      const std::size_t first = incoming[n].first;
      long* const own = clocks + n * width;
      bool grew = false;
      // The tracks' own edges are last and tell most.
      for (std::size_t i = incoming[n].last; i > first;) {
        --i;
        const std::size_t from = edges[i].producer;
        const int told = grown_in[from];
        if (told < pass - 1) continue;
        const long* const there = clocks + from * width;
        if (turns) {
          if (merge_turns(edges[i], there, own)) grew = true;
          continue;
        }
        const std::size_t track = track_of[from];
        const long back = edges[i].delta;
        const long run =
            back == 0 ? static_cast<long>(place[from])
                      : static_cast<long>(place[from]) - back * static_cast<long>(length[track]);
        const long known_run = own[track];
        // Known by another edge, and with it what comes before: this one never tells anything.
        if (known_run > run || (pass == 0 && known_run == run)) continue;
        if (run > known_run) {
          own[track] = run;
          grew = true;
        }
        if (told < 0) continue;
        for (std::size_t t = 0; t < width; ++t) {
          const long known = back == 0 ? there[t] : there[t] - back * static_cast<long>(length[t]);
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
  list<range> incoming_;  // by node, into edges_; made with those, and so before them
  list<edge> edges_;
  list<long> clock_;
  list<int> grown_in_;  ///< by node: the latest pass in which its clock grew
};

}  // namespace stretto::planner
