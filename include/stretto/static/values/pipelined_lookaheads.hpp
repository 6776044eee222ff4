// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <array>
#include <cstddef>
#include <limits>
#include <stretto/plan/derive/pipelined.hpp>
#include <stretto/plan/model/algorithm.hpp>
#include <stretto/plan/model/declaration.hpp>
#include <stretto/plan/rules/pipelined_choice.hpp>
#include <stretto/static/values/checked_rules.hpp>
#include <stretto/static/values/generated_layout.hpp>

namespace stretto::typed::detail {

/// What `planner::choose_pipelined` finds, step by step in constants of their own, because a
/// compiler limits the steps of each. `Declared::bare` is the declaration without it. A schedule
/// that breaks a rule has none, nor has one that `planner::choose_pipelined` leaves as it is.
template <class Declared,
          bool Plannable = (checked_rules<Declared>::kept && planner::is_in_reach(Declared::bare))>
struct pipelined_lookaheads {
 private:
  static constexpr const auto& bare = Declared::bare;
  static constexpr std::size_t tasks = bare.tasks.size();
  static constexpr std::size_t nodes = tasks + 2;

  struct raises {
    std::array<int, tasks + 1> by{};  ///< by task, then `pull`
    std::array<std::size_t, nodes> order{};
    std::array<std::size_t, nodes> thread_of{};
    int deepest = 0;

    constexpr planner::declaration of(planner::declaration d) const {
      d.raised = by;
      if (d.generated > 0) d.layout = {order, thread_of};
      return d;
    }
  };

  /// Raises as far as possible on the threads of \p from, or by names.
  static constexpr raises raise(const planner::declaration& d, const raises& from,
                                bool threads_known) {
    raises r = from;
    const planner::graph g = planner::planned_graph(d);
    const planner::track_map tracks = planner::tracks_of(
        d, g,
        threads_known ? planner::view<std::size_t>(from.thread_of) : planner::view<std::size_t>());
    const planner::list<int> deep = planner::depths(d, g, tracks.of);
    for (const int n : deep) r.deepest = planner::larger(r.deepest, n);
    planner::copy_items(
        planner::raised_up_to(g, tracks.of, deep, (std::numeric_limits<int>::max)()), r.by.data());
    return r;
  }
  /// Raises by a number of batches at most.
  static constexpr raises raise_to(const planner::declaration& d, const raises& from, int most,
                                   bool threads_known) {
    raises r = from;
    const planner::graph g = planner::planned_graph(d);
    const planner::track_map tracks = planner::tracks_of(
        d, g,
        threads_known ? planner::view<std::size_t>(from.thread_of) : planner::view<std::size_t>());
    const planner::list<int> deep(planner::view<int>(from.by.data(), tasks));
    planner::copy_items(planner::raised_up_to(g, tracks.of, deep, most), r.by.data());
    if (d.generated > 0)
      planner::copy_items(planner::order_like(r.of(d), from.order), r.order.data());
    return r;
  }

  static constexpr bool generates = bare.generated > 0;

  /// On threads that are to be generated: as if each task were on its own.
  struct apart {
    static constexpr raises alone = raise(bare, raises{}, false);
    static constexpr planner::declaration raised = [] {
      planner::declaration d = bare;
      d.raised = alone.by;
      return d;
    }();
    struct declared {
      static constexpr const planner::declaration& bare = raised;
    };
    static constexpr raises value = [] {
      raises r = alone;
      planner::copy_items(generated_layout<declared, true>::value.order, r.order.data());
      planner::copy_items(generated_layout<declared, true>::value.thread_of, r.thread_of.data());
      return r;
    }();
    static constexpr planner::overlap_cost cost = planner::cost_of(value.of(bare));
  };

  static constexpr raises deepest() {
    if constexpr (generates) {
      return raise(bare, apart::value, true);
    } else {
      return raise(bare, raises{}, false);
    }
  }
  struct full {
    static constexpr raises value = deepest();
  };
  template <int Most>
  struct up_to {
    static constexpr raises value = raise_to(bare, full::value, Most, generates);
    static constexpr planner::overlap_cost cost = planner::cost_of(value.of(bare));
  };

  template <int NotEnough, int Enough, int Best>
  static consteval int fewest() {
    if constexpr (Enough - NotEnough <= 1) {
      return Enough;
    } else {
      constexpr int between = NotEnough + (Enough - NotEnough) / 2;
      if constexpr (up_to<between>::cost.suffices(up_to<Best>::cost)) {
        return fewest<NotEnough, between, Best>();
      } else {
        return fewest<between, Enough, Best>();
      }
    }
  }
  static consteval int enough() {
    constexpr int most = full::value.deepest;
    if constexpr (most > 0)
      if constexpr (planner::is_worth_raising(bare, up_to<0>::cost, up_to<most>::cost))
        return fewest<0, most, most>();
    return 0;
  }
  static constexpr raises chosen() {
    if constexpr (generates) {
      if constexpr (!up_to<full::value.deepest>::cost.suffices(apart::cost)) {
        return apart::value;
      } else {
        return up_to<enough()>::value;
      }
    } else {
      return up_to<enough()>::value;
    }
  }
  /// Whether a plan costs no more than one for which a map is generated with nothing raised.
  static constexpr bool is_no_worse_than_plain(const raises& made) {
    planner::declaration plain = bare;
    plain.layout = generated_layout<Declared>::value;
    return planner::cost_of(made.of(bare)).suffices(planner::cost_of(plain));
  }
  struct choice {
    static constexpr raises value = chosen();
    static constexpr bool safe = [] {
      if constexpr (generates) {
        constexpr bool fast = is_no_worse_than_plain(value);
        if (!fast) return false;
      }
      return !planner::is_unsafe(value.of(bare));
    }();
  };

 public:
  static constexpr planner::view<int> raised =
      choice::safe ? planner::view<int>(choice::value.by) : planner::view<int>();
  static constexpr planner::layout_view layout = [] {
    if constexpr (!generates) {
      return planner::layout_view{};
    } else if constexpr (choice::safe) {
      return planner::layout_view{choice::value.order, choice::value.thread_of};
    } else {
      return generated_layout<Declared>::value;
    }
  }();
};

template <class Declared>
struct pipelined_lookaheads<Declared, false> {
  static constexpr planner::view<int> raised{};
  static constexpr planner::layout_view layout = [] {
    if constexpr (Declared::bare.generated > 0) {
      return generated_layout<Declared>::value;
    } else {
      return planner::layout_view{};
    }
  }();
};

}  // namespace stretto::typed::detail
