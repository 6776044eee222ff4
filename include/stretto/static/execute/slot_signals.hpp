// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <new>
#include <stretto/plan/derive/signal_slots.hpp>
#include <stretto/plan/model/list.hpp>
#include <stretto/run/wait/signal.hpp>
#include <stretto/static/execute/ring.hpp>
#include <stretto/static/query/plan_of.hpp>
#include <utility>

namespace stretto::typed::detail {

/// What is said early in the copies of slots, behind the value that it is about: of a node, a word
/// in every copy that it fills. The one of a progress is in the copy of the batch that the node
/// works on then.
template <class Schedule>
class slot_signals {
  using word = runner::early_word;
  static_assert(sizeof(word) <= planner::signal_size && alignof(word) <= planner::signal_alignment);
  using layout = ring_layout<Schedule>;
  static constexpr const auto& plan = plan_of<Schedule>;

  static constexpr std::size_t place_in(std::size_t slot) {
    return planner::signal_place(layout::rooms[slot].size);
  }

 public:
  static constexpr bool are_of(std::size_t node) {
    return layout::signal_slots[node] != planner::none;
  }

  /// Of a node, \c Back progresses before a moment.
  template <std::size_t Node, std::size_t Back, class Moment>
  [[gnu::always_inline]] static word& of(ring<Schedule>& memory, const Moment& at) {
    constexpr std::size_t slot = layout::signal_slots[Node];
    return *reinterpret_cast<word*>(at.template copy<slot, plan.lag[Node] + Back>(memory) +
                                    place_in(slot));
  }
  /// Calls \p use with each that a node has.
  template <class Use>
  static void each_of(ring<Schedule>& memory, std::size_t node, Use use) {
    const std::size_t slot = layout::signal_slots[node];
    for (std::size_t copy = 0; copy < plan.copies[slot]; ++copy) use(in_copy(memory, slot, copy));
  }
  /// Before anybody uses them. They end with the memory.
  static void make(ring<Schedule>& memory) {
    for (std::size_t n = 0; n < plan.nodes; ++n)
      if (are_of(n)) each_of(memory, n, [](word& at) { ::new (&at) word; });
  }

 private:
  /// The copies of slots that have a number of them.
  struct rows {
    std::byte* first;
    std::size_t stride;
  };
  template <std::size_t... Count>
  [[gnu::noinline]] static rows rows_of(ring<Schedule>& memory, std::size_t copies,
                                        std::index_sequence<Count...>) {
    rows found{};
    static_cast<void>(
        ((copies == copy_counts<Schedule>::value[Count] &&
          (found = {generations_in<copy_counts<Schedule>::value[Count]>(memory)->bytes,
                    sizeof(ring_row<Schedule, copy_counts<Schedule>::value[Count]>)},
           true)) ||
         ...));
    return found;
  }
  static word& in_copy(ring<Schedule>& memory, std::size_t slot, std::size_t copy) {
    const rows r =
        rows_of(memory, plan.copies[slot], std::make_index_sequence<copy_counts<Schedule>::size>());
    return *reinterpret_cast<word*>(r.first + copy * r.stride + layout::offsets[slot] +
                                    place_in(slot));
  }
};

}  // namespace stretto::typed::detail
