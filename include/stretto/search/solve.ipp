// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <stretto/plan/layout/period.hpp>
#include <stretto/search/clause_search.hpp>
#include <stretto/search/evaluation.hpp>
#include <stretto/search/least_period.hpp>
#include <stretto/search/model.hpp>
#include <stretto/search/placement.hpp>
#include <stretto/search/plain_answer.hpp>
#include <stretto/search/problem.hpp>
#include <stretto/search/refine.hpp>
#include <stretto/search/solve.hpp>

namespace stretto::search {

namespace detail {

/// With how many batches in flight all decisions can be written down.
inline int most_searchable(const problem& p) {
  constexpr std::size_t most = 300;
  const std::size_t tasks = (std::max)(p.tasks.size(), std::size_t{1});
  return tasks > most ? 0 : static_cast<int>((most * most - 1) / (tasks * tasks));
}

class solver {
 public:
  solver(const problem& p, const effort& e)
      : p_(&p), effort_(&e), steps_(e.steps > 0 ? e.steps : enough()) {}

  solution solve() {
    const least_period least = find_least_period(*p_);
    s_.least = least.period;
    s_.why = least.why;
    for (const problem::slot& s : p_->slot_list) s_.least_bytes += s.bytes;
    const std::optional<answer> plain = plain_answer(*p_);
    s_.none = !plain || s_.least_bytes > p_->bytes;
    if (s_.none) return s_;
    take(*plain);
    for (const answer& a : effort_->known) take(a);
    if (!p_->device) place();
    if (!going_ || !searchable()) return s_;
    if (!s_.found) start();
    if (s_.found && going_) shorten_period();
    if (s_.found && going_) save_bytes();
    if (s_.found && going_) fly_fewer();
    return s_;
  }

 private:
  using verdict = clause_search::verdict;

  long long enough() const {
    const auto tasks = static_cast<long long>(p_->tasks.size());
    return (std::min)(200'000'000 + 10'000'000 * (std::max)(tasks - 64, 0LL), 1'000'000'000LL);
  }
  bool searchable() const { return p_->in_flight <= most_searchable(*p_); }

  /// What is in the first place: from the bound on, up to what is known.
  void place() {
    placement by(*p_);
    const auto tasks = static_cast<long long>(p_->tasks.size());
    const bool only = !searchable();
    long long low = divided_up(s_.least.time, s_.least.progresses);
    const long long stop = steps_ / (only ? 2 : 20);
    const auto attempt = [&](long long period, number variant) {
      if (!by.place(period, 20 * tasks, variant)) return false;
      take(by.found());
      if (only) {
        by.save_copies(steps_ / 4);
        take(by.found());
      }
      return true;
    };
    if (!attempt(low, 0)) {
      long long high = s_.found ? whole(s_.period) : everything().time;
      // Two short periods differ by less than long ones.
      while (going_ && high - low > 1 + low / 400 && by.steps() < stop) {
        const long long next = low + (std::max)((high - low) / 4, 1LL);
        if (attempt(next, 0))
          high = (std::min)(next, s_.found ? whole(s_.period) : next);
        else
          low = next;
      }
      const long long least = divided_up(s_.least.time, s_.least.progresses);
      for (number variant = 1; only && variant < 64 && going_ && by.steps() < stop; ++variant)
        while (s_.found && least < whole(s_.period) && by.steps() < stop &&
               attempt((std::max)(whole(s_.period) - 1 - least / 400, least), variant)) {
        }
    }
    s_.steps += by.steps();
  }
  static long long whole(planner::ratio r) { return divided_up(r.time, r.progresses); }

  void start() {
    model asked(*p_, p_->bytes != no_limit);
    clause_search by(asked.asked());
    const planner::ratio all = everything();
    const verdict v = by.solve(all, p_->bytes, steps_);
    s_.steps += by.work();
    if (v == verdict::none) s_.none = true;
    if (v == verdict::found) take(asked.found(by, all));
  }
  /// One task at a time.
  planner::ratio everything() const {
    long long all = (std::max)(p_->pull_weight, 1LL);
    for (const problem::task& t : p_->tasks) all += t.weight + t.device;
    planner::ratio r{all, 1};
    return r < s_.least ? s_.least : r;
  }
  /// Some period below, that no cycle's ratio lies between.
  planner::ratio just_below(planner::ratio r) const {
    const long long finer =
        everything().time / (std::max)(s_.least.time / s_.least.progresses, 1LL) + 2;
    return {r.time * finer - 1, r.progresses * finer};
  }
  static planner::ratio lowest_terms(planner::ratio r) {
    long long a = r.time;
    long long b = r.progresses;
    while (b != 0) {
      const long long rest = a % b;
      a = b;
      b = rest;
    }
    return {r.time / a, r.progresses / a};
  }

  /// Keeps an answer, if it is the best. Returns whether it is one.
  bool take(const placed& at) {
    const answer a = answer_of(*p_, at);
    // As many in flight as the deepest task asks for, if that does not take longer.
    answer fewer = a;
    fewer.in_flight = 1;
    for (const int ahead : a.lookahead) fewer.in_flight = (std::max)(fewer.in_flight, ahead + 1);
    if (fewer.in_flight < a.in_flight) {
      for (std::size_t s = 0; s < p_->slot_list.size(); ++s)
        if (p_->slot_list[s].writer == p_->pull()) fewer.copies[s] -= a.in_flight - fewer.in_flight;
      take(fewer);
    }
    return take(a);
  }
  bool take(const answer& a) {
    const evaluation now(*p_, a);
    if (now.wrong() != illegal::no) return false;
    if (s_.found &&
        (s_.period < now.period() || (now.period() == s_.period && s_.bytes < now.bytes()) ||
         (now.period() == s_.period && s_.bytes == now.bytes() &&
          s_.best.in_flight <= a.in_flight)))
      return true;
    s_.found = true;
    s_.best = a;
    s_.period = lowest_terms(now.period());
    s_.bytes = now.bytes();
    tell();
    return true;
  }
  void at_least(planner::ratio r) {
    if (!(s_.least < r)) return;
    s_.least = s_.period < r ? s_.period : lowest_terms(r);
    s_.why = {proof::why::search, {}, no_number, 0};
    tell();
  }
  void tell() {
    if (effort_->progress && !effort_->progress(s_)) going_ = false;
  }

  void shorten_period() {
    if (s_.optimal()) return;
    model asked(*p_, p_->bytes != no_limit);
    clause_search by(asked.asked());
    long long left = steps_ / 2;
    long long patience = steps_ / 60;
    planner::ratio failed = s_.least;  // given up at
    planner::ratio next = s_.least;
    while (going_ && left > 0 && s_.least < s_.period) {
      asked.prefer(by, s_.best);
      const long long before = by.work();
      const verdict v = by.solve(next, p_->bytes, (std::min)(left, patience));
      left -= by.work() - before;
      s_.steps += by.work() - before;
      if (v == verdict::found) {
        const planner::ratio was = s_.period;
        if (!take(asked.found(by, next)) || !(s_.period < was)) break;
      } else if (v == verdict::none) {
        at_least(by.refuted().period);
        if (failed < s_.least) failed = s_.least;
      } else {
        if (!(next < just_below(s_.period))) {
          patience *= 2;
          failed = s_.least;
        } else {
          failed = next;
        }
      }
      const double middle = (failed.value() + s_.period.value()) / 2;
      const planner::ratio whole{static_cast<long long>(middle), 1};
      next = failed < whole && whole < s_.period ? whole : just_below(s_.period);
    }
  }

  void save_bytes() {
    if (s_.bytes <= s_.least_bytes) return;
    model asked(*p_, true);
    clause_search by(asked.asked());
    long long left = steps_ / 3;
    const long long patience = steps_ / 12;
    long long failed = s_.least_bytes - 1;
    while (going_ && left > 0 && s_.least_bytes < s_.bytes) {
      asked.prefer(by, s_.best);
      const long long target = (std::max)(s_.least_bytes, failed + (s_.bytes - failed) / 2);
      const long long next = (std::min)(target, s_.bytes - 1);
      const long long before = by.work();
      const verdict v = by.solve(s_.period, next, (std::min)(left, patience));
      left -= by.work() - before;
      s_.steps += by.work() - before;
      if (v == verdict::found) {
        const long long was = s_.bytes;
        if (!take(asked.found(by, s_.period)) || s_.bytes >= was) break;
      } else if (v == verdict::none) {
        s_.least_bytes = (std::min)(by.refuted().bytes, s_.bytes);
        failed = (std::max)(failed, s_.least_bytes - 1);
        tell();
      } else {
        if (next >= s_.bytes - 1) break;
        failed = next;
      }
    }
  }

  void fly_fewer() {
    problem fewer = *p_;
    const long long patience = steps_ / 12;
    const long long stop = s_.steps + steps_ / 3;
    while (going_ && s_.steps < stop) {
      fewer.in_flight = s_.best.in_flight - 1;
      s_.fewest_in_flight = fewer.in_flight == 0;
      if (s_.fewest_in_flight) return;
      for (number t = 0; t < fewer.tasks.size(); ++t)
        if (fewer.tasks[t].least >= fewer.in_flight) {
          s_.fewest_in_flight = true;
          return;
        }
      model asked(fewer, true);
      clause_search by(asked.asked());
      asked.prefer(by, s_.best);
      const verdict v = by.solve(s_.period, s_.bytes, patience);
      s_.steps += by.work();
      s_.fewest_in_flight = v == verdict::none;
      if (v != verdict::found) return;
      const int was = s_.best.in_flight;
      if (!take(asked.found(by, s_.period)) || s_.best.in_flight >= was) return;
    }
  }

  const problem* p_;
  const effort* effort_;
  long long steps_;
  solution s_{};
  bool going_ = true;
};

/// Tries to come by with fewer batches in flight, without a search: who places tasks in a long
/// period takes as many as there may be.
inline void fly_lower(const problem& p, solution& found) {
  constexpr std::size_t most = 1'000;
  if (!found.found || p.tasks.size() > most) return;
  int least = 2;
  for (const problem::task& t : p.tasks) least = (std::max)(least, t.least + 1);
  for (int fewer = least; fewer < found.best.in_flight; fewer += (fewer + 1) / 2) {
    problem narrow = p;
    narrow.in_flight = fewer;
    placement by(narrow);
    const long long period = divided_up(found.period.time, found.period.progresses);
    if (!by.place(period, 20 * static_cast<long long>(p.tasks.size()), 0)) continue;
    solution lower = found;
    lower.best = answer_of(narrow, by.found());
    const evaluation now(narrow, lower.best);
    if (now.wrong() != illegal::no) continue;
    lower.period = now.period();
    lower.bytes = now.bytes();
    lower.fewest_in_flight = false;
    if (!lower.better_than(found)) continue;
    found = lower;
    return;
  }
}

STRETTO_INLINE solution find_best(const problem& p, const effort& e) {
  bool ended = false;
  effort watched = e;
  if (e.progress)
    watched.progress = [&](const solution& now) {
      ended = !e.progress(now);
      return !ended;
    };
  solution found = solver(p, watched).solve();
  const int searchable = most_searchable(p);
  found.ended = ended;
  if (found.none || ended || (found.optimal() && p.in_flight <= searchable)) return found;
  if (p.in_flight > searchable && !p.device) fly_lower(p, found);
  constexpr int few = 8;  // as many as most schedules have use for
  const int fewer = (std::min)(searchable, few);
  if (fewer < 2 || fewer >= p.in_flight) return found;
  // Many batches in flight leave much to look at, or too much: what is found with fewer may be
  // better, and what is proved of all holds of it.
  problem narrow = p;
  narrow.in_flight = fewer;
  const solution second = solver(narrow, watched).solve();
  found.steps += second.steps;
  found.ended = ended;
  if (!second.found || (found.found && !second.better_than(found))) return found;
  found.found = true;
  found.best = second.best;
  found.period = second.period;
  found.bytes = second.bytes;
  found.fewest_in_flight = false;
  return found;
}

STRETTO_INLINE void refine(const problem& p, solution& found, const effort& e) {
  constexpr std::size_t most = 300;  // tasks
  if (!found.found || found.ended || p.tasks.size() > most) return;
  constexpr long long enough = 20'000'000;
  const refinement by(p, found.best, e.steps > 0 ? (std::min)(e.steps / 10, enough) : enough);
  found.best = by.best();
  found.steps += by.work();
}

}  // namespace detail

STRETTO_INLINE solution solve(const problem& p, const effort& e) {
  solution found = detail::find_best(p, e);
  detail::refine(p, found, e);
  return found;
}

}  // namespace stretto::search
