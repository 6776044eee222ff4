// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <stretto/plan/derive/repetitions.hpp>
#include <stretto/plan/derive/signal_slots.hpp>
#include <stretto/plan/model/algorithm.hpp>
#include <stretto/plan/model/list.hpp>
#include <stretto/run/slot_storage.hpp>
#include <stretto/run/wait/signal.hpp>
#include <stretto/static/query/plan_of.hpp>
#include <type_traits>
#include <utility>

namespace stretto::typed::detail {

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

template <class Schedule>
inline constexpr auto item_counts = [] {
  const planner::slot_items items(declared<Schedule>::value.tasks);
  auto counts = plan_of<Schedule>.copies;
  for (std::size_t s = 0; s < counts.size(); ++s) counts[s] = items[plan_of<Schedule>.slot_list[s]];
  return counts;
}();
/// How many values a copy of a slot is: the items of a batch, or one.
template <class Schedule>
constexpr std::size_t values_in_copy([[maybe_unused]] std::size_t slot) {
  if constexpr (declared<Schedule>::has_items) {
    return item_counts<Schedule>[slot];
  } else {
    return 1;
  }
}

/// Where each slot's copy is in a row of the ring: by slot, as plain numbers, because a base class
/// or a member per slot would be compiled slowly.
template <class Schedule>
struct ring_layout {
  struct room {
    std::size_t size;
    std::size_t alignment;
  };
  template <class... Slot>
  static constexpr std::array<room, sizeof...(Slot)> rooms_of(pack<Slot...>) {
    std::size_t slot = 0;
    return {room_of<typename Slot::value_type>(slot++)...};
  }
  template <class Type>
  static constexpr room room_of(std::size_t slot) {
    const std::size_t size = sizeof(Type) * values_in_copy<Schedule>(slot);
    return {size, planner::larger(planner::copy_alignment(size), alignof(Type))};
  }
  static constexpr auto rooms = rooms_of(typename slots_of<Schedule>::type{});

  /// By node: the slot in whose copies its signal lies; none: elsewhere.
  static constexpr auto signal_slots = [] {
    const auto& plan = plan_of<Schedule>;
    std::array<std::size_t, rooms.size()> sizes{};
    for (std::size_t s = 0; s < sizes.size(); ++s) sizes[s] = rooms[s].size;
    // Named, because nvcc cannot print it as an argument.
    const planner::signalling known{plan.edges,   plan.fillers, plan.thread_of,
                                    plan.workers, sizes,        plan.runs};
    const planner::list<std::size_t> found = planner::signal_slots(known);
    std::array<std::size_t, plan.nodes> all{};
    planner::copy_items(found, all.data());
    return all;
  }();
  /// The bytes of a slot's copy and of the signal in it.
  static constexpr std::size_t size_of(std::size_t slot) {
    const std::size_t size = rooms[slot].size;
    if (signal_slots[plan_of<Schedule>.fillers[slot]] != slot) return size;
    return planner::signal_place(size) + planner::signal_size;
  }

  /// The room for one copy of every slot that has \p copies of them, and where in it each slot's
  /// is, which goes to \p places.
  template <std::size_t Slots>
  static constexpr room row_of(std::size_t copies, std::array<std::size_t, Slots>& places) {
    room row{0, 1};
    for (std::size_t s = 0; s < Slots; ++s) {
      if (plan_of<Schedule>.copies[s] != copies) continue;
      const std::size_t alignment = rooms[s].alignment;
      places[s] = (row.size + alignment - 1) / alignment * alignment;
      row.size = places[s] + size_of(s);
      row.alignment = planner::larger(row.alignment, alignment);
    }
    return row;
  }
  static constexpr auto offsets = [] {
    std::array<std::size_t, rooms.size()> all{};
    for (const std::size_t copies : copy_counts<Schedule>::value) row_of(copies, all);
    return all;
  }();
  static constexpr room row(std::size_t copies) {
    auto unused = offsets;
    return row_of(copies, unused);
  }
};

/// Whether copies are found by their links, so that a task computes nothing. Many are counted, and
/// all that threads share: what one thread fills would lie next to links that others follow.
template <class Schedule, std::size_t Copies>
inline constexpr bool links_copies = Copies > 1 && Copies <= 4 &&
                                     plan_of<Schedule>.host_threads() == 1;

/// The way to the copies of the batch after and the batch before.
template <class Row, bool Linked>
struct row_links {
  Row* newer = nullptr;
  Row* older = nullptr;
};
template <class Row>
struct row_links<Row, false> {};

/// One copy of every slot that has N of them. Values are made by the thread that fills them, and
/// ended when the pipeline is destroyed: see slot_values.hpp.
template <class Schedule, std::size_t Copies>
struct ring_row {
  static constexpr auto room = ring_layout<Schedule>::row(Copies);

  ring_row() {}  // NOLINT(modernize-use-equals-default): nothing is made yet
  ring_row(const ring_row&) = delete;
  ring_row& operator=(const ring_row&) = delete;

  // NOLINTNEXTLINE(modernize-avoid-c-arrays): its bytes are the storage of values
  alignas(room.alignment) std::byte bytes[room.size];
  [[no_unique_address]] row_links<ring_row, links_copies<Schedule, Copies>> links;
};

template <class Schedule, std::size_t Copies>
struct ring_rows {
  // Without {}, for which GCC writes zeros to all of it.
  ring_row<Schedule, Copies> all[Copies];  // NOLINT(modernize-avoid-c-arrays): see signals

  ring_rows() {  // NOLINT(cppcoreguidelines-pro-type-member-init)
    if constexpr (links_copies<Schedule, Copies>) {
      for (std::size_t i = 0; i < Copies; ++i) {
        all[i].links.newer = &all[(i + 1) % Copies];
        all[(i + 1) % Copies].links.older = &all[i];
      }
    }
  }
  ring_rows(const ring_rows&) = delete;
  ring_rows& operator=(const ring_rows&) = delete;
};

template <class Schedule, class Counts>
struct rows_of_each;
template <class Schedule, std::size_t... Copy>
struct rows_of_each<Schedule, std::index_sequence<Copy...>>
    : ring_rows<Schedule, copy_counts<Schedule>::value[Copy]>... {};

/// The memory of a pipeline: every slot's copies, those of slots with as many copies side by side.
template <class Schedule>
struct ring : rows_of_each<Schedule, std::make_index_sequence<copy_counts<Schedule>::size>> {};

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

template <std::size_t Copies, class Schedule>
ring_row<Schedule, Copies>* generations_in(ring<Schedule>& memory) {
  return static_cast<ring_rows<Schedule, Copies>&>(memory).all;
}

template <class Slot, std::size_t Number>
struct numbered_slot {};
template <class Schedule, class Slots, class Numbers>
struct numbered_slots;
template <class Schedule, class... Slot, std::size_t... Number>
struct numbered_slots<Schedule, pack<Slot...>, std::index_sequence<Number...>>
    : numbered_slot<Slot, Number>... {};

template <class Slot, std::size_t Number>
std::integral_constant<std::size_t, Number> number_among(const numbered_slot<Slot, Number>*);
template <class Slot>
std::integral_constant<std::size_t, planner::none> number_among(const void*);

/// The number of a slot; none, if the schedule has no such slot.
template <class Schedule, class Slot>
inline constexpr std::size_t number_of_slot = decltype(number_among<Slot>(
    static_cast<numbered_slots<Schedule, typename slots_of<Schedule>::type,
                               std::make_index_sequence<slots_of<Schedule>::type::size>>*>(
        nullptr)))::value;

/// A batch's value of a slot; of one that is written once per N batches, the value of the group of
/// that number.
template <class Slot, std::size_t Copies, class Schedule>
typename Slot::value_type& value_in(ring<Schedule>& memory, std::size_t batch) {
  constexpr std::size_t offset = ring_layout<Schedule>::offsets[number_of_slot<Schedule, Slot>];
  return *reinterpret_cast<typename Slot::value_type*>(
      generations_in<Copies>(memory)[batch % Copies].bytes + offset);
}

/// Goes through the copies of a slot, from that of a batch to those of the batches before it.
template <class Slot, class Schedule>
class copies_backwards {
  static constexpr std::size_t slot = number_of_slot<Schedule, Slot>;
  static constexpr std::size_t copies = copies_by_slot<Schedule>[slot];
  static constexpr std::size_t stride = sizeof(ring_row<Schedule, copies>);

 public:
  using value_type = typename Slot::value_type;

  copies_backwards(const value_type& newest, ring<Schedule>& memory)
      : at_(&reinterpret_cast<const std::byte&>(newest)),
        first_(generations_in<copies>(memory)->bytes + ring_layout<Schedule>::offsets[slot]) {}

  const value_type* operator()() {
    const auto* const value = reinterpret_cast<const value_type*>(at_);
    at_ = at_ == first_ ? first_ + (copies - 1) * stride : at_ - stride;
    return value;
  }

 private:
  const std::byte* at_;
  const std::byte* first_;
};

/// Of which slots a thread follows the copies from progress to progress, by how many copies they
/// have: of all. The copies of others are found by a progress's number where they are needed.
struct all_followed {
  template <std::size_t Copies>
  static constexpr bool has = true;
};

/// Which copies hold the batches in flight, for the slots that have N copies. What a progress
/// gets to see of it answers by a task's lag.
template <class Schedule, std::size_t Copies, bool Followed = true>
class ring_cursor {
  using copies = ring_row<Schedule, Copies>;

 public:
  struct view {
    copies* newest;
    copies* before;
    copies* oldest;

    template <std::size_t Lag>
    [[gnu::always_inline]] copies& at(ring<Schedule>&) const {
      constexpr std::size_t back = Lag % Copies;
      static_assert(Copies <= 4);
      if constexpr (back == 0) {
        return *newest;
      } else if constexpr (back == 1) {
        return *before;
      } else if constexpr (back == Copies - 1) {
        return *oldest;
      } else {
        return *oldest->links.newer;
      }
    }
  };

  void restart(ring<Schedule>& memory, std::size_t progress) {
    newest_ = &generations_in<Copies>(memory)[(progress + Copies - 1) % Copies];
  }
  view advance(std::size_t /*progress*/) {
    copies* const before = newest_;
    newest_ = before->links.newer;
    return {newest_, before, newest_->links.newer};
  }
  view now(std::size_t /*progress*/) const {
    return {newest_, newest_->links.older, newest_->links.newer};
  }

 private:
  copies* newest_ = nullptr;
};

template <class Schedule, bool Followed>
class ring_cursor<Schedule, 1, Followed> {
 public:
  struct view {
    template <std::size_t Lag>
    ring_row<Schedule, 1>& at(ring<Schedule>& memory) const {
      return generations_in<1>(memory)[0];
    }
  };
  void restart(ring<Schedule>&, std::size_t) {}
  view advance(std::size_t) { return {}; }
  view now(std::size_t) const { return {}; }
};

/// What a progress sees of copies that are counted.
template <class Schedule, std::size_t Copies>
struct counted_copies {
  std::size_t newest;

  template <std::size_t Lag>
  [[gnu::always_inline]] ring_row<Schedule, Copies>& at(ring<Schedule>& memory) const {
    constexpr std::size_t back = Lag % Copies;
    if constexpr (back == 0) {
      return generations_in<Copies>(memory)[newest];
    } else {
      return generations_in<Copies>(
          memory)[newest >= back ? newest - back : newest + (Copies - back)];
    }
  }
};

template <class Schedule, std::size_t Copies>
  requires(Copies > 1 && !links_copies<Schedule, Copies>)
class ring_cursor<Schedule, Copies, true> {
 public:
  using view = counted_copies<Schedule, Copies>;

  void restart(ring<Schedule>&, std::size_t progress) {
    newest_ = (progress + Copies - 1) % Copies;
  }
  view advance(std::size_t progress) {
    newest_ = newest_ + 1 == Copies ? 0 : newest_ + 1;
    return now(progress);
  }
  view now(std::size_t /*progress*/) const { return {newest_}; }

 private:
  std::size_t newest_ = Copies - 1;
};

template <class Schedule, std::size_t Copies>
  requires(Copies > 1)
class ring_cursor<Schedule, Copies, false> {
 public:
  using view = counted_copies<Schedule, Copies>;

  void restart(ring<Schedule>&, std::size_t) {}
  view advance(std::size_t progress) { return now(progress); }
  // Before progress 0, too, whose number is one less.
  view now(std::size_t progress) const { return {(progress + Copies) % Copies}; }
};

template <class Schedule, class Followed, std::size_t Copies>
using cursor_of = ring_cursor<Schedule, Copies, Followed::template has<Copies>>;

/// One progress, and where in the ring each batch's copies are at it.
template <class Schedule, class Followed, class Counts>
class moment_of;
template <class Schedule, class Followed, std::size_t... Copy>
class moment_of<Schedule, Followed, std::index_sequence<Copy...>>
    : cursor_of<Schedule, Followed, copy_counts<Schedule>::value[Copy]>::view... {
 public:
  explicit moment_of(
      std::size_t progress,
      typename cursor_of<Schedule, Followed, copy_counts<Schedule>::value[Copy]>::view... views)
      : cursor_of<Schedule, Followed, copy_counts<Schedule>::value[Copy]>::view(views)...,
        progress_(progress) {}

  std::size_t progress() const { return progress_; }

  /// What a node's signal says when it has run in this progress.
  std::uint32_t epoch() const { return epoch_of(progress_); }
  static std::uint32_t epoch_of(std::size_t progress) {
    return runner::first_epoch + static_cast<std::uint32_t>(progress + 1);
  }

  /// A slot's value for the batch that a task with this lag works on, or for the group that it is
  /// in. (Always inlined, as is what it calls: for a long chain GCC would make calls of them, one
  /// for each value that a task gets.)
  template <class Slot, std::size_t Lag>
  [[gnu::always_inline]] typename Slot::value_type& value(ring<Schedule>& memory) const {
    constexpr std::size_t slot = number_of_slot<Schedule, Slot>;
    constexpr std::size_t every = every_by_slot<Schedule>[slot];
    if constexpr (every > 1) {
      return value_in<Slot, copies_by_slot<Schedule>[slot]>(memory, (progress_ - Lag) / every);
    } else {
      return *reinterpret_cast<typename Slot::value_type*>(copy<slot, Lag>(memory));
    }
  }
  /// The copy that it lies in.
  template <std::size_t Slot, std::size_t Lag>
  [[gnu::always_inline]] std::byte* copy(ring<Schedule>& memory) const {
    const typename cursor_of<Schedule, Followed, copies_by_slot<Schedule>[Slot]>::view& found =
        *this;
    return found.template at<Lag>(memory).bytes + ring_layout<Schedule>::offsets[Slot];
  }

 private:
  std::size_t progress_;
};

/// How far a thread is.
template <class Schedule, class Followed, class Counts>
class position_of;
template <class Schedule, class Followed, std::size_t... Copy>
class position_of<Schedule, Followed, std::index_sequence<Copy...>>
    : cursor_of<Schedule, Followed, copy_counts<Schedule>::value[Copy]>... {
  template <std::size_t Index>
  using turned = cursor_of<Schedule, Followed, copy_counts<Schedule>::value[Index]>;

 public:
  using moment = moment_of<Schedule, Followed, std::index_sequence<Copy...>>;

  /// Before a progress of a run, in which the batch of that number is pulled.
  void restart([[maybe_unused]] ring<Schedule>& memory, std::size_t progress) {
    progress_ = progress - 1;
    (turned<Copy>::restart(memory, progress), ...);
  }

  moment advance() {
    ++progress_;
    return moment(progress_, turned<Copy>::advance(progress_)...);
  }

  /// Leaves progresses out: those of a thread's fellow workers.
  void skip(std::size_t progresses) {
    for (std::size_t i = 0; i < progresses; ++i) static_cast<void>(advance());
  }

  /// The progress advanced to last.
  moment now() const { return moment(progress_, turned<Copy>::now(progress_)...); }
  std::size_t progress() const { return progress_; }
  std::size_t next_progress() const { return progress_ + 1; }
  std::uint32_t epoch() const { return moment::epoch_of(progress_); }

 private:
  std::size_t progress_ = static_cast<std::size_t>(-1);
};

template <class Schedule, class Followed = all_followed>
using ring_position =
    position_of<Schedule, Followed, std::make_index_sequence<copy_counts<Schedule>::size>>;

}  // namespace stretto::typed::detail

namespace stretto {

/// How many bytes a pipeline holds for its slots, every copy and the cache lines around it counted;
/// not what slots own elsewhere. A constant: `static_assert(memory_bytes<training> < 1 << 20)`.
template <class Schedule>
inline constexpr std::size_t memory_bytes = sizeof(typed::detail::ring<Schedule>);

}  // namespace stretto
