// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <stretto/execute/signal.hpp>
#include <stretto/static/plan_of.hpp>
#include <type_traits>
#include <utility>

namespace stretto::detail {

template <class T>
struct alignas(std::max(cache_line, alignof(T))) copy_of {
  T value{};
};

/// The copies of one slot. Each has cache lines of its own: batches in flight are in use by several
/// threads at once.
template <class Slot, std::size_t Copies>
struct cell {
  static_assert(std::is_default_constructible_v<typename Slot::value_type>,
                "the type of a slot must be default-constructible: its copies outlive the batches");
  std::array<copy_of<typename Slot::value_type>, Copies> copies{};
};

template <class Schedule, class Slots, class Places>
struct cells;
template <class Schedule, class... Slot, std::size_t... I>
struct cells<Schedule, pack<Slot...>, std::index_sequence<I...>>
    : cell<Slot, plan_of<Schedule>.copies[I]>... {};

/// The memory of a pipeline: every slot's copies.
template <class Schedule>
struct ring : cells<Schedule, typename slots_of<Schedule>::type,
                    std::make_index_sequence<slots_of<Schedule>::type::size>> {};

template <class Slot, std::size_t Copies>
cell<Slot, Copies>& cell_of(cell<Slot, Copies>& c) {
  return c;
}

/// The distinct numbers of copies, above one, in a plan.
template <class Schedule>
struct copy_counts {
  static constexpr auto sorted = [] {
    auto counts = plan_of<Schedule>.copies;
    std::sort(counts.begin(), counts.end());
    return counts;
  }();
  static constexpr std::size_t size = [] {
    std::size_t distinct = 0;
    for (std::size_t i = 0; i < sorted.size(); ++i)
      if (sorted[i] > 1 && (i == 0 || sorted[i] != sorted[i - 1])) ++distinct;
    return distinct;
  }();
  static constexpr auto value = [] {
    std::array<std::size_t, size> result{};
    std::size_t next = 0;
    for (std::size_t i = 0; i < sorted.size(); ++i)
      if (sorted[i] > 1 && (i == 0 || sorted[i] != sorted[i - 1])) result[next++] = sorted[i];
    return result;
  }();
  static constexpr std::size_t place(std::size_t copies) {
    return static_cast<std::size_t>(std::lower_bound(value.begin(), value.end(), copies) -
                                    value.begin());
  }
};

/// A progress, and where in the ring each batch's copies are at it. Keeps progress mod copies for
/// each number of copies, so that no task divides.
template <class Schedule>
class ring_position {
 public:
  ring_position() { restart(); }

  std::size_t progress() const { return progress_; }

  void advance() {
    ++progress_;
    for_each_count([&](auto place) {
      std::size_t& r = remainder_[place];
      r = r + 1 == counts::value[place] ? 0 : r + 1;
    });
  }

  /// Before progress 0: \c advance comes first.
  void restart() {
    progress_ = static_cast<std::size_t>(-1);
    for_each_count([&](auto place) { remainder_[place] = counts::value[place] - 1; });
  }

  /// Which of `Copies` copies holds the batch that a task with this lag works on.
  template <std::size_t Lag, std::size_t Copies>
  std::size_t copy() const {
    if constexpr (Copies == 1) {
      return 0;
    } else {
      constexpr std::size_t back = Lag % Copies;
      const std::size_t r = remainder_[counts::place(Copies)];
      if constexpr (back == 0) {
        return r;
      } else {
        return r >= back ? r - back : r + (Copies - back);
      }
    }
  }

 private:
  using counts = copy_counts<Schedule>;

  template <class Visit>
  static void for_each_count(Visit visit) {
    [&]<std::size_t... I>(std::index_sequence<I...>) {
      (visit(std::integral_constant<std::size_t, I>{}), ...);
    }(std::make_index_sequence<counts::size>{});
  }

  std::size_t progress_ = static_cast<std::size_t>(-1);
  std::array<std::size_t, counts::size> remainder_{};
};

/// A slot's value for the batch that a task with this lag works on.
template <class Slot, std::size_t Lag, class Schedule>
typename Slot::value_type& slot_value(ring<Schedule>& memory, const ring_position<Schedule>& at) {
  auto& c = cell_of<Slot>(memory);
  constexpr std::size_t copies = std::tuple_size_v<std::remove_reference_t<decltype(c.copies)>>;
  return c.copies[at.template copy<Lag, copies>()].value;
}

}  // namespace stretto::detail
