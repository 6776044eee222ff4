// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <limits>
#include <stretto/search/problem.hpp>
#include <vector>

namespace stretto::search::detail {

/// What an arc adds along a path: so much time, and so many periods.
struct stretch {
  long long time = 0;
  long long periods = 0;

  constexpr stretch operator+(const stretch& other) const {
    return {time + other.time, periods + other.periods};
  }
};

/// The longest paths between all nodes of a graph to which arcs are added, and taken back in the
/// opposite order. There is never a cycle of more than 0. An arc that somebody has decided on has
/// a literal, so that a path can be told by the decisions that it rests on.
class paths {
 public:
  struct step {
    number from = 0;
    number to = 0;
    stretch length{};
    number literal = 0;
    number first_change = 0;  // as of when it was added
  };
  /// A longer path was found.
  struct change {
    number pair = 0;
    number before = none;  // the change before it of the same pair
    long long old = 0;
    number by = 0;  // the step
  };

  static constexpr number none = no_number;

  /// Begins anew, without decisions. \p fixed arcs; a period takes \p period, a unit of time
  /// \p unit. Returns whether there is no cycle of more than 0; if there is one, `length_of`
  /// (n, n) of a node on it is its length.
  bool reset(number nodes, const std::vector<step>& fixed, long long unit, long long period) {
    nodes_ = nodes;
    unit_ = unit;
    period_ = period;
    const std::size_t pairs = std::size_t{nodes} * nodes;
    reach_.assign(pairs, unreached);
    fixed_.assign(pairs, {});
    last_.assign(pairs, none);
    steps_.clear();
    changes_.clear();
    for (number n = 0; n < nodes; ++n) reach_[pair(n, n)] = 0;
    for (const step& s : fixed) {
      const number p = pair(s.from, s.to);
      if (scaled(s.length) <= reach_[p]) continue;
      reach_[p] = scaled(s.length);
      fixed_[p] = s.length;
    }
    for (number via = 0; via < nodes; ++via) {
      for (number from = 0; from < nodes; ++from) {
        const number first = pair(from, via);
        if (reach_[first] == unreached) continue;
        for (number to = 0; to < nodes; ++to) {
          const number second = pair(via, to);
          if (reach_[second] == unreached) continue;
          const long long found = reach_[first] + reach_[second];
          const number whole = pair(from, to);
          if (found <= reach_[whole]) continue;
          reach_[whole] = found;
          fixed_[whole] = fixed_[first] + fixed_[second];
        }
      }
      // Of a cycle the node of the largest number: all the others have been gone through.
      if (reach_[pair(via, via)] > 0) return false;
    }
    return true;
  }

  number nodes() const { return nodes_; }
  number pair(number from, number to) const { return from * nodes_ + to; }
  long long scaled(const stretch& s) const { return s.time * unit_ + s.periods * period_; }
  long long reach(number from, number to) const { return reach_[pair(from, to)]; }
  long long reach_of(number at) const { return reach_[at]; }
  const stretch& fixed(number from, number to) const { return fixed_[pair(from, to)]; }
  number changes() const { return static_cast<number>(changes_.size()); }
  const change& at(number index) const { return changes_[index]; }
  long long work() const { return work_; }

  /// Whether an arc would close a cycle of more than 0.
  bool closes(const step& s) const { return reach(s.to, s.from) + scaled(s.length) > 0; }

  /// Adds an arc that closes no such cycle.
  void add(step s) {
    const long long length = scaled(s.length);
    const number direct = pair(s.from, s.to);
    if (length <= reach_[direct]) return;
    s.first_change = changes();
    const auto by = static_cast<number>(steps_.size());
    steps_.push_back(s);
    ends_.clear();
    const long long* const before = &reach_[pair(s.from, 0)];
    const long long* const onward = &reach_[pair(s.to, 0)];
    for (number to = 0; to < nodes_; ++to)
      if (onward[to] + length > before[to]) ends_.push_back(to);
    for (number from = 0; from < nodes_; ++from) {
      const number row = pair(from, 0);
      const long long start = reach_[row + s.from] + length;
      if (start <= reach_[row + s.to]) continue;
      for (const number to : ends_) {
        const long long found = start + onward[to];
        long long& known = reach_[row + to];
        if (found <= known) continue;
        changes_.push_back({row + to, last_[row + to], known, by});
        last_[row + to] = changes() - 1;
        known = found;
      }
      work_ += static_cast<long long>(ends_.size());
    }
    work_ += 2 * static_cast<long long>(nodes_);
  }

  /// Takes back what was added since there were \p changes.
  void back_to(number changes_then) {
    work_ += changes() - changes_then;
    while (changes() > changes_then) {
      const change& c = changes_.back();
      reach_[c.pair] = c.old;
      last_[c.pair] = c.before;
      changes_.pop_back();
    }
    while (!steps_.empty() && steps_.back().first_change >= changes_then) steps_.pop_back();
  }

  /// Calls \p literal with the decisions that the longest path had rested on when there were
  /// \p changes_then, and returns its length.
  template <class Literal>
  stretch explain(number from, number to, number changes_then, Literal literal) {
    stretch sum;
    parts_.clear();
    parts_.push_back({from, to, changes_then});
    while (!parts_.empty()) {
      const part p = parts_.back();
      parts_.pop_back();
      ++work_;
      if (p.from == p.to) continue;
      number at = last_[pair(p.from, p.to)];
      while (at != none && at >= p.before) at = changes_[at].before;
      if (at == none) {
        sum = sum + fixed_[pair(p.from, p.to)];
        continue;
      }
      const step& s = steps_[changes_[at].by];
      sum = sum + s.length;
      literal(s.literal);
      parts_.push_back({p.from, s.from, s.first_change});
      parts_.push_back({s.to, p.to, s.first_change});
    }
    return sum;
  }

 private:
  static constexpr long long unreached = (std::numeric_limits<long long>::min)() / 4;
  struct part {
    number from;
    number to;
    number before;
  };

  number nodes_ = 0;
  long long unit_ = 1;
  long long period_ = 0;
  std::vector<long long> reach_;  // by pair
  std::vector<stretch> fixed_;    // by pair: the longest path without decisions
  std::vector<number> last_;      // by pair: its last change
  std::vector<step> steps_;
  std::vector<change> changes_;
  std::vector<number> ends_;
  std::vector<part> parts_;
  long long work_ = 0;
};

}  // namespace stretto::search::detail
