// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Random schedules with random roles, each played by one rank or several: every task gives on every
// batch what it gives where one rank of each lane has all tasks, one batch after the other. In both
// versions.
#include <doctest/doctest.h>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <stretto/local.hpp>
#include <stretto/stretto.hpp>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>
#include "../support/tested.hpp"
#include "ranks.hpp"

namespace st = stretto;
namespace local = stretto::local;

namespace {

constexpr std::size_t tasks = 6;
constexpr std::size_t role_count = 3;
constexpr int batches = 24;

/// What is drawn: tasks in the order in which each uses what earlier ones have written.
struct drawn {
  std::array<std::size_t, tasks> role{};
  std::array<std::size_t, tasks> thread{};
  std::array<std::size_t, tasks> net{};  ///< the thread of the transfer behind it
  std::array<int, tasks> ahead{};
  std::array<std::array<bool, tasks>, tasks> reads{};
  std::size_t lanes = 1;                 ///< ranks of each role
  std::array<bool, tasks> collective{};  ///< among them
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
  return d;
}
template <std::uint64_t Seed>
constexpr drawn of = draw(Seed);

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

struct number : st::slot<std::uint64_t> {};
template <std::uint64_t Seed, std::size_t Task>
struct value : st::slot<std::vector<std::uint64_t>> {};

template <std::uint64_t Seed, std::size_t Task, class = std::make_index_sequence<Task>>
struct reads_of;
template <std::uint64_t Seed, std::size_t Task, std::size_t... Earlier>
struct reads_of<Seed, Task, std::index_sequence<Earlier...>> {
  template <class... Slot>
  static auto listed(st::pack<Slot...>) -> st::reads<Slot...>;
  template <class... Pack>
  struct joined : std::type_identity<st::pack<>> {};
  template <class... First, class... Rest>
  struct joined<st::pack<First...>, Rest...>
      : st::declare::joined<st::pack<First...>, typename joined<Rest...>::type> {};
  using type = decltype(listed(
      typename joined<std::conditional_t<of<Seed>.reads[Task][Earlier],
                                         st::pack<value<Seed, Earlier>>, st::pack<>>...>::type{}));
};
template <std::uint64_t Seed>
struct reads_of<Seed, 0, std::index_sequence<>> {
  using type = st::reads<number>;
};

/// Collective if its task is, so that its context has other ranks.
template <bool Together>
struct together {
  static constexpr bool collective = true;
  template <class Context>
  static std::uint64_t sum(Context& ctx, std::uint64_t own) {
    return ctx.all_reduced(own) * ctx.ranks() + ctx.rank();
  }
};
template <>
struct together<false> {
  template <class Context>
  static std::uint64_t sum(Context& /*ctx*/, std::uint64_t own) {
    return own;
  }
};

/// Where one rank of each lane has all tasks they have no role.
template <std::uint64_t Seed, std::size_t Task, bool Alone>
struct place_of {
  using role = typename role_numbered<of<Seed>.role[Task]>::type;
};
template <std::uint64_t Seed, std::size_t Task>
struct place_of<Seed, Task, true> {};

template <std::uint64_t Seed, std::size_t Task, bool Alone = false>
struct work : place_of<Seed, Task, Alone>, together<of<Seed>.collective[Task]> {
  using thread = thread_numbered<of<Seed>.thread[Task]>;
  static constexpr int lookahead = of<Seed>.ahead[Task];
  using reads = typename reads_of<Seed, Task>::type;
  using writes = st::writes<value<Seed, Task>>;

  std::vector<std::vector<std::uint64_t>>* told = nullptr;
  std::uint64_t state = Task;

  void take(std::uint64_t in) { state = (state ^ in) * 1099511628211U; }
  void take(const std::vector<std::uint64_t>& in) {
    for (const std::uint64_t i : in) take(i);
  }
  void operator()(st::context auto& ctx, std::uint64_t in, std::vector<std::uint64_t>& out) {
    take(in);
    tell(ctx, out);
  }
  void operator()(st::context auto& ctx, const std::vector<std::uint64_t>& in,
                  std::vector<std::uint64_t>& out) {
    take(in);
    tell(ctx, out);
  }
  void operator()(st::context auto& ctx, const std::vector<std::uint64_t>& one,
                  const std::vector<std::uint64_t>& other, std::vector<std::uint64_t>& out) {
    take(one);
    take(other);
    tell(ctx, out);
  }
  template <class Context>
  void tell(Context& ctx, std::vector<std::uint64_t>& out) {
    state = work::sum(ctx, state);
    out.assign(static_cast<std::size_t>(state % 4), state);
    out.push_back(state);
    if (told != nullptr) told->push_back(out);
  }
};

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
template <std::uint64_t Seed, std::size_t Task>
struct carry
    : decltype(transfer_between<value<Seed, Task>, of<Seed>.role[Task], needed<Seed, Task>[0],
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

template <std::uint64_t Seed, class = std::make_index_sequence<tasks>>
struct random_job;
template <std::uint64_t Seed, std::size_t... Task>
struct random_job<Seed, std::index_sequence<Task...>>
    : as_schedule<
          st::pack<st::source<number>>, st::pack<st::result<value<Seed, tasks - 1>>>,
          st::pack<work<Seed, Task>>...,
          std::conditional_t<is_sent<Seed, Task>, st::pack<carry<Seed, Task>>, st::pack<>>...> {};

/// The tasks alone, all of them on each rank of a lane.
template <std::uint64_t Seed, class = std::make_index_sequence<tasks>>
struct job_alone;
template <std::uint64_t Seed, std::size_t... Task>
struct job_alone<Seed, std::index_sequence<Task...>>
    : st::schedule<st::source<number>, st::result<value<Seed, tasks - 1>>,
                   work<Seed, Task, true>...> {};

using all_told = std::array<std::vector<std::vector<std::uint64_t>>, tasks>;

auto numbers(std::size_t lane) {
  return [next = 0, lane]() mutable -> std::optional<std::uint64_t> {
    if (next == batches) return std::nullopt;
    return static_cast<std::uint64_t>(next++) * 7 + 1 + 1000 * lane;
  };
}

template <class Pipeline, class Source, class... Object>
std::size_t run(Source source, Object&&... objects) {
  Pipeline pipeline(std::forward<Object>(objects)...);
  std::size_t seen = 0;
  for ([[maybe_unused]] const auto& result : pipeline.run(source)) ++seen;
  return seen;
}

template <std::uint64_t Seed, std::size_t Number, std::size_t... Task>
void play(local::ranks& there, std::size_t rank, std::size_t lane, all_told& told,
          std::index_sequence<Task...>) {
  using part =
      st::projection<random_job<Seed>, st::fixed_string<role_numbered<Number>::type::value.size() +
                                                        1>(role_numbered<Number>::type::value)>;
  using pipeline = tested::pipeline<part, local::collectives>;
  const auto with = [&](auto&&... own) {
    const local::rank here(there, rank, std::chrono::minutes(2));
    if constexpr (of<Seed>.role[0] == Number) {
      CHECK(run<pipeline>(numbers(lane), here, own...) == batches);
    } else {
      CHECK(run<pipeline>(st::follow(), here, own...) == batches);
    }
  };
  const auto objects = [&]<std::size_t One>(std::integral_constant<std::size_t, One>) {
    if constexpr (of<Seed>.role[One] == Number) {
      return std::tuple<work<Seed, One>>(work<Seed, One>{{}, {}, &told[One]});
    } else {
      return std::tuple<>();
    }
  };
  std::apply(with, std::tuple_cat(objects(std::integral_constant<std::size_t, Task>())...));
}

template <std::uint64_t Seed>
void compare() {
  CAPTURE(Seed);
  const auto all = std::make_index_sequence<tasks>();
  constexpr std::size_t lanes = of<Seed>.lanes;
  std::vector<all_told> expected(lanes);
  std::vector<all_told> told(lanes);
  local::ranks with_all_tasks(lanes);
  ranks::each(lanes, [&](std::size_t lane) {
    [&]<std::size_t... Task>(std::index_sequence<Task...>) {
      using pipeline = tested::pipeline<st::serial<job_alone<Seed>>, local::collectives>;
      CHECK(run<pipeline>(numbers(lane), local::rank(with_all_tasks, lane, std::chrono::minutes(2)),
                          work<Seed, Task, true>{{}, {}, &expected[lane][Task]}...) == batches);
    }(all);
  });
  local::ranks there(role_count * lanes);
  ranks::each(role_count * lanes, [&](std::size_t rank) {
    // Roles after each other, or in turn.
    const std::size_t lane = Seed % 2 == 0 ? rank % lanes : rank / role_count;
    const std::size_t role = Seed % 2 == 0 ? rank / lanes : rank % role_count;
    if (role == 0) play<Seed, 0>(there, rank, lane, told[lane], all);
    if (role == 1) play<Seed, 1>(there, rank, lane, told[lane], all);
    if (role == 2) play<Seed, 2>(there, rank, lane, told[lane], all);
  });
  CHECK(told == expected);
}

}  // namespace

TEST_CASE("random schedules with random roles compute what one rank would") {
  []<std::uint64_t... Seed>(std::integer_sequence<std::uint64_t, Seed...>) {
    (compare<STRETTO_FIRST_SEED + Seed>(), ...);
  }(std::make_integer_sequence<std::uint64_t, 4>());
}
