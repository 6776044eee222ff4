// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <stretto/plan/model/algorithm.hpp>
#include <stretto/plan/model/edge.hpp>
#include <stretto/plan/model/list.hpp>
#include <stretto/plan/model/view.hpp>

namespace stretto::planner {

/// Which runs lead to which, along edges, asked of 64 nodes at a time: a bit each. What a vector
/// clock per node would say too, but clocks have an entry for each stream and thread, and where
/// every task has its own that is tasks times tasks. This takes room for the edges only.
class reach {
 public:
  using bits = std::uint64_t;
  static constexpr std::size_t most_sources = 64;

  /// \p edges must be acyclic where delta is 0 (in \p order), and lead from each run of a node to
  /// its next, if what is asked spans progresses. Backward, paths lead against them.
  constexpr reach(view<std::size_t> order, view<edge> edges, bool backward = false)
      : place_(order.size(), 0),
        from_(order.size(), range{}),
        steps_(edges.size(), {}),
        spots_(order.size(), {}),
        dirty_((order.size() + 63) / 64, 0) {
    for (std::size_t i = 0; i < order.size(); ++i)
      place_[order[i]] = backward ? order.size() - 1 - i : i;
    for (const edge& e : edges) ++from_[place_[backward ? e.consumer : e.producer]].last;
    lay_out(from_);
    for (const edge& e : edges) {
      const std::size_t from = place_[backward ? e.consumer : e.producer];
      const std::size_t to = place_[backward ? e.producer : e.consumer];
      steps_[from_[from].last++] = {to, e.delta};
    }
  }

  /// Of a plan whose nodes may have workers, by node: every how many progresses its runs are in
  /// order. None given: each.
  constexpr reach(view<std::size_t> order, view<edge> edges, view<std::size_t> workers)
      : reach(order, edges) {
    if (workers.empty()) return;
    turns_.assign(order.size(), turn{});
    std::size_t spots = 0;
    for (std::size_t n = 0; n < order.size(); ++n) {
      turn& t = turns_[place_[n]];
      t.workers = static_cast<int>(workers[n]);
      t.first = spots;
      spots += workers[n];
    }
    spots_.assign(spots, {});
  }

  /// For each of \p asked, which are among the edges, whether the others order what it orders.
  constexpr list<char> implied(view<edge> asked) {
    list<char> answers(asked.size(), 0);
    const list<std::size_t> sorted = by_depth(asked);
    list<std::size_t> deltas(asked.size(), 0);
    for (std::size_t i = 0; i < asked.size(); ++i)
      deltas[i] = static_cast<std::size_t>(asked[i].delta);
    for (std::size_t first = 0; first < sorted.size();) {
      list<std::size_t> sources;
      list<std::size_t> questions;
      for (; first < sorted.size(); ++first) {
        const std::size_t producer = asked[sorted[first]].producer;
        if (sources.empty() || sources.back() != producer) {
          if (sources.size() == most_sources) break;
          sources.push_back(producer);
        }
        questions.push_back(sorted[first]);
      }
      answer(asked, sources, deltas, questions, answers);
    }
    return answers;
  }

  /// Looks where runs of up to 64 nodes lead, as far as \p depth progresses.
  constexpr void look(view<std::size_t> sources, int depth) {
    start(sources, depth);
    advance(depth, place_.size());
  }

  /// Which of the nodes looked from lead to a run of this one. (Without workers.)
  constexpr bits reached(std::size_t node) const { return spots_[place_[node]].reached; }

 private:
  // Nodes are numbered by their place in the order from here on.
  struct step {
    std::size_t to = 0;
    int delta = 0;
  };
  struct spot {
    bits reached = 0;  // on paths as long as the level looked at
    bits around = 0;   // those on a path of more than their own edge to it
    bits arrived = 0;  // what has just come, and is not passed on yet
    bits came_around = 0;
  };
  struct turn {  // where workers take turns, a spot for each
    int workers = 1;
    std::size_t first = 0;
  };
  struct arrival {
    std::size_t to = 0;
    bits who = 0;
    int delta = 0;
    bool direct = false;  // by an edge from the source itself
  };
  static constexpr bool sooner(const arrival& a, const arrival& b) { return a.delta < b.delta; }

  /// The numbers of \p asked by producer, those first whose edges do not lead far.
  constexpr list<std::size_t> by_depth(view<edge> asked) const {
    list<std::size_t> depth(place_.size(), 0);
    for (const edge& e : asked)
      depth[e.producer] = larger(depth[e.producer], static_cast<std::size_t>(e.delta));
    list<std::size_t> keys(asked.size(), 0);
    for (std::size_t i = 0; i < asked.size(); ++i)
      keys[i] = depth[asked[i].producer] * place_.size() + place_[asked[i].producer];
    return places_by_key(keys);
  }

  /// Answers questions about edges out of up to 64 nodes, \p sources, in whose order they are.
  constexpr void answer(view<edge> asked, const list<std::size_t>& sources,
                        const list<std::size_t>& deltas, list<std::size_t>& questions,
                        list<char>& answers) {
    list<std::size_t> bit(place_.size(), 0);
    for (std::size_t i = 0; i < sources.size(); ++i) bit[sources[i]] = i;
    int depth = 0;
    for (const std::size_t q : questions) depth = larger(depth, asked[q].delta);
    std::size_t farthest = 0;
    for (const std::size_t q : questions)
      if (asked[q].delta == depth) farthest = larger(farthest, place_[asked[q].consumer]);
    sort_by_key(questions, deltas);
    start(sources, depth);
    for (const std::size_t q : questions) {
      advance(asked[q].delta, farthest + 1);
      const bits around = spot_at(place_[asked[q].consumer], asked[q].delta).around;
      answers[q] = (around >> bit[asked[q].producer] & 1U) != 0 ? 1 : 0;
    }
  }

  constexpr std::size_t spot_number(std::size_t place, int delta) const {
    if (turns_.empty()) return place;
    const turn& t = turns_[place];
    return t.first + static_cast<std::size_t>(delta % t.workers);
  }
  constexpr spot& spot_at(std::size_t place, int delta) {
    return spots_[spot_number(place, delta)];
  }

  /// How many of a node's runs an edge has to be followed from until it has led to each of the
  /// other node's workers that it leads to at all.
  constexpr int runs_to_follow(std::size_t from, std::size_t to) const {
    if (turns_.empty() || turns_[from].workers % turns_[to].workers == 0) return 1;
    return turns_[to].workers;
  }

  constexpr void start(view<std::size_t> sources, int depth) {
    depth_ = depth;
    for (spot& s : spots_) s = {};
    for (bits& word : dirty_) word = 0;
    arrivals_.assign(0, {});
    for (std::size_t i = 0; i < sources.size(); ++i) {
      const range out = from_[place_[sources[i]]];
      for (std::size_t s = out.first; s < out.last; ++s)
        arrive_later(steps_[s].delta, steps_[s].to, bits{1} << i, true);
    }
  }

  /// Follows all paths of N progresses; of the longest only up to the place \p end.
  constexpr void advance(int delta, std::size_t end) {
    while (!arrivals_.empty() && arrivals_.front().delta <= delta) {
      const int now = arrivals_.front().delta;
      while (!arrivals_.empty() && arrivals_.front().delta == now) {
        const arrival next = pop_from_heap(arrivals_, sooner);
        arrive(next);
      }
      pass_on(now, now == depth_ ? end : place_.size());
    }
  }

  /// Passes on what has arrived, in the order, before the place \p end.
  constexpr void pass_on(int delta, std::size_t end) {
    for (std::size_t word = 0; word < dirty_.size(); ++word) {
      while (dirty_[word] != 0) {
        const std::size_t at = word * 64 + static_cast<std::size_t>(std::countr_zero(dirty_[word]));
        if (at >= end) return;
        dirty_[word] &= dirty_[word] - 1;
        pass_on_from(at, delta);
      }
    }
  }

  constexpr void pass_on_from(std::size_t at, int delta) {
    spot& here = spot_at(at, delta);
    const bits fresh = here.arrived & ~here.reached;
    here.reached |= here.arrived;
    here.around |= here.came_around;
    here.arrived = 0;
    here.came_around = 0;
    if (fresh == 0) return;
    const range out = from_[at];
    for (std::size_t i = out.first; i < out.last; ++i) {
      const step s = steps_[i];
      int at_level = delta;
      for (int runs = runs_to_follow(at, s.to); runs > 0; --runs) {
        if (s.delta > depth_ - at_level) break;
        const bits who = fresh & ~spot_at(s.to, at_level + s.delta).reached;
        if (who != 0 && at_level + s.delta == delta) {
          arrive({s.to, who, delta, false});
        } else if (who != 0) {
          arrive_later(at_level + s.delta, s.to, who, false);
        }
        if (runs == 1 || turns_[at].workers > depth_ - at_level) break;
        at_level += turns_[at].workers;
      }
    }
  }

  constexpr void arrive(const arrival& a) {
    spot& there = spot_at(a.to, a.delta);
    there.arrived |= a.who;
    // An edge that spans more than another one from the same source is implied by that.
    there.came_around |= a.direct ? a.who & there.reached : a.who;
    dirty_[a.to / 64] |= bits{1} << (a.to % 64);
  }

  constexpr void arrive_later(int delta, std::size_t to, bits who, bool direct) {
    if (delta < 0 || delta > depth_) return;
    const arrival next{to, who, delta, direct};
    push_to_heap(arrivals_, next, sooner);
  }

  list<std::size_t> place_;  // by node
  list<range> from_;         // by place, into steps_
  list<step> steps_;
  list<spot> spots_;  // by place, or one for each worker
  list<turn> turns_;  // by place; empty without workers
  list<bits> dirty_;  // by place: whether something has arrived
  int depth_ = 0;
  list<arrival> arrivals_;  // to come: a heap, the next one on top
};

}  // namespace stretto::planner
