// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <array>
#include <cstddef>
#include <stretto/device/capture.hpp>
#include <stretto/device/grouping.hpp>
#include <stretto/device/ordering.hpp>
#include <stretto/plan/model/algorithm.hpp>
#include <stretto/plan/model/edge.hpp>
#include <stretto/plan/model/graph.hpp>
#include <stretto/static/query/plan_of.hpp>
#include <stretto/static/values/constant_plan.hpp>

namespace stretto::device::detail {

/// Which tasks of a schedule one launch of a graph does, as constants.
template <class Schedule, class Driver>
class launches {
  static constexpr const auto& plan = plan_of<Schedule>;
  using order = ordering<Schedule>;
  using captured = capture<Schedule, Driver>;
  static constexpr std::size_t nodes = order::nodes;
  template <class Value>
  using by_node = std::array<Value, nodes>;

 public:
  static constexpr std::size_t none = order::none;

 private:
  /// Above this a compiler would have too much to do.
  static constexpr std::size_t most_nodes = 66;

  static constexpr by_node<bool> can = [] {
    by_node<bool> all{};
    for (std::size_t n = 0; n < nodes; ++n) all[n] = captured::can(n);
    return all;
  }();
  static constexpr by_node<std::size_t> turns = [] {
    by_node<std::size_t> all{};
    for (std::size_t n = 0; n < nodes; ++n) all[n] = n < plan.tasks ? captured::turns[n] : 1;
    return all;
  }();
  /// Whether a thread waits for others right before a node, however it keeps pace with them.
  static constexpr by_node<bool> waits = [] {
    by_node<bool> all{};
    for (std::size_t n = 0; n < nodes && plan.host_threads() > 1; ++n) {
      const stretto::planner::range ahead = plan.run_ahead.of[n];
      const stretto::planner::range meeting = plan.barrier.of[n];
      all[n] = ahead.first != ahead.last || meeting.first != meeting.last;
    }
    return all;
  }();
  static constexpr capture_facts facts{order::streams,
                                       plan.pull,
                                       plan.thread_of,
                                       plan.chains,
                                       plan.chained,
                                       plan.lag,
                                       order::stream_of,
                                       order::event_count,
                                       order::blocking_waits.awaited,
                                       waits,
                                       can,
                                       turns,
                                       plan.streams.edges,
                                       plan.streams.of};

 public:
  /// By node, and by thread: see `grouping`.
  struct constants {
    by_node<std::size_t> first{};
    by_node<bool> spanning{};
    std::array<std::size_t, plan.threads> launch{};
    std::array<span_choice, plan.threads> choice{};
  };
  static constexpr constants chosen = [] {
    const auto read = [] { return typed::constant_plan<Schedule>::read(); };
    const grouping found = grouping_search(facts, most_nodes, read).find();
    constants all;
    stretto::planner::copy_items(found.first, all.first.data());
    stretto::planner::copy_items(found.spanning, all.spanning.data());
    stretto::planner::copy_items(found.launch, all.launch.data());
    stretto::planner::copy_items(found.choice, all.choice.data());
    return all;
  }();
  static constexpr grouped_nodes grouped{facts, chosen.first, chosen.spanning, chosen.launch};

  /// After how many progresses nodes of one graph use the same copies, and record the same events,
  /// again.
  template <std::size_t... Node>
  static constexpr std::size_t turn = [] {
    std::size_t all = 1;
    ((all = common_turn(all, grouped.turn_of(Node))), ...);
    return all;
  }();
};

}  // namespace stretto::device::detail
