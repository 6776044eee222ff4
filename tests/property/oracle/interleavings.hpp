// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

/// Every interleaving of a small unrolled pipeline, by search over its states. Knows nothing of how
/// the planner reasons: only lanes, what they do next, and what each step waits for.
namespace oracle {

/// A step may go on when \p node has been run (or at least submitted) at the progress \p delta
/// back.
struct wait {
  std::size_t node = 0;
  int delta = 0;
  bool submission = false;
};

/// What a lane does with a node once per progress. A run is one event, or two, begin and end.
enum class act { submit, run, begin, end };

struct step {
  std::size_t node = 0;
  act does = act::run;
  std::vector<wait> waits;
};

/// What does one thing after the other, progress after progress: a host thread or a stream. A
/// worker does so every N-th progress.
struct lane {
  std::vector<step> steps;
  bool meets = false;  ///< a host thread that waits for all others at the end of a progress
  std::size_t every = 1;
  std::size_t phase = 0;

  /// How many of the progresses before one are this lane's.
  std::size_t before(std::size_t progress) const {
    return progress > phase ? (progress - phase + every - 1) / every : 0;
  }
};

/// Lanes with two events for each run.
inline std::vector<lane> in_two_events(const std::vector<lane>& lanes) {
  std::vector<lane> result;
  for (const lane& l : lanes) {
    lane& split = result.emplace_back();
    split.meets = l.meets;
    split.every = l.every;
    split.phase = l.phase;
    for (const step& s : l.steps) {
      split.steps.push_back(s);
      if (s.does != act::run) continue;
      split.steps.back().does = act::begin;
      split.steps.push_back({s.node, act::end, {}});
    }
  }
  return result;
}

/// Where a node's submission and its run are found.
struct place {
  std::size_t lane = 0;
  std::size_t at = 0;
};

class machine {
 public:
  machine(std::vector<lane> lanes, std::size_t nodes, std::size_t progresses)
      : lanes_(std::move(lanes)), runs_(nodes), submissions_(nodes), progresses_(progresses) {
    for (std::size_t l = 0; l < lanes_.size(); ++l) {
      for (std::size_t s = 0; s < lanes_[l].steps.size(); ++s) {
        const step& what = lanes_[l].steps[s];
        if (what.does == act::run || what.does == act::end) {
          runs_[what.node].resize(lanes_[l].every);
          runs_[what.node][lanes_[l].phase] = {l, s};
        }
      }
    }
    submissions_ = runs_;
    for (const lane& l : lanes_) {
      shifts_.push_back(bits_);
      bits_ += static_cast<unsigned>(std::bit_width(l.steps.size() * l.before(progresses_)));
    }
    for (std::size_t l = 0; l < lanes_.size(); ++l)
      for (std::size_t s = 0; s < lanes_[l].steps.size(); ++s)
        if (lanes_[l].steps[s].does == act::submit)
          submissions_[lanes_[l].steps[s].node] = {{l, s}};
  }

  /// How far each lane is: steps taken, in as many bits as it takes to count them.
  using state = std::uint64_t;

  bool fits() const { return bits_ < 64; }
  std::size_t taken(state s, std::size_t l) const {
    const unsigned end = l + 1 < shifts_.size() ? shifts_[l + 1] : bits_;
    return (s >> shifts_[l]) & ((state{1} << (end - shifts_[l])) - 1);
  }
  /// At how many progresses a node that no workers share has been run.
  std::size_t ran(state s, std::size_t node) const { return count(s, runs_[node].front()); }
  /// Whether a node has been run, or submitted, at a progress.
  bool ran_at(state s, std::size_t node, std::size_t progress) const {
    return at(s, runs_[node], progress);
  }
  bool submitted_at(state s, std::size_t node, std::size_t progress) const {
    return at(s, submissions_[node], progress);
  }

  /// What is found on the way through all states.
  struct outcome {
    std::size_t states = 0;
    bool stuck = false;     ///< a state in which no lane can go on, and not all are through
    bool finished = false;  ///< a state in which all are
    bool capped = false;
    bool stopped = false;  ///< \c see had seen enough
  };

  /// Something that a lane can do next.
  struct next {
    std::size_t lane;
    const step* what;
    std::size_t progress;
  };

  /// Visits every reachable state once. \p see gets it and all that can be done next, and returns
  /// whether to go on. (Waits stay satisfied, so runs that can all be done next are under way at
  /// once in an interleaving that begins each before it ends any. That is why one event for a run
  /// is enough to see overlaps; with two there are many more states.)
  template <class See>
  outcome explore(std::size_t most, See see) const {
    outcome result;
    result.capped = !fits();
    if (result.capped) return result;
    std::vector<state> table(1 << 12, 0);
    std::vector<state> open{0};
    insert(table, 0);
    result.states = 1;
    std::vector<next> ready;
    while (!open.empty()) {
      const state s = open.back();
      open.pop_back();
      ready.clear();
      bool through = true;
      for (std::size_t l = 0; l < lanes_.size(); ++l) {
        const std::size_t length = lanes_[l].steps.size();
        const std::size_t at = taken(s, l);
        if (at == length * lanes_[l].before(progresses_)) continue;
        through = false;
        const next n{l, &lanes_[l].steps[at % length],
                     at / length * lanes_[l].every + lanes_[l].phase};
        if (can_start(s, n, at % length == 0)) ready.push_back(n);
      }
      result.finished = result.finished || through;
      result.stuck = result.stuck || (ready.empty() && !through);
      if (!see(s, ready)) {
        result.stopped = true;
        return result;
      }
      for (const next& n : ready) {
        const state after = s + (state{1} << shifts_[n.lane]);
        if (2 * (result.states + 1) > table.size()) grow(table);
        if (!insert(table, after)) continue;
        open.push_back(after);
        if (++result.states <= most) continue;
        result.capped = true;
        return result;
      }
    }
    return result;
  }

 private:
  std::size_t count(state s, place p) const {
    const std::size_t length = lanes_[p.lane].steps.size();
    return (taken(s, p.lane) + length - p.at - 1) / length;
  }
  bool at(state s, const std::vector<place>& places, std::size_t progress) const {
    return count(s, places[progress % places.size()]) > progress / places.size();
  }

  bool can_start(state s, const next& n, bool first) const {
    for (const wait& w : n.what->waits) {
      const long needed = static_cast<long>(n.progress) - w.delta;
      if (needed < 0) continue;
      const auto progress = static_cast<std::size_t>(needed);
      if (!(w.submission ? submitted_at(s, w.node, progress) : ran_at(s, w.node, progress)))
        return false;
    }
    if (lanes_[n.lane].meets && first)
      for (std::size_t l = 0; l < lanes_.size(); ++l)
        if (lanes_[l].meets && taken(s, l) < lanes_[l].before(n.progress) * lanes_[l].steps.size())
          return false;
    return true;
  }

  static bool insert(std::vector<state>& table, state s) {
    const std::size_t mask = table.size() - 1;
    std::size_t at = ((s + 1) * 0x9e3779b97f4a7c15U >> 20) & mask;
    while (table[at] != 0 && table[at] != s + 1) at = (at + 1) & mask;
    const bool added = table[at] == 0;
    table[at] = s + 1;
    return added;
  }
  static void grow(std::vector<state>& table) {
    std::vector<state> larger(4 * table.size(), 0);
    for (const state s : table)
      if (s != 0) insert(larger, s - 1);
    table.swap(larger);
  }

  std::vector<lane> lanes_;
  std::vector<std::vector<place>> runs_;  // by node, then by worker
  std::vector<std::vector<place>> submissions_;
  std::vector<unsigned> shifts_;
  unsigned bits_ = 0;
  std::size_t progresses_;
};

}  // namespace oracle
