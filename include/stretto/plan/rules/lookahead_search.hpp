// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <stretto/plan/derive/pipelined.hpp>
#include <stretto/plan/derive/plan_size.hpp>
#include <stretto/plan/layout/period.hpp>
#include <stretto/plan/model/algorithm.hpp>
#include <stretto/plan/model/declaration.hpp>
#include <stretto/plan/model/graph.hpp>
#include <stretto/plan/model/list.hpp>
#include <stretto/plan/model/view.hpp>

/// How few raised lookaheads are enough: the rule of the choice, for those who can try all in one
/// go and for those who try one at a time, because a compiler limits the steps of each constant.
namespace stretto::planner {

/// What a plan would cost: on host threads alone and, less if those only submit what streams do,
/// with streams that work by themselves.
struct overlap_cost {
  bool possible = false;  ///< whether the lookaheads keep what is declared, and its bounds
  ratio on_threads;
  ratio on_tracks;

  friend constexpr bool operator==(const overlap_cost&, const overlap_cost&) = default;
  /// No more of either than another.
  constexpr bool suffices(const overlap_cost& other) const {
    return possible && !(other.on_threads < on_threads) && !(other.on_tracks < on_tracks);
  }
};

/// How far lookaheads can be raised within the bounds of a schedule.
struct raise_room {
  int ahead = -1;  ///< if the source is pulled a batch ahead; -1: it cannot be
  int level = -1;  ///< if it is not, and that lets tasks be raised further; -1: it does not
  raise_step pairs{-1, true, true};  ///< if only pairs of tasks are separated; -1: not looked for

  /// As far as can be.
  constexpr raise_step widest() const {
    return level < 0 ? raise_step{ahead, true} : raise_step{level, false};
  }
};

namespace detail {

/// The furthest step like \p furthest that is within the bounds; -1: not even 0.
constexpr int most_within(const declaration& d, const graph& g, view<std::size_t> tracks,
                          view<int> depths, raise_step furthest) {
  const auto fits = [&d = d, &g = g, tracks, depths, furthest](int most) {
    const list<int> raised =
        raised_by(d, g, tracks, depths, {most, furthest.ahead, furthest.pairs});
    declaration tried = d;
    tried.raised = raised;
    return !exceeded_bounds_of(tried).any();
  };
  if (fits(furthest.most)) return furthest.most;
  int enough = -1;
  int too_much = furthest.most;
  while (too_much - enough > 1) {
    const int between = enough + (too_much - enough) / 2;
    (fits(between) ? enough : too_much) = between;
  }
  return enough;
}

}  // namespace detail

/// Within no bounds, all of \p depths. Where what is declared alone exceeds them, nothing.
constexpr raise_room room_to_raise(const declaration& d, const graph& g, view<std::size_t> tracks,
                                   view<int> depths) {
  int furthest = 0;
  for (const int n : depths) furthest = larger(furthest, n);
  if (!is_bounded(d)) return {furthest, -1};
  raise_room room;
  room.ahead = detail::most_within(d, g, tracks, depths, {furthest, true});
  if (room.ahead == furthest) return room;
  const int level = detail::most_within(d, g, tracks, depths, {furthest, false});
  if (level > room.ahead) room.level = level;
  if (level < 0) room.level = 0;
  const int times = different_times(d, g, tracks);
  for (const bool ahead : {true, false}) {
    const int most = detail::most_within(d, g, tracks, depths, {times, ahead, true});
    if (most > room.pairs.most) room.pairs = {most, ahead, true};
  }
  return room;
}

/// Tries plans until it is known how far lookaheads are raised: no further than gives the least
/// modelled time. It asks what one costs, and is told.
class lookahead_search {
 public:
  /// \p generated: on threads of a map that was generated for lookaheads that are all raised, which
  /// costs \p apart if each task were on its own.
  constexpr lookahead_search(const raise_room& room, bool generated, const overlap_cost& apart = {})
      : room_(room), generated_(generated), apart_(apart) {
    if (room.ahead < 0) {
      ask(stage::level, {room.level, false});
    } else {
      ask(stage::ahead, {room.ahead, true});
    }
    over_ = !generated && larger(larger(room.ahead, room.level), room.pairs.most) == 0;
  }

  /// What to try next; when it is over, what is chosen.
  constexpr raise_step asked() const { return asked_; }
  constexpr bool is_over() const { return over_; }
  /// Whether the map goes with what it was generated for.
  constexpr bool keeps_apart() const { return keeps_apart_; }

  /// What it asked for costs so much.
  constexpr void tell(const overlap_cost& cost) {
    switch (at_) {
      case stage::ahead:
        keep_if_less(cost, true);
        if (room_.level >= 0) return ask(stage::level, {room_.level, false});
        return ask_pairs();
      case stage::level: keep_if_less(cost, room_.ahead < 0); return ask_pairs();
      case stage::pairs: keep_if_less(cost, false); return settle();
      case stage::nothing:
        if (!is_worth_raising(cost)) return end(0);
        enough_ = most_.most;
        return halve();
      case stage::between:
        (cost.suffices(best_) ? enough_ : not_enough_) = asked_.most;
        return halve();
    }
  }

 private:
  enum class stage { ahead, level, pairs, nothing, between };

  constexpr void ask(stage at, raise_step step) {
    at_ = at;
    asked_ = step;
  }
  constexpr void end(int most) {
    asked_ = {most, most_.ahead, most_.pairs};
    over_ = true;
  }
  constexpr void keep_if_less(const overlap_cost& cost, bool first) {
    if (!first && (!cost.suffices(best_) || best_.suffices(cost))) return;
    most_ = asked_;
    best_ = cost;
  }
  constexpr void ask_pairs() {
    if (room_.pairs.most > 0) return ask(stage::pairs, room_.pairs);
    settle();
  }
  /// The least time is known; how little gives it?
  constexpr void settle() {
    keeps_apart_ = generated_ && !best_.suffices(apart_);
    if (keeps_apart_ || most_.most == 0) return end(most_.most);
    ask(stage::nothing, {0, most_.ahead, most_.pairs});
  }
  constexpr void halve() {
    if (enough_ - not_enough_ <= 1) return end(enough_);
    ask(stage::between, {not_enough_ + (enough_ - not_enough_) / 2, most_.ahead, most_.pairs});
  }
  /// A map that was generated for raised lookaheads is not judged by what it costs without.
  constexpr bool is_worth_raising(const overlap_cost& without) const {
    return !without.suffices(best_) && (generated_ || !without.possible || best_.suffices(without));
  }

  raise_room room_;
  bool generated_;
  overlap_cost apart_;
  stage at_ = stage::ahead;
  raise_step asked_;
  bool over_ = false;
  bool keeps_apart_ = false;
  raise_step most_;     // what gives the least time
  overlap_cost best_;   // and that
  int not_enough_ = 0;  // between these
  int enough_ = 0;
};

}  // namespace stretto::planner
