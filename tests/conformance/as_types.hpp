// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <initializer_list>
#include <span>
#include <stretto/static/query/plan_of.hpp>
#include "static.hpp"

/// What generated units are written in: a record as task types, judged by the compiler.
namespace conformance {

namespace st = stretto;

template <class FixedPlan>
plan_view view_of(const FixedPlan& p) {
  return {p.order,        p.lag,          p.in_flight(), p.tickets, p.edges,
          p.stream_waits, p.thread_names, p.thread_of,   p.chained, p.chains};
}

/// What the original alone finds: it knows no races.
template <class Strict>
std::span<const st::planner::finding> original_findings() {
  const auto& found = st::findings<Strict>;
  if (!found.empty() && found.front().what == st::planner::kind::race) return {};
  return found;
}

/// The plan of a schedule on the given thread map; nothing for an invalid one.
template <class Schedule, class... Map>
plan_on_threads on(std::string_view name) {
  using strict = st::replan<Schedule, st::strict>;
  if constexpr (!st::typed::detail::checked_rules<st::typed::declared<strict>>::kept) {
    return {name, {}};
  } else if constexpr (std::is_same_v<st::pack<Map...>, st::pack<st::by_stream>>) {
    return {name, view_of(st::typed::detail::planned<strict>::value)};
  } else {
    // Threads have no part in the rules, so there is no need to judge the schedule again.
    return {name,
            view_of(st::typed::detail::planned<st::replan<strict, st::threads<Map...>>>::value)};
  }
}

template <class Schedule>
judged_line judge(std::size_t line, std::initializer_list<plan_on_threads> plans = {}) {
  using strict = st::replan<Schedule, st::strict>;
  return {line, {&st::typed::declared<strict>::value, original_findings<strict>(), plans}};
}

}  // namespace conformance
