// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Random schedules with random roles on devices, in both versions. The network finds ranks that
// wait for each other in what they put on streams, where a send is done when it is received; and
// each task gives on every batch what it gives where the tasks are done one after the other.
#include "../support/random_roles.hpp"
#include <doctest/doctest.h>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>
#include "../support/tested.hpp"
#include "cluster.hpp"

namespace {

using namespace random_roles;
namespace recording = stretto::testing::recording;
namespace wire = stretto::testing::recording_nccl;
using cluster::driver;
using word = st::device::array<std::uint64_t, 1, driver>;
using pinned_word = st::device::pinned_array<std::uint64_t, 1, driver>;

constexpr std::size_t batches = 16;

struct slots_of_device {
  struct number : st::slot<pinned_word> {};
  template <std::uint64_t Seed, std::size_t Task>
  struct value : st::slot<word> {};
};
template <std::size_t Number>
using stream_numbered =
    std::conditional_t<Number == 0, st::stream<"zero">,
                       std::conditional_t<Number == 1, st::stream<"one">, st::stream<"two">>>;

void mix(std::uint64_t& state, std::uint64_t in) { state = (state ^ in) * 1099511628211U; }

/// Collective if its task is, so that its context has other ranks.
template <bool Together>
struct together {
  static constexpr bool collective = true;
};
template <>
struct together<false> {};

template <std::uint64_t Seed, std::size_t Task>
struct work : place_of<Seed, Task, false>, together<of<Seed>.collective[Task]> {
  using thread = thread_numbered<of<Seed>.thread[Task]>;
  using stream = stream_numbered<of<Seed>.stream[Task]>;
  static constexpr int lookahead = of<Seed>.ahead[Task];
  using reads = typename reads_of<slots_of_device, Seed, Task>::type;
  using writes = st::writes<typename slots_of_device::value<Seed, Task>>;

  std::vector<std::uint64_t>* told = nullptr;
  std::shared_ptr<std::uint64_t> state = std::make_shared<std::uint64_t>(Task);

  void operator()(st::context auto& ctx, const pinned_word& in, word& out) const {
    put(ctx, out, in);
  }
  void operator()(st::context auto& ctx, const word& in, word& out) const { put(ctx, out, in); }
  void operator()(st::context auto& ctx, const word& one, const word& other, word& out) const {
    put(ctx, out, one, other);
  }
  template <class Context, class... In>
  void put(Context& ctx, word& out, const In&... in) const {
    constexpr std::size_t bytes = sizeof(std::uint64_t);
    ctx.driver().enqueue(
        ctx.stream(),
        [to = out.data(), state = state, ... from = in.data()] {
          (mix(*state, *from), ...);
          *to = *state;
        },
        "mix", {recording::reads(in.data(), bytes)..., recording::writes(out.data(), bytes)});
    if constexpr (of<Seed>.collective[Task]) ctx.all_reduce(out.data(), 1);
    if (told != nullptr)
      ctx.driver().enqueue(ctx.stream(),
                           [from = out.data(), told = told] { told->push_back(*from); }, "tell",
                           {recording::reads(out.data(), bytes)});
  }
};
/// On the stream of the task whose value it takes along.
template <std::uint64_t Seed, std::size_t Task>
struct carry_on_stream : carry<slots_of_device, Seed, Task> {
  using stream = stream_numbered<of<Seed>.stream[Task]>;
};

template <std::uint64_t Seed, class = each_task>
struct random_job;
template <std::uint64_t Seed, std::size_t... Task>
struct random_job<Seed, std::index_sequence<Task...>>
    : as_schedule<st::pack<st::source<slots_of_device::number>>, st::pack<st::result<>>,
                  st::pack<st::streams<"zero", "one", "two">>, st::pack<work<Seed, Task>>...,
                  std::conditional_t<is_sent<Seed, Task>, st::pack<carry_on_stream<Seed, Task>>,
                                     st::pack<>>...> {};

using all_told = std::array<std::vector<std::uint64_t>, tasks>;

/// What tasks give, by lane.
template <std::uint64_t Seed>
std::vector<all_told> one_after_the_other() {
  constexpr const drawn& d = of<Seed>;
  std::vector<all_told> told(d.lanes);
  std::vector<std::array<std::uint64_t, tasks>> states(d.lanes);
  for (auto& of_lane : states)
    for (std::size_t t = 0; t < tasks; ++t) of_lane[t] = t;
  for (std::size_t b = 0; b < batches; ++b)
    for (std::size_t t = 0; t < tasks; ++t) {
      std::uint64_t sum = 0;
      for (std::size_t lane = 0; lane < d.lanes; ++lane) {
        std::uint64_t& state = states[lane][t];
        if (t == 0) mix(state, number_of(b, lane));
        for (std::size_t earlier = 0; earlier < t; ++earlier)
          if (d.reads[t][earlier]) mix(state, told[lane][earlier][b]);
        sum += state;
      }
      for (std::size_t lane = 0; lane < d.lanes; ++lane)
        told[lane][t].push_back(d.collective[t] ? sum : states[lane][t]);
    }
  return told;
}

template <std::uint64_t Seed, std::size_t Role>
void play(cluster::machines& all, std::size_t rank, std::size_t lane, all_told& told) {
  using pipeline =
      tested::pipeline<part_of<random_job<Seed>, Role>, cluster::device, cluster::collectives>;
  with_tasks_of<Seed, Role>(
      [&]<std::size_t Task>(task_number<Task>) {
        return work<Seed, Task>{{}, {}, &told[Task]};
      },
      [&](const auto&... own) {
        const wire::library::config config{Seed % 3 == 0};
        pipeline p{own..., all.driver_of(rank), all.library_of(rank), cluster::patient,
                   cluster::communicators{
                       {"world", st::nccl::in_process(all.among_all, rank), nullptr, config}}};
        std::size_t seen = 0;
        const auto run = [&](auto source) {
          for ([[maybe_unused]] const auto& batch : p.run(source)) ++seen;
        };
        if constexpr (of<Seed>.role[0] == Role) {
          std::size_t next = 0;
          run([&](pinned_word& into) {
            if (next == batches) return false;
            all.world(rank).host_writes(into.data(), sizeof(std::uint64_t));
            into[0] = number_of(next++, lane);
            return true;
          });
        } else {
          run(st::follow());
        }
        CHECK(seen == batches);
      });
}

template <std::uint64_t Seed>
void compare() {
  CAPTURE(Seed);
  constexpr std::size_t lanes = of<Seed>.lanes;
  cluster::machines all(role_count * lanes);
  all.net.connect_on_demand();
  if (Seed % 2 == 0) all.net.limit_residents(1);
  for (std::size_t r = 0; r < all.size(); ++r) all.world(r).jitter(static_cast<unsigned>(r + 1));
  std::vector<all_told> told(lanes);
  const std::vector<std::string> said = all.each([&](std::size_t rank) {
    const seat here = seat_of<Seed>(rank);
    with_role(here.role, [&]<std::size_t Role>(task_number<Role>) {
      play<Seed, Role>(all, rank, here.lane, told[here.lane]);
    });
  });
  for (const std::string& s : said) CHECK(s == "");
  for (const std::string& d : all.net.differences()) CHECK(d == "");
  all.check_clean();
  CHECK(told == one_after_the_other<Seed>());
}

}  // namespace

TEST_CASE("random schedules with random roles put nothing on streams that waits for itself") {
  []<std::uint64_t... Seed>(std::integer_sequence<std::uint64_t, Seed...>) {
    (compare<STRETTO_FIRST_SEED + Seed>(), ...);
  }(std::make_integer_sequence<std::uint64_t, 4>());
}
