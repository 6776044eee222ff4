// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Random schedules with random roles, each played by one rank or several: every task gives on every
// batch what it gives where one rank of each lane has all tasks, one batch after the other. In both
// versions.
#include "../support/random_roles.hpp"
#include <doctest/doctest.h>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <stretto/local.hpp>
#include <stretto/stretto.hpp>
#include <type_traits>
#include <utility>
#include <vector>
#include "../support/tested.hpp"
#include "ranks.hpp"

namespace local = stretto::local;

namespace {

using namespace random_roles;

constexpr int batches = 24;

struct slots_of_host {
  struct number : st::slot<std::uint64_t> {};
  template <std::uint64_t Seed, std::size_t Task>
  struct value : st::slot<std::vector<std::uint64_t>> {};
};
using number = slots_of_host::number;
template <std::uint64_t Seed, std::size_t Task>
using value = slots_of_host::value<Seed, Task>;

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

template <std::uint64_t Seed, std::size_t Task, bool Alone = false>
struct work : place_of<Seed, Task, Alone>, together<of<Seed>.collective[Task]> {
  using thread = thread_numbered<of<Seed>.thread[Task]>;
  static constexpr int lookahead = of<Seed>.ahead[Task];
  using reads = typename reads_of<slots_of_host, Seed, Task>::type;
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

template <std::uint64_t Seed, class = each_task>
struct random_job;
template <std::uint64_t Seed, std::size_t... Task>
struct random_job<Seed, std::index_sequence<Task...>>
    : as_schedule<st::pack<st::source<number>>, st::pack<st::result<value<Seed, tasks - 1>>>,
                  st::pack<work<Seed, Task>>...,
                  std::conditional_t<is_sent<Seed, Task>,
                                     st::pack<carry<slots_of_host, Seed, Task>>, st::pack<>>...> {};

/// The tasks alone, all of them on each rank of a lane.
template <std::uint64_t Seed, class = each_task>
struct job_alone;
template <std::uint64_t Seed, std::size_t... Task>
struct job_alone<Seed, std::index_sequence<Task...>>
    : st::schedule<st::source<number>, st::result<value<Seed, tasks - 1>>,
                   work<Seed, Task, true>...> {};

using all_told = std::array<std::vector<std::vector<std::uint64_t>>, tasks>;

auto numbers(std::size_t lane) {
  return [next = std::size_t{0}, lane]() mutable -> std::optional<std::uint64_t> {
    if (next == batches) return std::nullopt;
    return number_of(next++, lane);
  };
}

template <class Pipeline, class Source, class... Object>
std::size_t run(Source source, Object&&... objects) {
  Pipeline pipeline(std::forward<Object>(objects)...);
  std::size_t seen = 0;
  for ([[maybe_unused]] const auto& result : pipeline.run(source)) ++seen;
  return seen;
}

template <std::uint64_t Seed, std::size_t Role>
void play(local::ranks& there, std::size_t rank, std::size_t lane, all_told& told) {
  using pipeline = tested::pipeline<part_of<random_job<Seed>, Role>, local::collectives>;
  with_tasks_of<Seed, Role>(
      [&]<std::size_t Task>(task_number<Task>) {
        return work<Seed, Task>{{}, {}, &told[Task]};
      },
      [&](const auto&... own) {
        const local::rank here(there, rank, tested::patience);
        if constexpr (of<Seed>.role[0] == Role) {
          CHECK(run<pipeline>(numbers(lane), here, own...) == batches);
        } else {
          CHECK(run<pipeline>(st::follow(), here, own...) == batches);
        }
      });
}

template <std::uint64_t Seed>
void compare() {
  CAPTURE(Seed);
  constexpr std::size_t lanes = of<Seed>.lanes;
  std::vector<all_told> expected(lanes);
  std::vector<all_told> told(lanes);
  local::ranks with_all_tasks(lanes);
  ranks::each(lanes, [&](std::size_t lane) {
    [&]<std::size_t... Task>(std::index_sequence<Task...>) {
      using pipeline = tested::pipeline<st::serial<job_alone<Seed>>, local::collectives>;
      CHECK(run<pipeline>(numbers(lane), local::rank(with_all_tasks, lane, tested::patience),
                          work<Seed, Task, true>{{}, {}, &expected[lane][Task]}...) == batches);
    }(each_task());
  });
  local::ranks there(role_count * lanes);
  ranks::each(role_count * lanes, [&](std::size_t rank) {
    const seat here = seat_of<Seed>(rank);
    with_role(here.role, [&]<std::size_t Role>(task_number<Role>) {
      play<Seed, Role>(there, rank, here.lane, told[here.lane]);
    });
  });
  CHECK(told == expected);
}

}  // namespace

TEST_CASE("random schedules with random roles compute what one rank would") {
  []<std::uint64_t... Seed>(std::integer_sequence<std::uint64_t, Seed...>) {
    (compare<STRETTO_FIRST_SEED + Seed>(), ...);
  }(std::make_integer_sequence<std::uint64_t, 4>());
}
