// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <iterator>
#include <stretto/execute/report.hpp>
#include <stretto/execute/result.hpp>
#include <stretto/execute/tasks.hpp>
#include <stretto/static/declared.hpp>
#include <string_view>
#include <type_traits>

/// What a pipeline and a run become after a compile error, so that no other error follows: the same
/// members, none of which is ever called.
namespace stretto::detail {

/// A result of which the type is not known.
struct any_result {
  template <class Type>
  operator Type() const;
};

template <class... Slot>
consteval bool are_objects(pack<Slot...>) {
  return (std::is_object_v<typename Slot::value_type> && ...);
}

template <class Schedule>
consteval auto reference_of() {
  if constexpr (!well_formed<Schedule>) {
    return pack<any_result>{};
  } else if constexpr (!are_objects(typename declared<Schedule>::results{})) {
    return pack<any_result>{};
  } else {
    return pack<decltype(result_of(typename declared<Schedule>::results{}))>{};
  }
}

template <class Schedule>
class not_a_run {
 public:
  using reference = nth<0, decltype(reference_of<Schedule>())>;

  bool next();
  bool progress();
  bool has_more() const;
  reference result();
  std::size_t batch() const;

  class iterator {
   public:
    using difference_type = std::ptrdiff_t;
    using value_type = std::remove_cvref_t<reference>;
    using iterator_concept = std::input_iterator_tag;

    reference operator*() const;
    iterator& operator++();
    void operator++(int);
    friend bool operator==(const iterator&, std::default_sentinel_t) { return true; }
  };

  iterator begin();
  static std::default_sentinel_t end() { return {}; }
};

template <class Schedule, class Observer>
class not_a_pipeline {
 public:
  using schedule = Schedule;

  template <class... Task>
  explicit not_a_pipeline(Task&&...) {}

  template <class Source>
  [[nodiscard]] not_a_run<Schedule> run(Source&&) {
    return {};
  }
  template <class Source, class Stop>
  [[nodiscard]] not_a_run<Schedule> run(Source&&, Stop&&) {
    return {};
  }
  bool host(std::string_view);
  template <class Token>
  bool host(std::string_view, const Token&);
  void reset();
  const run_report& report() const;
  template <class Task>
  Task& task();
  Observer& observer();
};

}  // namespace stretto::detail
