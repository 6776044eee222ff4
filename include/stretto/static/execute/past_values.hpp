// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <stretto/declare/history.hpp>
#include <stretto/static/execute/ring.hpp>

namespace stretto::typed::detail {

/// What a task with this lag gets that looks back: of the batch at hand as others do, and of the
/// batches of the run before it.
template <std::size_t Lag>
struct past_values {
  template <class Slot, class Moment, class Schedule>
  static decltype(auto) get(const Moment& at, ring<Schedule>& memory) {
    return given<Slot>::from(at, memory);
  }

 private:
  template <class Slot>
  struct given {
    template <class Moment, class Schedule>
    static typename Slot::value_type& from(const Moment& at, ring<Schedule>& memory) {
      return at.template value<Slot, Lag>(memory);
    }
  };
  template <class Slot, int Batches>
  struct given<declare::past<previous<Slot, Batches>>> {
    template <class Moment, class Schedule>
    static previous<Slot, Batches> from(const Moment& at, ring<Schedule>& memory) {
      constexpr std::size_t back = Lag + std::size_t{Batches};
      if (at.progress() < back) return {};
      return previous<Slot, Batches>(at.template value<Slot, back>(memory));
    }
  };
  template <class Slot, int Batches>
  struct given<declare::past<window<Slot, Batches>>> {
    template <class Moment, class Schedule>
    static window<Slot, Batches> from(const Moment& at, ring<Schedule>& memory) {
      constexpr auto most = std::size_t{Batches};
      const std::size_t there = at.progress() - Lag + 1;
      return window<Slot, Batches>::of(
          there < most ? there : most,
          copies_backwards<Slot, Schedule>(at.template value<Slot, Lag>(memory), memory));
    }
  };
};

}  // namespace stretto::typed::detail
