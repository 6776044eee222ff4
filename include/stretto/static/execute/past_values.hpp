// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <stretto/declare/history.hpp>
#include <stretto/declare/items.hpp>
#include <stretto/plan/model/algorithm.hpp>
#include <stretto/plan/model/rate.hpp>
#include <stretto/static/execute/ring.hpp>
#include <stretto/static/query/plan_of.hpp>

namespace stretto::typed::detail {

/// What a task with this lag gets that looks back: of the batch at hand as others do, and of the
/// batches of the run before it.
template <std::size_t Lag>
struct past_values {
  /// Where a moment is one behind the end of the stream, that knows better what is there.
  template <class Slot, class Moment, class Memory>
    requires requires(const Moment& at) { at.last_batch(); }
  static decltype(auto) get(const Moment& at, Memory&) {
    return at.template past<Slot>();
  }
  template <class Slot, class Moment, class Schedule>
    requires(!requires(const Moment& at) { at.last_batch(); })
  static decltype(auto) get(const Moment& at, ring<Schedule>& memory) {
    return given<Slot>::from(at, memory);
  }
  /// Of a machine whose tasks may drop batches: for those there was no value.
  template <class Slot, class Moment, class Machine>
    requires requires {
      typename Machine::schedule;
      requires !requires(const Moment& at) { at.last_batch(); };
    }
  static decltype(auto) get(const Moment& at, Machine& m) {
    using schedule = typename Machine::schedule;
    if constexpr (requires { given<Slot>::batches_ago; }) {
      using type = decltype(given<Slot>::template from<Moment, schedule>(at, m.memory));
      constexpr std::size_t back = Lag + given<Slot>::batches_ago;
      if (at.progress() >= back &&
          m.verdicts.template unwritten<number_of_slot<schedule, typename given<Slot>::slot>>(
              at.progress() - back))
        return type{};
    }
    return given<Slot>::template from<Moment, schedule>(at, m.memory);
  }

  /// Of a task that consumes or produces items, in call number \p call for the batch.
  template <class Slot, class Moment, class Memory>
  static decltype(auto) get_items(const Moment& at, Memory& memory, std::size_t call) {
    if constexpr (requires { given<Slot>::items; })
      return given<Slot>::in_call(at, memory_of(memory), call);
    else
      return get<Slot>(at, memory);
  }

 private:
  template <class Schedule>
  static ring<Schedule>& memory_of(ring<Schedule>& memory) {
    return memory;
  }
  template <class Machine>
    requires requires { typename Machine::schedule; }
  static ring<typename Machine::schedule>& memory_of(Machine& m) {
    return m.memory;
  }

  template <class Slot>
  struct given {
    template <class Moment, class Schedule>
    static typename Slot::value_type& from(const Moment& at, ring<Schedule>& memory) {
      return at.template value<Slot, Lag>(memory);
    }
  };
  template <class Slot, auto Batches>
  struct given<declare::past<previous<Slot, Batches>>> {
    using slot = Slot;
    static constexpr auto batches_ago = std::size_t{Batches};

    template <class Moment, class Schedule>
    static previous<Slot, Batches> from(const Moment& at, ring<Schedule>& memory) {
      if constexpr (every<Slot, Schedule> > 1) {
        const std::size_t group = (at.progress() - Lag) / every<Slot, Schedule>;
        if (group < std::size_t{Batches}) return {};
        return previous<Slot, Batches>(of_group<Slot>(memory, group - std::size_t{Batches}));
      }
      constexpr std::size_t back = Lag + std::size_t{Batches};
      if (at.progress() < back) return {};
      return previous<Slot, Batches>(at.template value<Slot, back>(memory));
    }
  };
  template <class Slot, auto Batches>
  struct given<declare::past<window<Slot, Batches>>> {
    template <class Moment, class Schedule>
    static window<Slot, Batches> from(const Moment& at, ring<Schedule>& memory) {
      constexpr auto most = std::size_t{Batches};
      if constexpr (every<Slot, Schedule> > 1) {
        std::size_t group = (at.progress() - Lag) / every<Slot, Schedule>;
        return window<Slot, Batches>::of(planner::smaller(group + 1, most), [&memory, &group] {
          return &of_group<Slot>(memory, group--);
        });
      }
      const std::size_t there = at.progress() - Lag + 1;
      return window<Slot, Batches>::of(
          there < most ? there : most,
          copies_backwards<Slot, Schedule>(at.template value<Slot, Lag>(memory), memory));
    }
  };
  template <class Slot, auto Batches>
  struct given<declare::past<latest<Slot, Batches>>> {
    template <class Moment, class Schedule>
    static latest<Slot, Batches> from(const Moment& at, ring<Schedule>& memory) {
      constexpr planner::rate runs =
          plan_of<Schedule>.runs[plan_of<Schedule>.fillers[number_of_slot<Schedule, Slot>]];
      constexpr std::size_t back = Lag + std::size_t{Batches} + std::size_t{runs.phase};
      if (at.progress() < back) return {};
      if constexpr (runs.every > 1) {
        return latest<Slot, Batches>(
            of_group<Slot>(memory, (at.progress() - back) / std::size_t{runs.every}));
      } else {
        return latest<Slot, Batches>(at.template value<Slot, back>(memory));
      }
    }
  };

  /// The items of one call, which lie behind those of the calls before.
  template <class Entry, auto Items>
  struct given_items {
    using slot = typename Entry::slot;
    static constexpr auto items = std::size_t{Items};

    template <class Moment, class Schedule>
    static Entry in_call(const Moment& at, ring<Schedule>& memory, std::size_t call) {
      return Entry(&at.template value<slot, Lag>(memory) + call * items);
    }
  };
  template <class Slot, auto Items>
  struct given<declare::past<consumes<Slot, Items>>> : given_items<consumes<Slot, Items>, Items> {};
  template <class Slot, auto Items>
  struct given<declare::past<produces<Slot, Items>>> : given_items<produces<Slot, Items>, Items> {};

  template <class Slot, class Schedule>
  static constexpr std::size_t every = plan_of<Schedule>.every_of(number_of_slot<Schedule, Slot>);
  template <class Slot, class Schedule>
  static typename Slot::value_type& of_group(ring<Schedule>& memory, std::size_t group) {
    return value_in<Slot, plan_of<Schedule>.copies[number_of_slot<Schedule, Slot>]>(memory, group);
  }
};

}  // namespace stretto::typed::detail
