// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <stretto/stretto.hpp>
#include <tuple>
#include <type_traits>
#include <utility>

/// Schedules with roles that are drawn. `Slots` of a test says what they are of: the slot `number`
/// of the source, and `value<Seed, Task>` that each task writes.
namespace random_roles {

namespace st = stretto;

inline constexpr std::size_t tasks = 6;
inline constexpr std::size_t role_count = 3;
using each_task = std::make_index_sequence<tasks>;
template <std::size_t Task>
using task_number = std::integral_constant<std::size_t, Task>;

/// What is drawn: tasks in the order in which each uses what earlier ones have written.
struct drawn {
  std::array<std::size_t, tasks> role{};
  std::array<std::size_t, tasks> thread{};
  std::array<std::size_t, tasks> net{};  ///< the thread of the transfer behind it
  std::array<int, tasks> ahead{};
  std::array<std::array<bool, tasks>, tasks> reads{};
  std::size_t lanes = 1;                 ///< ranks of each role
  std::array<bool, tasks> collective{};  ///< among them
  std::array<std::size_t, tasks> stream{};
};

constexpr drawn draw(std::uint64_t seed) {
  const auto next = [state = seed * 2 + 1](std::size_t below) mutable {
    for (int i = 0; i < 3; ++i) state = state * 6364136223846793005U + 1442695040888963407U;
    return static_cast<std::size_t>(state >> 33U) % below;
  };
  auto number = next;
  drawn d;
  for (std::size_t t = 0; t < tasks; ++t) {
    d.role[t] = t < role_count ? (t + seed) % role_count : number(role_count);
    d.thread[t] = number(3);
    d.net[t] = number(3);
    if (t > 0) d.reads[t][number(t)] = true;
    if (t > 0) d.reads[t][number(t)] = true;
  }
  for (std::size_t t = tasks - 1; t-- > 0;)
    d.ahead[t] = d.ahead[t + 1] + 1 + static_cast<int>(number(2));
  d.lanes = 1 + number(3);
  for (bool& together : d.collective) together = number(3) == 0;
  for (std::size_t& stream : d.stream) stream = number(3);
  return d;
}
template <std::uint64_t Seed>
constexpr drawn of = draw(Seed);

/// What a rank is: roles after each other, or in turn.
struct seat {
  std::size_t role;
  std::size_t lane;
};
template <std::uint64_t Seed>
seat seat_of(std::size_t rank) {
  constexpr std::size_t lanes = of<Seed>.lanes;
  return Seed % 2 == 0 ? seat{rank / lanes, rank % lanes}
                       : seat{rank % role_count, rank / role_count};
}
/// What the source has in a lane.
inline std::uint64_t number_of(std::size_t batch, std::size_t lane) {
  return batch * 7 + 1 + 1000 * lane;
}

template <std::size_t Number>
struct role_numbered;
template <>
struct role_numbered<0> : std::type_identity<st::role<"zero">> {};
template <>
struct role_numbered<1> : std::type_identity<st::role<"one">> {};
template <>
struct role_numbered<2> : std::type_identity<st::role<"two">> {};
template <std::size_t Number>
using thread_numbered =
    std::conditional_t<Number == 0, st::thread<"host">,
                       std::conditional_t<Number == 1, st::thread<"a">, st::thread<"b">>>;
template <class Schedule, std::size_t Number>
using part_of =
    st::projection<Schedule, st::fixed_string<role_numbered<Number>::type::value.size() + 1>(
                                 role_numbered<Number>::type::value)>;

template <class Slots, std::uint64_t Seed, std::size_t Task, class = std::make_index_sequence<Task>>
struct reads_of;
template <class Slots, std::uint64_t Seed, std::size_t Task, std::size_t... Earlier>
struct reads_of<Slots, Seed, Task, std::index_sequence<Earlier...>> {
  template <class... Slot>
  static auto listed(st::pack<Slot...>) -> st::reads<Slot...>;
  template <class... Pack>
  struct joined : std::type_identity<st::pack<>> {};
  template <class... First, class... Rest>
  struct joined<st::pack<First...>, Rest...>
      : st::declare::joined<st::pack<First...>, typename joined<Rest...>::type> {};
  using type = decltype(listed(
      typename joined<std::conditional_t<of<Seed>.reads[Task][Earlier],
                                         st::pack<typename Slots::template value<Seed, Earlier>>,
                                         st::pack<>>...>::type{}));
};
template <class Slots, std::uint64_t Seed>
struct reads_of<Slots, Seed, 0, std::index_sequence<>> {
  using type = st::reads<typename Slots::number>;
};

/// Where one rank of each lane has all tasks they have no role.
template <std::uint64_t Seed, std::size_t Task, bool Alone>
struct place_of {
  using role = typename role_numbered<of<Seed>.role[Task]>::type;
};
template <std::uint64_t Seed, std::size_t Task>
struct place_of<Seed, Task, true> {};

/// Who reads a task's value on other ranks.
template <std::uint64_t Seed, std::size_t Task>
constexpr std::array<bool, role_count> needed = [] {
  std::array<bool, role_count> roles{};
  for (std::size_t t = Task + 1; t < tasks; ++t)
    if (of<Seed>.reads[t][Task] && of<Seed>.role[t] != of<Seed>.role[Task])
      roles[of<Seed>.role[t]] = true;
  return roles;
}();

template <class Slot, std::size_t From, bool Zero, bool One, bool Two>
auto transfer_between() {
  constexpr auto from = [] {
    if constexpr (From == 0) return st::fixed_string("zero");
    if constexpr (From == 1) return st::fixed_string("one");
    if constexpr (From == 2) return st::fixed_string("two");
  }();
  if constexpr (Zero && One)
    return std::type_identity<st::transfer<Slot, from, "zero", "one">>();
  else if constexpr (Zero && Two)
    return std::type_identity<st::transfer<Slot, from, "zero", "two">>();
  else if constexpr (One && Two)
    return std::type_identity<st::transfer<Slot, from, "one", "two">>();
  else if constexpr (Zero)
    return std::type_identity<st::transfer<Slot, from, "zero">>();
  else if constexpr (One)
    return std::type_identity<st::transfer<Slot, from, "one">>();
  else
    return std::type_identity<st::transfer<Slot, from, "two">>();
}
/// What takes a task's value to them.
template <class Slots, std::uint64_t Seed, std::size_t Task>
struct carry : decltype(transfer_between<typename Slots::template value<Seed, Task>,
                                         of<Seed>.role[Task], needed<Seed, Task>[0],
                                         needed<Seed, Task>[1], needed<Seed, Task>[2]>())::type {
  using thread = thread_numbered<of<Seed>.net[Task]>;
  static constexpr int lookahead = of<Seed>.ahead[Task] - 1;
};
template <std::uint64_t Seed, std::size_t Task>
constexpr bool is_sent = needed<Seed, Task>[0] || needed<Seed, Task>[1] || needed<Seed, Task>[2];

template <class... Pack>
struct as_schedule;
template <class... Part>
struct as_schedule<st::pack<Part...>> : st::schedule<Part...> {};
template <class... Part, class... More, class... Rest>
struct as_schedule<st::pack<Part...>, st::pack<More...>, Rest...>
    : as_schedule<st::pack<Part..., More...>, Rest...> {};

/// Calls \p use with what \p make gives for each task of a role, given its `task_number`.
template <std::uint64_t Seed, std::size_t Role, class Make, class Use>
void with_tasks_of(const Make& make, const Use& use) {
  const auto made = [&]<std::size_t Task>(task_number<Task> number) {
    if constexpr (of<Seed>.role[Task] == Role) {
      return std::tuple(make(number));
    } else {
      return std::tuple<>();
    }
  };
  [&]<std::size_t... Task>(std::index_sequence<Task...>) {
    std::apply(use, std::tuple_cat(made(task_number<Task>())...));
  }(each_task());
}
/// Calls \p use with the `task_number` of a role.
template <class Use>
void with_role(std::size_t role, const Use& use) {
  if (role == 0) use(task_number<0>());
  if (role == 1) use(task_number<1>());
  if (role == 2) use(task_number<2>());
}

}  // namespace random_roles
