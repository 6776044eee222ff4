// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <stretto/run/slot_storage.hpp>
#include <stretto/run/wait/signal.hpp>
#include <stretto/static/query/plan_of.hpp>
#include <type_traits>
#include <utility>

namespace stretto::typed::detail {

/// Room for one copy of a slot. Its value is made by the thread that fills it, and ended when the
/// pipeline is destroyed: see slot_values.hpp.
template <class Slot>
struct alignas((std::max)(runner::copy_alignment_for(sizeof(typename Slot::value_type)),
                          alignof(typename Slot::value_type))) slot_copy {
  union {
    typename Slot::value_type value;
  };
  slot_copy() {}   // NOLINT(modernize-use-equals-default): not yet
  ~slot_copy() {}  // NOLINT(modernize-use-equals-default): not any more
  slot_copy(const slot_copy&) = delete;
  slot_copy& operator=(const slot_copy&) = delete;
};

/// Stands where a slot has another number of copies.
template <class Slot>
struct no_copy {};

template <class Schedule, std::size_t Copies, class Slots, class Places>
struct copy_of_each;
template <class Schedule, std::size_t Copies, class... Slot, std::size_t... Index>
struct copy_of_each<Schedule, Copies, pack<Slot...>, std::index_sequence<Index...>>
    : std::conditional_t<plan_of<Schedule>.copies[Index] == Copies, slot_copy<Slot>,
                         no_copy<Slot>>... {};

/// One copy of every slot that has N of them, and the way to the copies of the batch after
/// and the batch before.
template <class Schedule, std::size_t Copies>
struct ring_row : copy_of_each<Schedule, Copies, typename slots_of<Schedule>::type,
                               std::make_index_sequence<slots_of<Schedule>::type::size>> {
  ring_row* newer = nullptr;
  ring_row* older = nullptr;
};

/// The distinct numbers of copies in a plan.
template <class Schedule>
struct copy_counts {
  static constexpr auto sorted = [] {
    auto counts = plan_of<Schedule>.copies;
    planner::insertion_sort(counts, [](std::size_t a, std::size_t b) { return a < b; });
    return counts;
  }();
  static constexpr std::size_t size = [] {
    std::size_t distinct = 0;
    for (std::size_t i = 0; i < sorted.size(); ++i)
      if (i == 0 || sorted[i] != sorted[i - 1]) ++distinct;
    return distinct;
  }();
  static constexpr auto value = [] {
    std::array<std::size_t, size> result{};
    std::size_t next = 0;
    for (std::size_t i = 0; i < sorted.size(); ++i)
      if (i == 0 || sorted[i] != sorted[i - 1]) result[next++] = sorted[i];
    return result;
  }();
};

template <class Schedule, std::size_t Copies>
struct ring_rows {
  // Without {}, for which GCC writes zeros to all of it.
  std::array<ring_row<Schedule, Copies>, Copies> all;

  ring_rows() {                        // NOLINT(cppcoreguidelines-pro-type-member-init)
    if constexpr (Copies > 4) return;  // are counted: see turning
    for (std::size_t i = 0; i < Copies; ++i) {
      all[i].newer = &all[(i + 1) % Copies];
      all[(i + 1) % Copies].older = &all[i];
    }
  }
  ring_rows(const ring_rows&) = delete;
  ring_rows& operator=(const ring_rows&) = delete;
};

template <class Slot, std::size_t Copies>
struct copies_of_slot {};

template <class Schedule, class Slots, class Places, class Counts>
struct generations_of_each;
template <class Schedule, class... Slot, std::size_t... Index, std::size_t... Copy>
struct generations_of_each<Schedule, pack<Slot...>, std::index_sequence<Index...>,
                           std::index_sequence<Copy...>>
    : copies_of_slot<Slot, plan_of<Schedule>.copies[Index]>...,
      ring_rows<Schedule, copy_counts<Schedule>::value[Copy]>... {};

/// The memory of a pipeline: every slot's copies, those of slots with as many copies side by side.
template <class Schedule>
struct ring : generations_of_each<Schedule, typename slots_of<Schedule>::type,
                                  std::make_index_sequence<slots_of<Schedule>::type::size>,
                                  std::make_index_sequence<copy_counts<Schedule>::size>> {};

/// A ring in an allocation of its own, which the pipeline makes with itself. Its pages are left to
/// the threads that make the values.
template <class Schedule>
class ring_apart {
 public:
  // Not `new ring<Schedule>{}`, which would write all of it.
  ring_apart() : memory_(new ring<Schedule>) {}
  ring_apart(const ring_apart&) = delete;
  ring_apart& operator=(const ring_apart&) = delete;
  ~ring_apart() { delete memory_; }

  // NOLINTNEXTLINE(google-explicit-constructor,hicpp-explicit-conversions): stands for the ring
  operator ring<Schedule>&() { return *memory_; }

 private:
  ring<Schedule>* memory_;  // std::unique_ptr would be compiled by every user's file
};

/// Slots that take this much and more are not held in the pipeline object, which may be on a stack.
/// Those that take less are: a steady progress then finds them at constant distances from what else
/// it uses, and loads no address.
inline constexpr std::size_t kept_apart_from = std::size_t{64} * 1024;

template <class Schedule>
using kept_ring = std::conditional_t<(sizeof(ring<Schedule>) >= kept_apart_from),
                                     ring_apart<Schedule>, ring<Schedule>>;

template <class Slot, std::size_t Copies>
std::integral_constant<std::size_t, Copies> count_copies(const copies_of_slot<Slot, Copies>&);

template <std::size_t Copies, class Schedule>
std::array<ring_row<Schedule, Copies>, Copies>& generations_in(ring<Schedule>& memory) {
  return static_cast<ring_rows<Schedule, Copies>&>(memory).all;
}

/// The copy that holds a batch's value of a slot.
template <class Slot, std::size_t Copies, class Schedule>
slot_copy<Slot>& copy_in(ring<Schedule>& memory, std::size_t batch) {
  return generations_in<Copies>(memory)[batch % Copies];
}

/// The number of a slot; the number of slots, if the schedule has no such slot.
template <class Schedule, class Slot>
inline constexpr std::size_t number_of_slot = []<class... Each>(pack<Each...>) {
  std::size_t number = 0;
  static_cast<void>(((std::is_same_v<Slot, Each> || (++number, false)) || ...));
  return number;
}(typename slots_of<Schedule>::type{});

/// Which copies hold the batches in flight, for the slots that have N copies. What a progress
/// gets to see of it answers by a task's lag. Few copies are found by their links, so that a task
/// computes nothing.
template <class Schedule, std::size_t Copies>
class ring_cursor {
  using copies = ring_row<Schedule, Copies>;

 public:
  struct view {
    copies* newest;
    copies* before;
    copies* oldest;

    template <std::size_t Lag>
    copies& at(ring<Schedule>&) const {
      constexpr std::size_t back = Lag % Copies;
      static_assert(Copies <= 4);
      if constexpr (back == 0) {
        return *newest;
      } else if constexpr (back == 1) {
        return *before;
      } else if constexpr (back == Copies - 1) {
        return *oldest;
      } else {
        return *oldest->newer;
      }
    }
  };

  void restart(ring<Schedule>& memory) { newest_ = &generations_in<Copies>(memory)[Copies - 1]; }
  view advance() {
    copies* const before = newest_;
    newest_ = before->newer;
    return {newest_, before, newest_->newer};
  }
  view now() const { return {newest_, newest_->older, newest_->newer}; }

 private:
  copies* newest_ = nullptr;
};

template <class Schedule>
class ring_cursor<Schedule, 1> {
 public:
  struct view {
    template <std::size_t Lag>
    ring_row<Schedule, 1>& at(ring<Schedule>& memory) const {
      return generations_in<1>(memory)[0];
    }
  };
  void restart(ring<Schedule>&) {}
  view advance() { return {}; }
  view now() const { return {}; }
};

/// Many copies are counted instead.
template <class Schedule, std::size_t Copies>
  requires(Copies > 4)
class ring_cursor<Schedule, Copies> {
 public:
  struct view {
    std::size_t newest;

    template <std::size_t Lag>
    ring_row<Schedule, Copies>& at(ring<Schedule>& memory) const {
      constexpr std::size_t back = Lag % Copies;
      if constexpr (back == 0) {
        return generations_in<Copies>(memory)[newest];
      } else {
        return generations_in<Copies>(
            memory)[newest >= back ? newest - back : newest + (Copies - back)];
      }
    }
  };
  void restart(ring<Schedule>&) { newest_ = Copies - 1; }
  view advance() {
    newest_ = newest_ + 1 == Copies ? 0 : newest_ + 1;
    return now();
  }
  view now() const { return {newest_}; }

 private:
  std::size_t newest_ = Copies - 1;
};

/// One progress, and where in the ring each batch's copies are at it.
template <class Schedule, class Counts>
class moment_of;
template <class Schedule, std::size_t... Copy>
class moment_of<Schedule, std::index_sequence<Copy...>>
    : ring_cursor<Schedule, copy_counts<Schedule>::value[Copy]>::view... {
 public:
  moment_of(std::size_t progress, std::uint32_t epoch,
            typename ring_cursor<Schedule, copy_counts<Schedule>::value[Copy]>::view... views)
      : ring_cursor<Schedule, copy_counts<Schedule>::value[Copy]>::view(views)...,
        progress_(progress),
        epoch_(epoch) {}

  std::size_t progress() const { return progress_; }

  /// What a node's signal says when it has run in this progress.
  std::uint32_t epoch() const { return epoch_; }

  /// A slot's value for the batch that a task with this lag works on.
  template <class Slot, std::size_t Lag>
  typename Slot::value_type& value(ring<Schedule>& memory) const {
    constexpr std::size_t copies =
        decltype(count_copies<Slot>(std::declval<const ring<Schedule>&>()))::value;
    const typename ring_cursor<Schedule, copies>::view& found = *this;
    return static_cast<slot_copy<Slot>&>(found.template at<Lag>(memory)).value;
  }

 private:
  std::size_t progress_;
  std::uint32_t epoch_;
};

/// How far a thread is.
template <class Schedule, class Counts>
class position_of;
template <class Schedule, std::size_t... Copy>
class position_of<Schedule, std::index_sequence<Copy...>>
    : ring_cursor<Schedule, copy_counts<Schedule>::value[Copy]>... {
  template <std::size_t Index>
  using turned = ring_cursor<Schedule, copy_counts<Schedule>::value[Index]>;

 public:
  using moment = moment_of<Schedule, std::index_sequence<Copy...>>;

  /// Before progress 0 of a run.
  void restart([[maybe_unused]] ring<Schedule>& memory) {
    progress_ = static_cast<std::size_t>(-1);
    (turned<Copy>::restart(memory), ...);
  }

  moment advance() {
    ++progress_;
    return {progress_, epoch(), turned<Copy>::advance()...};
  }

  /// Leaves progresses out: those of a thread's fellow workers.
  void skip(std::size_t progresses) {
    for (std::size_t i = 0; i < progresses; ++i) static_cast<void>(advance());
  }

  /// The progress advanced to last.
  moment now() const { return {progress_, epoch(), turned<Copy>::now()...}; }
  std::size_t progress() const { return progress_; }
  std::size_t next_progress() const { return progress_ + 1; }
  std::uint32_t epoch() const {
    return runner::first_epoch + static_cast<std::uint32_t>(progress_ + 1);
  }

 private:
  std::size_t progress_ = static_cast<std::size_t>(-1);
};

template <class Schedule>
using ring_position = position_of<Schedule, std::make_index_sequence<copy_counts<Schedule>::size>>;

}  // namespace stretto::typed::detail

namespace stretto {

/// How many bytes a pipeline holds for its slots, every copy and the cache lines around it counted;
/// not what slots own elsewhere. A constant: `static_assert(memory_bytes<training> < 1 << 20)`.
template <class Schedule>
inline constexpr std::size_t memory_bytes = sizeof(typed::detail::ring<Schedule>);

}  // namespace stretto
