// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <array>
#include <cstddef>
#include <stretto/declare/name.hpp>
#include <stretto/declare/pack.hpp>
#include <stretto/plan/text/describe.hpp>
#include <stretto/static/errors/diagnosis.hpp>
#include <stretto/static/query/modelled_period.hpp>
#include <stretto/static/query/overlaps.hpp>
#include <stretto/static/query/plan_of.hpp>
#include <stretto/static/query/plan_view.hpp>
#include <stretto/static/values/declared.hpp>
#include <string>

namespace stretto {

namespace typed::detail {

/// By slot: the size of its values.
template <class... Slot>
inline constexpr std::array<std::size_t, sizeof...(Slot)> sizes_of{
    sizeof(typename Slot::value_type)...};

template <class... Slot>
constexpr planner::view<std::size_t> slot_bytes(pack<Slot...>) {
  return sizes_of<Slot...>;
}

/// What the weights of a schedule make of its plan, where that is told.
template <class Schedule>
constexpr const planner::modelled* told_times() {
  if constexpr (planner::tells_times(declared<Schedule>::value)) {
    return &modelled_as<Schedule>;
  } else {
    return nullptr;
  }
}

}  // namespace typed::detail

/// The plan of a schedule as text for a person: order, threads and their chains, every wait with
/// the reason for it, memory. Works for an invalid schedule too: its findings.
template <class Schedule>
[[gnu::cold]] std::string describe() {
  if constexpr (!is_valid<Schedule>) {
    planner::text_builder text;
    text.add("schedule ").add(name_of<Schedule>.text).add(" is invalid\n");
    for (const std::string& s : explain_findings<Schedule>()) text.add("  ").add(s).add("\n");
    return text.text();
  } else {
    return planner::describe(
        name_of<Schedule>.text, typed::plan_view_of<Schedule>,
        typed::detail::slot_bytes(typename typed::detail::slots_of<Schedule>::type{}),
        typed::detail::told_times<Schedule>(), typed::detail::told_overlap_of<Schedule>());
  }
}

}  // namespace stretto
