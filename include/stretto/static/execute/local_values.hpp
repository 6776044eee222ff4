// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <array>
#include <cstddef>
#include <stretto/declare/pack.hpp>
#include <stretto/plan/model/declaration.hpp>
#include <stretto/static/execute/ring.hpp>
#include <stretto/static/query/plan_of.hpp>
#include <type_traits>
#include <utility>

namespace stretto::typed::detail {

/// Whether values are copied by their bytes and, as arguments, passed in registers.
template <class Value>
inline constexpr bool is_small =
    std::is_trivially_copyable_v<Value> && std::is_trivially_copy_constructible_v<Value> &&
    std::is_trivially_copy_assignable_v<Value> && sizeof(Value) <= 2 * sizeof(void*);

/// How many values of slots with several copies a loop has to itself: as many as find registers.
/// More would be moved in memory, from batch to batch.
inline constexpr std::size_t most_moved = 8;

/// What is asked of a slot's type here.
struct local_type {
  bool is_small;
  bool has_no_address;  ///< it cannot refer to another value
};
template <class Value>
inline constexpr local_type local_type_of = {is_small<Value>,
                                             std::is_arithmetic_v<Value> || std::is_enum_v<Value>};

/// Whether a slot is referred to: by slots that point into it, or by tasks that look back.
constexpr bool is_referred_to(const planner::declaration& d, const name& slot) {
  for (const planner::pointing& p : d.points)
    if (p.into == slot) return true;
  for (const planner::task& t : d.tasks)
    for (const planner::access& a : t.reads)
      if (a.slot == slot && a.ago > 0) return true;
  return false;
}

/// Whether a task that has a value of a slot fills another one that may refer to it: then it has to
/// stay where it is from progress to progress.
template <std::size_t Slots>
constexpr bool may_be_pointed_at(const planner::declaration& d,
                                 const std::array<name, Slots>& names,
                                 const std::array<local_type, Slots>& types, std::size_t slot) {
  for (const planner::task& t : d.tasks) {
    bool has = false;
    for (const planner::access& a : t.reads) has = has || a.slot == names[slot];
    for (const planner::access& a : t.writes) has = has || a.slot == names[slot];
    if (!has) continue;
    for (const planner::access& a : t.writes)
      for (std::size_t other = 0; other < Slots; ++other)
        if (other != slot && names[other] == a.slot && !types[other].has_no_address) return true;
  }
  return false;
}

template <class Schedule, class... Slot>
constexpr auto choose_local_copies(pack<Slot...>) {
  constexpr auto& plan = plan_of<Schedule>;
  const std::array<local_type, sizeof...(Slot)> types{local_type_of<typename Slot::value_type>...};
  std::array<std::size_t, sizeof...(Slot)> copies{};
  std::size_t moved = 0;
  for (std::size_t s = 0; s < copies.size(); ++s) {
    const planner::declaration& d = declared<Schedule>::value;
    if (!types[s].is_small || is_referred_to(d, plan.slot_list[s])) continue;
    if (values_in_copy<Schedule>(s) > 1) continue;
    if (plan.copies[s] > 1) {
      if (moved + plan.copies[s] > most_moved) continue;
      if (may_be_pointed_at(d, plan.slot_list, types, s)) continue;
      moved += plan.copies[s];
    }
    copies[s] = plan.copies[s];
  }
  return copies;
}

/// Whose values a loop on the calling thread has to itself while it runs, like variables of its
/// own, so that the compiler keeps them in registers: by slot, how many copies; 0: the values stay
/// in the ring.
template <class Schedule>
inline constexpr auto local_copies =
    choose_local_copies<Schedule>(typename slots_of<Schedule>::type{});

/// A slot's values, by the lag of who works on them.
template <class Slot, std::size_t Copies>
class local_value {
  using value_type = typename Slot::value_type;

 public:
  /// Those in the ring at a progress.
  template <class Moment, class Memory>
  [[gnu::always_inline]] local_value(const Moment& at, Memory& memory)
      : local_value(at, memory, std::make_index_sequence<Copies>{}) {}

  [[gnu::always_inline]] value_type& at(std::size_t lag) { return by_lag_[lag % Copies]; }

  /// The next batch has the place of the oldest one, and finds there what that has left.
  [[gnu::always_inline]] void advance() {
    if constexpr (Copies > 1) move_on(std::make_index_sequence<Copies - 1>{});
  }
  /// Back to the ring, at a progress.
  template <class Moment, class Memory>
  [[gnu::always_inline]] void put_back(const Moment& at, Memory& memory) const {
    put_back(at, memory, std::make_index_sequence<Copies>{});
  }

 private:
  template <class Moment, class Memory, std::size_t... Lag>
  [[gnu::always_inline]] local_value(const Moment& at, Memory& memory, std::index_sequence<Lag...>)
      : by_lag_{at.template value<Slot, Lag>(memory)...} {}
  // Not a loop, which compilers take for a move of memory.
  template <std::size_t... Back>
  [[gnu::always_inline]] void move_on(std::index_sequence<Back...>) {
    const value_type oldest = by_lag_[Copies - 1];
    ((by_lag_[Copies - 1 - Back] = by_lag_[Copies - 2 - Back]), ...);
    by_lag_[0] = oldest;
  }
  template <class Moment, class Memory, std::size_t... Lag>
  [[gnu::always_inline]] void put_back(const Moment& at, Memory& memory,
                                       std::index_sequence<Lag...>) const {
    ((at.template value<Slot, Lag>(memory) = by_lag_[Lag]), ...);
  }

  value_type by_lag_[Copies];  // NOLINT(modernize-avoid-c-arrays): see signals
};
/// Of a slot whose values stay in the ring.
template <class Slot>
class local_value<Slot, 0> {
 public:
  template <class Moment, class Memory>
  local_value(const Moment&, Memory&) {}
  void advance() {}
  template <class Moment, class Memory>
  void put_back(const Moment&, Memory&) const {}
};

/// The values that a loop has to itself, of the batches in flight at a progress.
template <class Schedule, class Slots = typename slots_of<Schedule>::type,
          class Numbers = std::make_index_sequence<Slots::size>>
class local_values;
template <class Schedule, class... Slot, std::size_t... Number>
class local_values<Schedule, pack<Slot...>, std::index_sequence<Number...>>
    : local_value<Slot, local_copies<Schedule>[Number]>... {
 public:
  template <class Moment>
  [[gnu::always_inline]] local_values(const Moment& at, ring<Schedule>& memory)
      : local_value<Slot, local_copies<Schedule>[Number]>(at, memory)... {}

  [[gnu::always_inline]] void advance() {
    (local_value<Slot, local_copies<Schedule>[Number]>::advance(), ...);
  }
  template <class Moment>
  [[gnu::always_inline]] void put_back(const Moment& at, ring<Schedule>& memory) const {
    (local_value<Slot, local_copies<Schedule>[Number]>::put_back(at, memory), ...);
  }

  template <class Of>
  static constexpr bool has = local_copies<Schedule>[number_of_slot<Schedule, Of>] > 0;
  template <class Of, std::size_t Lag>
  typename Of::value_type& at() {
    constexpr std::size_t copies = local_copies<Schedule>[number_of_slot<Schedule, Of>];
    local_value<Of, copies>& values = *this;
    return values.at(Lag);
  }
};

}  // namespace stretto::typed::detail
