// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <array>
#include <cstddef>
#include <stretto/plan/derive/pipelined.hpp>
#include <stretto/plan/model/algorithm.hpp>
#include <stretto/plan/model/declaration.hpp>
#include <stretto/plan/rules/lookahead_search.hpp>
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

    constexpr planner::declaration of(planner::declaration d) const {
      d.raised = by;
      if (d.generated > 0) d.layout = {order, thread_of};
      return d;
    }
  };

  /// How far tasks can be raised on some threads, or by names.
  struct reach {
    std::array<int, tasks> depths{};
    planner::raise_room room{};
  };
  static constexpr reach reach_on(planner::view<std::size_t> thread_of) {
    reach r;
    const planner::graph g = planner::planned_graph(bare);
    const planner::track_map tracks = planner::tracks_of(bare, g, thread_of);
    const planner::list<int> deep = planner::depths(bare, g, tracks.of);
    planner::copy_items(deep, r.depths.data());
    r.room = planner::room_to_raise(bare, g, tracks.of, deep);
    return r;
  }
  static constexpr std::array<int, tasks + 1> raise_on(planner::view<std::size_t> thread_of,
                                                       const reach& r, planner::raise_step step) {
    std::array<int, tasks + 1> by{};
    const planner::graph g = planner::planned_graph(bare);
    const planner::track_map tracks = planner::tracks_of(bare, g, thread_of);
    const planner::list<int> deep(planner::view<int>(r.depths.data(), tasks));
    planner::copy_items(planner::raised_by(bare, g, tracks.of, deep, step), by.data());
    return by;
  }

  static constexpr bool generates = bare.generated > 0;

  /// On threads that are to be generated: as if each task were on its own.
  struct apart {
    static constexpr reach reached = reach_on({});
    static constexpr std::array<int, tasks + 1> by = raise_on({}, reached, reached.room.widest());
    static constexpr planner::declaration raised = [] {
      planner::declaration d = bare;
      d.raised = by;
      return d;
    }();
    struct declared {
      static constexpr const planner::declaration& bare = raised;
    };
    static constexpr raises value = [] {
      raises r;
      r.by = by;
      planner::copy_items(generated_layout<declared, true>::value.order, r.order.data());
      planner::copy_items(generated_layout<declared, true>::value.thread_of, r.thread_of.data());
      return r;
    }();
    static constexpr planner::overlap_cost cost = planner::cost_of(value.of(bare));
  };
  /// The threads that tasks are raised on.
  struct known {
    static constexpr planner::view<std::size_t> threads() {
      if constexpr (generates) {
        return apart::value.thread_of;
      } else {
        return {};
      }
    }
    static constexpr reach reached = reach_on(threads());
  };

  template <int Most, bool Ahead, bool Pairs>
  struct up_to {
    static constexpr raises value = [] {
      raises r;
      if constexpr (generates) r = apart::value;
      r.by = raise_on(known::threads(), known::reached, {Most, Ahead, Pairs});
      if constexpr (generates)
        planner::copy_items(planner::order_like(r.of(bare), apart::value.order), r.order.data());
      return r;
    }();
    static constexpr planner::overlap_cost cost = planner::cost_of(value.of(bare));
  };

  /// The search, with its first `Answers` questions answered.
  template <int Answers>
  struct search {
    static constexpr planner::lookahead_search value = [] {
      if constexpr (Answers > 0) {
        constexpr const planner::lookahead_search& before = search<Answers - 1>::value;
        constexpr planner::raise_step asked = before.asked();
        planner::lookahead_search told = before;
        told.tell(up_to<asked.most, asked.ahead, asked.pairs>::cost);
        return told;
      } else if constexpr (generates) {
        return planner::lookahead_search(known::reached.room, true, apart::cost);
      } else {
        return planner::lookahead_search(known::reached.room, false);
      }
    }();
  };
  template <int Answers = 0>
  static constexpr const raises& chosen() {
    using now = search<Answers>;
    if constexpr (!now::value.is_over()) {
      return chosen<Answers + 1>();
    } else if constexpr (now::value.keeps_apart()) {
      return apart::value;
    } else {
      constexpr planner::raise_step step = now::value.asked();
      return up_to<step.most, step.ahead, step.pairs>::value;
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
