// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <stretto/declare/pack.hpp>
#include <stretto/declare/tag.hpp>
#include <stretto/run/not_a_run.hpp>
#include <stretto/run/onwards.hpp>
#include <stretto/run/report.hpp>
#include <stretto/run/result.hpp>
#include <stretto/static/errors/misuse.hpp>
#include <stretto/static/values/declared.hpp>
#include <string_view>
#include <type_traits>

/// What a pipeline becomes after a compile error, so that no other error follows: the same
/// members, none of which is ever called.
namespace stretto::typed::detail {

template <class Slot>
concept handed_out =
    requires { typename Slot::value_type; } && std::is_object_v<typename Slot::value_type>;

/// What batches yield, in a pack, where the parts of a schedule say it plainly.
template <class... Slot>
consteval auto reference_to(pack<pack<Slot...>>) {
  if constexpr ((handed_out<Slot> && ...)) {
    return pack<decltype(runner::result_of(pack<Slot...>{}))>{};
  } else {
    return pack<runner::any_result>{};
  }
}
template <class... Result>
consteval auto reference_to(pack<Result...>) {
  return pack<runner::any_result>{};
}
template <class... Result>
consteval auto slot_lists_of(pack<Result...>) -> pack<typename Result::slot_list...> {
  return {};
}
template <class... Part>
consteval auto reference_among(const pack<Part...>*) {
  return reference_to(slot_lists_of(declare::only<tag::result, pack<Part...>>{}));
}
consteval auto reference_among(const void*) { return pack<runner::any_result>{}; }

template <class Schedule>
consteval auto reference_of() {
  if constexpr (well_formed<Schedule>) {
    return reference_to(pack<typename declared<Schedule>::results>{});
  } else if constexpr (requires { typename Schedule::parts; }) {
    return reference_among(static_cast<const typename Schedule::parts*>(nullptr));
  } else {
    return pack<runner::any_result>{};
  }
}

template <class Schedule>
consteval auto source_value_of() {
  if constexpr (!well_formed<Schedule>) {
    return pack<runner::any_result>{};
  } else if constexpr (!declared<Schedule>::has_source) {
    return pack<runner::any_result>{};
  } else {
    return pack<typename declared<Schedule>::source_part::slot::value_type>{};
  }
}

/// A run of a schedule after a compile error.
template <class Schedule>
using no_run_of = runner::not_a_run<declare::nth<0, decltype(reference_of<Schedule>())>>;

template <class Schedule, class Observer>
class not_a_pipeline {
 public:
  using schedule = Schedule;
  using source_value = declare::nth<0, decltype(source_value_of<Schedule>())>;
  using reference = typename no_run_of<Schedule>::reference;

  template <class... Task>
  explicit not_a_pipeline(Task&&...) {}

  template <class Source>
  [[nodiscard]] no_run_of<Schedule> run(Source&&) {
    return {};
  }
  template <class Source, class Stop>
  [[nodiscard]] no_run_of<Schedule> run(Source&&, Stop&&) {
    return {};
  }
  template <class Source, class Where, class Stop>
  [[nodiscard]] no_run_of<Schedule> run(Source&&, Where&&, Stop&&) {
    return {};
  }
  template <class Source, class... How>
  [[nodiscard]] no_run_of<Schedule> results(Source&&, How&&...) {
    return {};
  }
  bool attach(std::string_view);
  template <class Token>
  bool attach(std::string_view, const Token&);
  void reset();
  const run_report& report() const;
  [[nodiscard]] failure_list dropped_failures() const;
  template <class Position = stretto::position>
  Position position();
  template <class Slot>
  typename Slot::value_type* recover(std::size_t);
  template <class Task>
  Task& task();
  static constexpr std::string_view pulled_by() { return {}; }
  Observer& observer();
};

}  // namespace stretto::typed::detail
