// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <limits>
#include <stretto/plan/layout/modulo_evaluation.hpp>
#include <stretto/plan/layout/modulo_placement.hpp>
#include <stretto/plan/layout/modulo_problem.hpp>
#include <stretto/plan/layout/period.hpp>
#include <stretto/plan/model/algorithm.hpp>
#include <stretto/plan/model/list.hpp>

namespace stretto::planner {

/// How much work one part of a search does, arcs looked at and the like, before the next constant:
/// less than half of what compilers compute in one, because a part ends between two tries.
inline constexpr long long modulo_part_budget = 40000;

/// How much work all parts do.
constexpr long long modulo_budget(std::size_t tasks) { return tasks <= 20 ? 160000 : 240000; }

/// The best schedule so far, and how far the search for a better one is.
struct modulo_progress {
  enum class phase {
    bound,    ///< tries the least period that there can be
    reach,    ///< longer ones, until there is a schedule
    shorten,  ///< halves what is between the best and the longest that was given up
    wander,   ///< shorter ones, near the best schedule
    save,     ///< the best one with fewer copies
    over
  };
  modulo_placed best{};
  ratio period{0, 0};  ///< of the best; 0 progresses: there is none yet
  long long bytes = 0;
  ratio least{0, 1};  ///< no schedule takes less
  phase now = phase::bound;
  long long failed = 0;  ///< the longest period that has been given up
  long long next = 0;
  unsigned variant = 0;
  long long work = 0;  ///< so far

  constexpr bool found() const { return period.progresses != 0; }
  constexpr bool optimal() const { return found() && !(least < period); }
};

/// One part of a search: goes on until it has done its share of the work, or all is over. The same
/// everywhere, and no search of all schedules: tries periods, and places tasks in each in several
/// ways.
class modulo_search {
 public:
  constexpr modulo_search(const modulo_problem& p, const modulo_progress& before)
      : p_(&p), s_(before), by_(p), judge_(p) {}

  constexpr modulo_progress run() {
    const long long before = s_.work;
    if (before == 0) s_.least = judge_.least_period(by_);
    for (long long done = 0; s_.now != phase::over && done < modulo_part_budget; done = work()) {
      step();
      s_.work = before + work();
    }
    return s_;
  }

 private:
  using phase = modulo_progress::phase;

  constexpr long long work() const { return by_.work() + judge_.work() + skipped_; }
  static constexpr long long up(ratio r) { return (r.time + r.progresses - 1) / r.progresses; }
  constexpr bool is_bounded() const { return p_->bytes != (std::numeric_limits<long long>::max)(); }
  /// One task after the other.
  constexpr long long everything() const {
    long long all = 0;
    for (const long long w : p_->weight) all += w;
    return all;
  }
  constexpr int least_in_flight() const {
    int least = 1;
    for (const int l : p_->least) least = larger(least, l + 1);
    return smaller(least, p_->in_flight);
  }
  /// Where bytes are bounded, fewer batches in flight may be what there is room for.
  constexpr int in_flight() const {
    const int choices = is_bounded() ? larger(p_->in_flight - least_in_flight() + 1, 1) : 1;
    return p_->in_flight - static_cast<int>(s_.variant / 2) % choices;
  }

  constexpr void step() {
    switch (s_.now) {
      case phase::bound: return try_bound();
      case phase::reach: return reach();
      case phase::shorten: return shorten();
      case phase::wander: return wander();
      case phase::save: return save();
      case phase::over: return;
    }
  }
  constexpr void go(phase next) {
    s_.now = next;
    s_.variant = 0;
  }
  constexpr void try_bound() {
    const long long least = up(s_.least);
    if (attempt(least, in_flight())) return go(phase::save);
    if (++s_.variant < 4) return;
    s_.failed = least;
    s_.next = smaller(least + least / 4, larger(everything(), least));
    go(phase::reach);
  }
  constexpr void reach() {
    const bool last = s_.next >= everything();
    if (attempt(s_.next, last ? least_in_flight() : in_flight())) return go(phase::shorten);
    if (++s_.variant < (is_bounded() ? 6U : 2U)) return;
    if (last) return go(phase::over);
    s_.variant = 0;
    s_.failed = s_.next;
    s_.next = smaller(s_.next + s_.next / 2 + 1, everything());
  }
  constexpr void shorten() {
    const long long best = up(s_.period);
    if (best - s_.failed <= 1 + best / 64 || s_.work > modulo_budget(p_->tasks()) / 4)
      return go(phase::wander);
    if (s_.variant == 0) s_.next = s_.failed + (best - s_.failed) / 2;
    if (attempt(s_.next, in_flight())) {
      s_.variant = 0;
    } else if (++s_.variant == 4) {
      s_.variant = 0;
      s_.failed = s_.next;
    }
  }
  constexpr void wander() {
    if (s_.optimal() || s_.variant == 200 || s_.work > modulo_budget(p_->tasks()) / 4 * 3)
      return go(phase::save);
    const ratio was = s_.period;
    const long long best = up(s_.period);
    const long long least = up(s_.least);
    const long long next = larger(best - 1 - ((best - least) >> (3 + s_.variant / 2 % 4)), least);
    if (s_.variant / 2 % 4 == 0)
      attempt(next, in_flight(), s_.variant + 6);
    else
      attempt_near_best(next, in_flight());
    s_.variant = s_.period < was ? 0 : s_.variant + 1;
  }
  constexpr void save() {
    if (s_.work > modulo_budget(p_->tasks()) || s_.variant == 100) return go(phase::over);
    const long long best = up(s_.period);
    if (s_.variant % 4 == 0) {
      by_.give({});
      const int fewer = s_.best.in_flight - static_cast<int>(s_.variant / 4 % 2);
      try_place(best, larger(fewer, least_in_flight()), s_.variant / 4, nullptr);
    } else {
      save_a_copy(best);
    }
    ++s_.variant;
  }

  constexpr bool attempt(long long period, int in_flight) {
    return attempt(period, in_flight, s_.variant);
  }
  constexpr bool attempt(long long period, int in_flight, unsigned variant) {
    give(variant % 4 != 3, variant, in_flight);
    return try_place(period, in_flight, variant, nullptr);
  }
  constexpr void attempt_near_best(long long period, int in_flight) {
    give(true, s_.variant, in_flight);
    const modulo_placed like = s_.best;
    try_place(period, in_flight, s_.variant, &like);
  }
  constexpr bool try_place(long long period, int in_flight, unsigned variant,
                           const modulo_placed* like) {
    const int evictions = static_cast<int>(p_->tasks()) / (is_bounded() ? 4 : 2);
    return by_.place(period, in_flight, evictions, variant, like) && take(by_.placed(), false);
  }

  /// Keeps it if it is the best. Returns whether it is a schedule that takes no longer than was
  /// asked for.
  constexpr bool take(modulo_placed at, bool saved) {
    drop_batches(at);
    const long long bytes = judge_.bytes(at, by_);
    if (!saved && (bytes > p_->bytes || s_.now == phase::save)) {
      if (bytes <= p_->bytes && !take(at, true)) return false;
      by_.save_copies();
      return take(by_.placed(), true);
    }
    if (bytes > p_->bytes) return false;
    const ratio period = judge_.period(at, by_);
    if (period.progresses == 0) return false;
    if (is_better(period, bytes, at.in_flight)) {
      s_.best = at;
      s_.period = period;
      s_.bytes = bytes;
    }
    return !(ratio{at.period, 1} < period);
  }
  constexpr bool is_better(ratio period, long long bytes, int in_flight) const {
    if (!s_.found() || !(period == s_.period)) return !s_.found() || period < s_.period;
    return bytes < s_.bytes || (bytes == s_.bytes && in_flight < s_.best.in_flight);
  }
  /// As many in flight as the tasks ask for.
  constexpr void drop_batches(modulo_placed& at) const {
    int spare = at.in_flight - 1;
    for (std::size_t t = 0; t < p_->tasks(); ++t)
      spare = smaller(spare, at.in_flight - 1 - at.ahead(t));
    for (std::size_t t = 0; t < p_->tasks(); ++t) at.start[t] -= spare * at.period;
    at.in_flight -= spare;
  }

  constexpr list<int> copies_of_best() const {
    list<int> copies;
    for (const modulo_problem::slot& s : p_->slot_list) {
      int least = 1;
      for (std::size_t i = s.readers.first; i < s.readers.last; ++i)
        least = larger(least, p_->readers[i].ago + 1);
      copies.push_back(s_.found() ? by_.copies(s_.best, s) : least);
    }
    return copies;
  }
  static constexpr std::size_t chosen(unsigned variant, std::size_t i, std::size_t count) {
    return static_cast<std::size_t>(
        modulo_placement::spread(variant, i, static_cast<long long>(count) - 1));
  }
  /// Where bytes are bounded, as many copies as the best schedule has, and more for some slots, as
  /// far as there is room. \p bounded false: as many as it takes.
  constexpr void give(bool bounded, unsigned variant, int in_flight) {
    if (!bounded || !is_bounded() || p_->slot_list.empty()) return by_.give({});
    list<int> copies = copies_of_best();
    const int known = s_.found() ? s_.best.in_flight : 1;
    long long left = p_->bytes;
    for (std::size_t s = 0; s < copies.size(); ++s) {
      if (p_->slot_list[s].writer == p_->pull() && in_flight > known)
        copies[s] += in_flight - known;
      left -= copies[s] * p_->slot_list[s].bytes;
    }
    for (std::size_t i = 0; i < 2 * copies.size(); ++i) {
      const std::size_t s = chosen(variant, i, copies.size());
      if (p_->slot_list[s].bytes > left || copies[s] > p_->in_flight) continue;
      ++copies[s];
      left -= p_->slot_list[s].bytes;
    }
    by_.give(copies);
  }
  /// A copy fewer for a slot, and maybe more for those that take less.
  constexpr void save_a_copy(long long period) {
    skipped_ += 10;  // what there is nothing to save of takes some work, too
    if (p_->slot_list.empty()) return;
    list<int> copies = copies_of_best();
    const std::size_t s = chosen(s_.variant, 0, copies.size());
    if (copies[s] < 2) return;
    --copies[s];
    if (s_.variant % 4 == 2)
      for (std::size_t o = 0; o < copies.size(); ++o)
        if (p_->slot_list[o].bytes < p_->slot_list[s].bytes) ++copies[o];
    by_.give(copies);
    const modulo_placed like = s_.best;
    try_place(period, p_->in_flight, s_.variant, &like);
  }

  const modulo_problem* p_;
  modulo_progress s_;
  modulo_placement by_;
  modulo_evaluation judge_;
  long long skipped_ = 0;
};

}  // namespace stretto::planner
