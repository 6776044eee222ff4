// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <array>
#include <cstddef>
#include <stretto/errors/emit.hpp>
#include <stretto/plan/model/declaration.hpp>
#include <stretto/plan/text/plan_view.hpp>
#include <stretto/static/query/plan_of.hpp>
#include <stretto/static/values/declared.hpp>
#include <type_traits>

namespace stretto::typed {

namespace detail {

/// The plan of a schedule, as it is told and drawn: a constant that refers to another.
template <class Schedule>
struct viewed {
 private:
  using from = declared<Schedule>;
  static constexpr const auto& made = planned<Schedule>::value;

  static constexpr auto stream_of = [] {
    std::array<std::size_t, made.nodes> all{};
    for (std::size_t n = 0; n < made.nodes; ++n) {
      const std::string_view stream = n < made.tasks      ? from::value.tasks[n].stream
                                      : n == made.deliver ? from::value.results_on
                                                          : std::string_view();
      all[n] = planner::none;
      for (std::size_t s = from::value.streams.size(); s-- > 0 && !stream.empty();)
        if (from::value.streams[s] == stream) all[n] = s;
    }
    return all;
  }();
  static constexpr auto queues = [] {
    std::array<std::size_t, made.threads> all{};
    for (const planner::thread_group& g : from::value.groups)
      for (std::size_t t = 0; t < made.threads; ++t)
        if (made.thread_names[t] == g.thread) all[t] = static_cast<std::size_t>(g.queue);
    return all;
  }();

 public:
  static constexpr planner::plan_view value = [] {
    planner::plan_view v{from::value};
    v.max_lookahead = made.max_lookahead;
    v.lag = made.lag;
    v.order = made.order;
    v.edges = made.edges;
    v.slot_list = made.slot_list;
    v.copies = made.copies;
    v.tickets = made.tickets;
    v.streams = from::value.streams;
    v.stream_of = stream_of;
    v.threads = made.thread_names;
    v.thread_of = made.thread_of;
    v.chained = made.chained;
    v.chains = made.chains;
    v.workers = made.workers;
    v.begun_by = made.begun_by;
    v.queues = queues;
    v.stream_waits = made.stream_waits;
    v.minimal_stream_waits = made.streams.edges;
    v.run_ahead_waits = made.run_ahead.edges;
    v.host_waits = made.barrier.size();
    return v;
  }();
};

}  // namespace detail

/// The plan of a valid schedule, or after the compile error of another an empty one.
template <class Schedule>
inline constexpr const planner::plan_view& plan_view_of =
    (static_cast<void>(detail::checked<Schedule>::value),
     detail::viewed<
         std::conditional_t<errors::is_no_error<decltype(detail::diagnostic<Schedule>())>, Schedule,
                            schedule<>>>::value);

}  // namespace stretto::typed
