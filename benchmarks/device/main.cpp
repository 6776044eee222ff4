// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One run of N batches of the 14-task pipeline on a device that does nothing, on the calling
// thread, for `valgrind --tool=callgrind` to count (figures.py): as Stretto plans it, as types and
// as values, and the same calls written by hand; then the same three with graphs of what tasks do.
// `calls` prints how many calls that have to do with events a progress makes.

#include <array>
#include <cstdio>
#include <cstdlib>
#include <stretto/device/backend.hpp>
#include <stretto/dynamic.hpp>
#include <stretto/from_types.hpp>
#include <stretto/stretto.hpp>
#include <string_view>
#include "../fourteen/by_hand.hpp"
#include "../fourteen/pipeline.hpp"
#include "../fourteen/source.hpp"
#include "noop_driver.hpp"

/// What the slots hold stays where it is, and only the device uses it.
template <>
inline constexpr bool stretto::stays<benchmarks::value> = true;

namespace {

using namespace benchmarks;
using driver = noop::driver;

/// Each task launches a kernel on its last slot, if it has one.
struct launching {
  template <int Task, class... Slot>
  [[gnu::always_inline]] static void task(const Slot&... slot) {
    const void* last = nullptr;
    ((last = &slot), ...);
    noop::launch(Task, last);
  }
  static void progressed() {}
};
using pipeline = fourteen<launching>;

[[noreturn, gnu::noinline, gnu::cold]] void fail() { std::abort(); }
[[gnu::always_inline]] inline void check(int status) {
  if (status != driver::success) [[unlikely]]
    fail();
}

/// Streams and events of the pipeline as one makes them by hand.
class made_by_hand {
 protected:
  made_by_hand() {
    for (void*& s : streams_) check(driver::create_stream(s, 0));
    for (void*& e : events_) check(driver::create_event(e));
  }

  enum { memcpy, data_dist, compute, prefetch, stream_count };
  enum {
    h2d,
    finish_shuffle,
    wait_input_dist = finish_shuffle + 2,
    prefetched,
    optimized,
    event_count
  };
  using in_flight = benchmarks::by_hand::in_flight;

  std::array<void*, stream_count> streams_{};
  std::array<void*, event_count> events_{};
  value pulled_ = 0;
  std::array<benchmarks::by_hand::batch, 3> ring_{};
};

/// Makes the pipeline's calls by hand, in its order and with its checks of what they return.
class calls_by_hand : made_by_hand {
 public:
  template <class Source>
  [[gnu::noinline]] void steady(Source& source) {
    in_flight at{&ring_[0], &ring_[1], &ring_[2]};
    for (std::size_t i = 2;; ++i) {
      check(driver::synchronize_event(events_[h2d]));
      if (!source(pulled_)) return;
      at.advance();
      launch<0>(&at.two_ahead->torchrec_ctx);
      check(driver::record(events_[h2d], streams_[memcpy]));
      launch<1>(&at.two_ahead->shuffle_handle);
      launch<2>(&at.two_ahead->shuffled_batch);
      check(driver::record(events_[finish_shuffle + i % 2], streams_[memcpy]));
      check(driver::wait(streams_[data_dist], events_[finish_shuffle + (i - 1) % 2]));
      launch<3>(&at.one_ahead->torchrec_ctx);
      launch<4>(nullptr);
      check(driver::record(events_[wait_input_dist], streams_[data_dist]));
      launch<5>(nullptr);
      launch<6>(&at.now->global_tokens);
      launch<7>(nullptr);
      launch<8>(&at.now->output);
      check(driver::wait(streams_[prefetch], events_[wait_input_dist]));
      launch<9>(nullptr);
      check(driver::record(events_[prefetched], streams_[prefetch]));
      check(driver::wait(streams_[compute], events_[prefetched]));
      launch<10>(&at.now->local_loss_sum);
      launch<11>(nullptr);
      launch<12>(&at.now->step_result);
      check(driver::record(events_[optimized], streams_[compute]));
      launch<13>(nullptr);
      check(driver::synchronize_event(events_[optimized]));
      noop::launch(14, &at.now->step_result);  // the user's
    }
  }

 private:
  template <int Task>
  [[gnu::always_inline]] void launch(const void* slot) {
    noop::launch(Task, slot);
    check(driver::last_error());
  }
};

/// The calls of a progress written by hand, with a graph of all streams in place of kernels: one
/// for each place in the turn of the batches and of the events that one of two progresses records.
class graphs_by_hand : made_by_hand {
 public:
  graphs_by_hand() {
    for (void*& graph : graphs_) noop::make(graph);
  }

  template <class Source>
  [[gnu::noinline]] void steady(Source& source) {
    in_flight at{&ring_[0], &ring_[1], &ring_[2]};
    for (std::size_t place = 0;; place = place + 1 == graphs_.size() ? 0 : place + 1) {
      check(driver::synchronize_event(events_[h2d]));
      if (!source(pulled_)) return;
      at.advance();
      check(driver::launch(graphs_[place], streams_[compute]));
      check(driver::record(events_[h2d], streams_[compute]));
      check(driver::record(events_[optimized], streams_[compute]));
      check(driver::synchronize_event(events_[optimized]));
      noop::launch(14, &at.now->step_result);  // the user's
    }
  }

 private:
  std::array<void*, 6> graphs_{};
};

template <bool Replays>
[[gnu::noinline]] void with_stretto(std::size_t batches) {
  st::pipeline<pipeline::sequential, st::device::backend<driver, Replays>> sequential;
  for (value& r : sequential.run(counted(batches))) noop::launch(14, &r);
}

template <bool Replays>
[[gnu::noinline]] void with_values(std::size_t batches) {
  using on_device = st::device::backend<driver, Replays>;
  st::dynamic::pipeline<on_device> sequential(
      st::dynamic::from_types<pipeline::sequential, on_device>());
  for (const st::dynamic::result& r : sequential.template run<value>(counted(batches)))
    noop::launch(14, &r.get<value>());
}

template <class ByHand>
void by_hand_with(std::size_t batches) {
  counted source(batches);
  ByHand().steady(source);
}

int print_calls() {
  using order = st::device::ordering<pipeline::sequential>;
  constexpr auto& plan = st::plan_of<pipeline::sequential>;
  std::size_t records = 0;
  for (std::size_t n = 0; n < order::nodes; ++n) records += order::event_count[n] > 0 ? 1U : 0U;
  std::printf("%zu\n", plan.streams.size() + order::blocking_waits.size() + records);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  const std::string_view variant = argc > 1 ? argv[1] : "";
  if (variant == "calls") return print_calls();
  if (argc == 3) {
    const std::size_t batches = std::strtoul(argv[2], nullptr, 10);
    if (variant == "by_hand") return by_hand_with<calls_by_hand>(batches), 0;
    if (variant == "stretto") return with_stretto<false>(batches), 0;
    if (variant == "values") return with_values<false>(batches), 0;
    if (variant == "graphs_by_hand") return by_hand_with<graphs_by_hand>(batches), 0;
    if (variant == "graphs") return with_stretto<true>(batches), 0;
    if (variant == "graphs_of_values") return with_values<true>(batches), 0;
  }
  std::fputs(
      "usage: device by_hand|stretto|values|graphs_by_hand|graphs|graphs_of_values BATCHES, or "
      "device calls\n",
      stderr);
  return 2;
}
