// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <array>
#include <cstddef>
#include <stretto/device/driver.hpp>
#include <stretto/device/error.hpp>
#include <stretto/device/launches.hpp>
#include <stretto/device/ordering.hpp>
#include <stretto/plan/model/edge.hpp>
#include <stretto/static/query/plan_of.hpp>
#include <type_traits>
#include <utility>

namespace stretto::device::detail {

/// How bodies are called and captured whose graph spans streams (see `one_stream`), and what is
/// around its launch. `Node` are those of the graph, `Binding` is what a pipeline of `Schedule`
/// holds of the device.
template <class Binding, class Schedule, class Driver, std::size_t... Node>
class across_streams {
  static constexpr const auto& plan = plan_of<Schedule>;
  using order = ordering<Schedule>;
  using launched = launches<Schedule, Driver>;
  static constexpr std::array<std::size_t, sizeof...(Node)> all{Node...};
  static constexpr std::size_t thread = plan.thread_of[all[0]];

 public:
  /// The stream on which the graph is launched.
  static constexpr std::size_t origin = launched::grouped.launch_stream(all[0]);

  across_streams(Binding& device, std::size_t progress) : device_(device), progress_(progress) {}

  /// Calls the bodies, the i-th by `call_body(i, before, captured)`, with `before()` right before
  /// it.
  template <class Call>
  void call(Call& call_body) {
    device_.streams_after_launches(thread);
    each([&](auto index, auto node) {
      constexpr std::size_t n = decltype(node)::value;
      call_body(
          index, [this] { device_.template before<n>(progress_); }, false);
      device_.template after<n>(progress_);
    });
  }
  template <class Call>
  void capture(Call& call_body) {
    device_.marks_.fork(all[0]);
    each([&](auto index, auto node) {
      constexpr std::size_t n = decltype(node)::value;
      const auto before = [this] {
        if (device_.on_several_)
          device_.use_device(thread, device_.handles_.streams[order::stream_of[n]].device);
        device_.marks_.before_captured(n);
      };
      call_body(index, before, true);
      device_.marks_.after_captured(n);
    });
    device_.marks_.have_whole(all[0]);
  }
  void join() noexcept { device_.marks_.join(all[0]); }
  void before_launch() {
    if (device_.on_several_) device_.use_device(thread, device_.handles_.streams[origin].device);
    device_.marks_.launches_after_streams(thread);
    before_next_launch();
  }
  void after_launch() { (record_after_launch<Node>(device_.on_several_), ...); }
  /// With one device there is no more around a launch that follows another one.
  bool may_only_launch() const { return !device_.on_several_; }
  [[gnu::always_inline]] void before_next_launch() {
    (wait_before_launch<Node>(
         std::make_index_sequence<plan.streams.of[Node].last - plan.streams.of[Node].first>{}),
     ...);
  }
  [[gnu::always_inline]] void after_next_launch() { (record_after_launch<Node>(false), ...); }

 private:
  template <class Use>
  static void each(Use use) {
    [&]<std::size_t... Index>(std::index_sequence<Index...>) {
      (use(std::integral_constant<std::size_t, Index>{},
           std::integral_constant<std::size_t, Node>{}),
       ...);
    }(std::make_index_sequence<sizeof...(Node)>{});
  }

  template <std::size_t Waiting, std::size_t... Index>
  [[gnu::always_inline]] void wait_before_launch(std::index_sequence<Index...>) {
    (wait_before_launch_for<plan.streams.of[Waiting].first + Index>(), ...);
  }
  template <std::size_t Wait>
  [[gnu::always_inline]] void wait_before_launch_for() {
    if constexpr (launched::grouped.is_before_launch(plan.streams.edges[Wait]))
      shared::checked<Driver>(
          call::wait, device_.driver_.wait(device_.streams_[origin],
                                           device_.template event_awaited<Wait>(progress_)));
  }

  /// Records what others wait for of a node. Behind the launch, and not by a node of the graph:
  /// that a wait called right after a launch is for what the launch will record is said nowhere,
  /// and not so everywhere.
  template <std::size_t Awaited>
  [[gnu::always_inline]] void record_after_launch([[maybe_unused]] bool on_several) {
    if constexpr (launched::grouped.is_awaited_outside(Awaited)) {
      constexpr std::size_t own = order::stream_of[Awaited];
      const typename Driver::event e = device_.events_[order::event(Awaited, progress_)];
      if (own != origin && on_several) {  // an event is of its stream's device
        shared::checked<Driver>(call::record, device_.marks_.mark(origin));
        shared::checked<Driver>(call::wait, device_.marks_.come_after(own, origin));
        shared::checked<Driver>(call::record, device_.driver_.record(e, device_.streams_[own]));
      } else {
        shared::checked<Driver>(call::record, device_.driver_.record(e, device_.streams_[origin]));
      }
    }
  }

  Binding& device_;
  std::size_t progress_;
};

/// What `graphs` asks of how bodies are called: those of an `across_streams`, by `Call`.
template <class Across, class Call>
struct calls_across {
  void call() { across.call(call_body); }
  void capture() { across.capture(call_body); }
  void join() noexcept { across.join(); }
  void before_launch() { across.before_launch(); }
  void after_launch() { across.after_launch(); }
  bool may_only_launch() const { return across.may_only_launch(); }

  Across across;
  Call call_body;
};

}  // namespace stretto::device::detail
