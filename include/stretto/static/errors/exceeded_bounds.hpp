// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <stretto/declare/pack.hpp>
#include <stretto/declare/tag.hpp>
#include <stretto/errors/emit.hpp>
#include <stretto/errors/names.hpp>
#include <stretto/errors/words.hpp>
#include <stretto/plan/derive/plan_size.hpp>
#include <stretto/plan/model/text_builder.hpp>
#include <stretto/plan/text/exceeded_bounds.hpp>
#include <stretto/static/values/checked_rules.hpp>
#include <stretto/static/values/declared.hpp>

/// Bounds that what a schedule declares exceeds, before `pipelined` raises anything.
namespace stretto::typed::detail {

template <class Bound, int Needed>
struct too_many_in_flight {
  static auto named() -> pack<
      invalid::declared_lookaheads_alone_exceed_a_bound<Bound, invalid::batches_in_flight<Needed>>>;
  static constexpr errors::words text() {
    planner::text_builder told;
    planner::add_on_in_flight(told, Needed, Bound::value);
    return errors::words(told);
  }
};
template <class Bound, std::size_t Needed>
struct too_many_bytes {
  static auto named() -> pack<
      invalid::declared_lookaheads_alone_exceed_a_bound<Bound, invalid::bytes_of_slots<Needed>>>;
  static constexpr errors::words text() {
    planner::text_builder told;
    planner::add_on_bytes(told, Needed, Bound::value);
    return errors::words(told);
  }
};

/// Whether a schedule has bounds, and keeps the rules.
template <class Schedule>
consteval bool keeps_rules_within_bounds() {
  using from = declared<Schedule>;
  if constexpr (from::has_part(declare::mark<tag::max_in_flight>) ||
                from::has_part(declare::mark<tag::max_bytes>)) {
    return checked_rules<from>::kept;
  } else {
    return false;
  }
}

// Functions of their own: nvcc evaluates a constant of a template as soon as it reads it, which
// took 1 GB here.
template <class Schedule>
constexpr planner::plan_size size_before_raises() {
  return planner::size_of_plan(declared<Schedule>::bare);
}
template <class Schedule>
constexpr planner::exceeded_bounds exceeded_before_raises() {
  return planner::exceeded_by(declared<Schedule>::bare, size_before_raises<Schedule>());
}

/// The bound that is exceeded, or `no_error`. Asked of a schedule that is fine otherwise; one that
/// breaks a rule is told of that.
template <class Schedule>
consteval auto bounds_diagnostic() {
  using from = declared<Schedule>;
  if constexpr (!keeps_rules_within_bounds<Schedule>()) {
    return errors::no_error{};
  } else {
    constexpr planner::plan_size size = size_before_raises<Schedule>();
    constexpr planner::exceeded_bounds exceeded = exceeded_before_raises<Schedule>();
    if constexpr (exceeded.in_flight) {
      return too_many_in_flight<declare::first<tag::max_in_flight, typename from::parts>,
                                size.in_flight>{};
    } else if constexpr (exceeded.bytes) {
      return too_many_bytes<declare::first<tag::max_bytes, typename from::parts>, size.bytes>{};
    } else {
      return errors::no_error{};
    }
  }
}

}  // namespace stretto::typed::detail
