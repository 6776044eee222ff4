// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <array>
#include <cstddef>
#include <stretto/device/capture.hpp>
#include <stretto/device/driver.hpp>
#include <stretto/device/error.hpp>
#include <stretto/device/graphs_in_turn.hpp>
#include <stretto/device/grouping.hpp>
#include <stretto/device/launches.hpp>
#include <stretto/device/obstacle.hpp>
#include <stretto/device/ordering.hpp>
#include <stretto/static/query/plan_of.hpp>
#include <string>
#include <vector>

namespace stretto::device::detail {

/// The graphs of a pipeline. Tasks that are captured together are known by the first of them.
template <class Schedule, class Driver>
class graphs {
  static constexpr const auto& plan = plan_of<Schedule>;

 public:
  using captured = capture<Schedule, Driver>;
  using grouped = launches<Schedule, Driver>;

  explicit graphs(const Driver& driver) : driver_(driver) {}
  graphs(const graphs&) = delete;
  graphs& operator=(const graphs&) = delete;
  ~graphs() { forget(); }

  /// Destroys all graphs, while no run is on: what is replayed is captured anew.
  void forget() {
    for (graphs_in_turn<Driver>& g : by_first_) g.forget(driver_);
  }

  /// Launches on \p stream the graph whose turn it is of those that begin with node `First`, with
  /// what \p how has around it, if no more than that is to be done. Whether it has.
  template <std::size_t First, class How>
  [[gnu::always_inline]] bool launch_next(typename Driver::stream stream, How how) {
    graphs_in_turn<Driver>& mine = by_first_[First];
    if (!mine.only_launches()) [[unlikely]]
      return false;
    const typename Driver::executable next = mine.take_next();
    how.before_next_launch();
    shared::checked<Driver>(call::launch, driver_.launch(next, stream));
    how.after_next_launch();
    return true;
  }
  /// Has a thread's launches looked at one by one again: something comes between two of them.
  void interrupt(std::size_t thread) {
    for (std::size_t n = 0; n < plan.nodes; ++n)
      if (plan.thread_of[n] == thread) by_first_[n].interrupt();
  }

  /// Has the device do what the bodies of the nodes `First` and `More` put on streams: see
  /// `graphs_in_turn`.
  template <std::size_t First, std::size_t... More, class How>
  void replay(std::size_t progress, typename Driver::stream stream, bool ready, How how) {
    constexpr std::size_t turn = grouped::template turn<First, More...>;
    constexpr std::size_t complete = captured::template complete_from<First, More...>;
    if constexpr (complete > 0)
      if (progress < complete) return how.call();
    by_first_[First].replay(driver_, turn, progress % turn, stream, ready, how);
  }

  /// The tasks that are called each time, as far as is known: what the runtime does not let be
  /// captured shows in the first steady progresses. While no run is on.
  std::vector<uncaptured> left_out() const {
    std::vector<uncaptured> all;
    for (std::size_t n = 0; n < plan.tasks; ++n) {
      if (captured::obstacles[n] != obstacle::none) {
        all.push_back(uncaptured{plan.names[n], std::string(reason_of(captured::obstacles[n]))});
      } else if (const auto& first = by_first_[grouped::chosen.first[n]];
                 !first.refusal().empty()) {
        all.push_back(uncaptured{plan.names[n], first.refusal()});
      }
    }
    return all;
  }
  /// What is launched in a steady progress when all is captured, in the order of each thread.
  static std::vector<launch_group> each_launch() {
    std::vector<launch_group> all;
    for (std::size_t t = 0; t < plan.threads; ++t)
      for (std::size_t i = plan.chains[t].first; i < plan.chains[t].last; ++i) {
        const std::size_t n = plan.chained[i];
        if (grouped::chosen.first[n] == grouped::none) continue;
        if (grouped::chosen.first[n] == n)
          all.push_back({{},
                         ordering<Schedule>::stream_name(grouped::grouped.launch_stream(n)),
                         reason_of(grouped::chosen.choice[t])});
        all.back().tasks.push_back(plan.names[n]);
      }
    return all;
  }
  /// How many graphs there are.
  std::size_t size() const {
    std::size_t made = 0;
    for (const graphs_in_turn<Driver>& g : by_first_) made += g.size();
    return made;
  }

 private:
  [[no_unique_address]] Driver driver_;
  std::array<graphs_in_turn<Driver>, plan.nodes> by_first_{};
};

/// What is around the launch of a graph of one stream when it is launched again and again.
struct launches_only {
  static void before_next_launch() {}
  static void after_next_launch() {}
};

}  // namespace stretto::device::detail
