// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <stretto/bound/cycles.hpp>
#include <stretto/plan/layout/period.hpp>
#include <stretto/plan/model/algorithm.hpp>
#include <stretto/plan/model/list.hpp>

namespace stretto::bound::detail {

/// What a cycle asks of a progress, by the time of one node that may be on it.
struct line {
  long long time = 0;  ///< of the cycle's other nodes
  long long progresses = 1;
  bool through = false;              ///< whether the node is on it
  planner::list<std::size_t> nodes;  ///< as in \c cycles::critical

  constexpr planner::ratio at(planner::ratio x) const {
    return {time * x.progresses + (through ? x.time : 0), progresses * x.progresses};
  }
  constexpr planner::ratio slope() const { return {through ? 1 : 0, progresses}; }
  constexpr bool same(const line& other) const {
    return at({0, 1}) == other.at({0, 1}) && slope() == other.slope();
  }
};

/// Where two lines of different slopes meet.
constexpr planner::ratio meeting(const line& a, const line& b) {
  const long long time = a.time * b.progresses - b.time * a.progresses;
  const long long progresses = (b.through ? a.progresses : 0) - (a.through ? b.progresses : 0);
  return progresses < 0 ? planner::ratio{-time, -progresses} : planner::ratio{time, progresses};
}

/// The line that is uppermost if \p node takes \p x.
constexpr line uppermost(const cycles& all, std::size_t node, planner::ratio x) {
  cycles scaled = all;
  for (const std::size_t n : all.order()) scaled.set_time(n, all.time_of(n) * x.progresses);
  scaled.set_time(node, x.time);
  cycles::critical found = scaled.find_critical();
  line upper;
  if (found.nodes.empty()) return upper;
  upper.progresses = found.period.progresses;
  for (const std::size_t n : found.nodes) {
    upper.through = upper.through || n == node;
    if (n != node) upper.time += all.time_of(n);
  }
  upper.nodes = found.nodes;
  return upper;
}

/// The time per progress as a function of the time of \p node: the upper envelope of the lines of
/// all cycles, which is convex. From where each is uppermost, the first from 0. Exact: between two
/// lines that are uppermost somewhere there is nothing else, if it is not where they meet
/// (M. Eisner and D. Severance, Mathematical techniques for efficient record segmentation, 1976).
struct piece {
  planner::ratio from;
  line upper;
};
constexpr planner::list<piece> find_pieces(const cycles& all, std::size_t node) {
  // Where the cycle with the fewest progresses through the node is uppermost, whatever it takes.
  long long progresses = 1;
  for (const std::size_t n : all.order()) {
    long long most = 0;
    for (std::size_t a = all.waits().into[n].first; a < all.waits().into[n].last; ++a)
      most = planner::larger(most, all.waits().arcs[a].delta);
    progresses += most;
  }
  long long work = 1;
  for (const std::size_t n : all.order()) work += all.time_of(n);

  planner::list<piece> found;
  planner::list<line> open;  // further right, the nearest last
  line left = uppermost(all, node, {0, 1});
  open.push_back(uppermost(all, node, {work * progresses, 1}));
  planner::ratio from{0, 1};
  while (!open.empty()) {
    if (left.slope() == open.back().slope()) {
      open.pop_back();
      continue;
    }
    const planner::ratio x = meeting(left, open.back());
    line between = uppermost(all, node, x);
    if (left.at(x) < between.at(x)) {
      open.push_back(between);
      continue;
    }
    if (from < x) found.push_back({from, left});
    from = x;
    left = open.back();
    open.pop_back();
  }
  found.push_back({from, left});
  return found;
}

}  // namespace stretto::bound::detail
