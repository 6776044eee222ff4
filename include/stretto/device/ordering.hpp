// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <stretto/plan/model/edge_groups.hpp>
#include <stretto/plan/model/graph.hpp>
#include <stretto/plan/order/events.hpp>
#include <stretto/plan/order/fewest_waits.hpp>
#include <stretto/static/query/plan_of.hpp>
#include <stretto/static/values/constant_plan.hpp>
#include <stretto/static/values/constant_words.hpp>
#include <string_view>

namespace stretto::device {

/// What a device has to know of a schedule's plan beyond what host threads do, a constant: which
/// node is on which stream, where host tasks wait for streams, and how many events there are. (The
/// waits between streams are `minimal_stream_waits` of the plan.)
template <class Schedule>
class ordering {
  static constexpr const auto& plan = plan_of<Schedule>;
  using declared = typed::declared<Schedule>;

  static constexpr std::size_t streams_declared = declared::value.streams.size();

  // A constant of its own, because compilers limit the steps of one evaluation.
  static constexpr auto found = [] {
    // Named, because nvcc cannot destroy the temporary of a constant expression.
    const stretto::planner::plan p = typed::constant_plan<Schedule>::read();
    stretto::planner::list<stretto::planner::edge> all = stretto::planner::blocking_waits(p);
    all.append(stretto::planner::run_ahead_bound(p, {all.data(), all.size()}));
    const stretto::planner::view<stretto::planner::edge> blocking(
        all.data(), declared::is_serial ? 0 : all.size());
    const stretto::planner::list<std::size_t> events = stretto::planner::event_counts(
        p, {plan.streams.edges.data(), plan.streams.edges.size()}, blocking);
    typed::constant_words<1 + 2 * plan.nodes + 6 * (plan.edges.size() + streams_declared)> row;
    row.push(blocking.size());
    for (const stretto::planner::node& n : p.resolved.nodes) row.push(n.stream);
    row.push(events);
    if (!blocking.empty()) row.push(all);
    return row;
  }();

 public:
  static constexpr std::size_t none = stretto::planner::none;
  static constexpr std::size_t nodes = plan.nodes;
  static constexpr std::size_t streams = streams_declared;
  static constexpr std::string_view stream_name(std::size_t stream) {
    return declared::value.streams[stream];
  }

  /// Whether host tasks wait for all that was submitted before them, instead of for what they need:
  /// one batch after the other is what was asked for.
  static constexpr bool serial = declared::is_serial;

  /// The stream of a name; none: there is none. In a serial plan the names of the schedule's own
  /// streams are still known: all stand for the one there is.
  static constexpr std::size_t stream_named(std::string_view name) {
    for (std::size_t s = 0; s < streams; ++s)
      if (stream_name(s) == name) return s;
    if (serial)
      for (std::size_t s = 0; s < declared::stream_part::size; ++s)
        if (declared::stream_part::value[s] == name) return 0;
    return none;
  }

  /// By node; none: a host task. (In a serial plan all tasks are on one stream, but those that are
  /// host tasks otherwise stay so.)
  static constexpr std::array<std::size_t, nodes> stream_of = [] {
    std::array<std::size_t, nodes> all{};
    for (std::size_t n = 0; n < nodes; ++n) all[n] = found.numbers[1 + n];
    if (serial) {
      constexpr auto on_streams = declared::on_streams();
      for (std::size_t n = 0; n < on_streams.size(); ++n)
        if (!on_streams[n]) all[n] = none;
    }
    return all;
  }();

  /// By node: how many events it records in turn, and the place of the first; none if nobody waits.
  static constexpr std::array<std::size_t, nodes> event_count = [] {
    std::array<std::size_t, nodes> all{};
    for (std::size_t n = 0; n < nodes; ++n) all[n] = found.numbers[1 + nodes + n];
    return all;
  }();
  static constexpr std::array<std::size_t, nodes + 1> first_event = [] {
    std::array<std::size_t, nodes + 1> first{};
    for (std::size_t n = 0; n < nodes; ++n) first[n + 1] = first[n] + event_count[n];
    return first;
  }();
  static constexpr std::size_t events = first_event[nodes];
  /// The event that a node records in a progress.
  static constexpr std::size_t event(std::size_t node, std::size_t progress) {
    return first_event[node] + progress % event_count[node];
  }

  /// Where host tasks wait for streams.
  static constexpr auto blocking_waits = [] {
    typed::word_reader from(found);
    for (std::size_t i = 0; i < 1 + 2 * nodes; ++i) from.next();
    constexpr std::size_t count = found.numbers[0];
    return stretto::planner::wait_table<nodes, count>(from.next_edges(count));
  }();

  /// By node: how many progresses back the farthest of its waits reaches.
  static constexpr std::size_t farthest_wait(std::size_t node) {
    int most = 0;
    for (const stretto::planner::edge& e : plan.streams.edges)
      if (e.consumer == node) most = (std::max)(most, e.delta);
    for (const stretto::planner::edge& e : blocking_waits.edges)
      if (e.consumer == node) most = (std::max)(most, e.delta);
    return static_cast<std::size_t>(most);
  }
};

}  // namespace stretto::device
