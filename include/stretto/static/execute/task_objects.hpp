// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <boost/hana/basic_tuple.hpp>
#include <cstddef>
#include <stretto/declare/pack.hpp>
#include <stretto/static/values/declared.hpp>
#include <utility>

namespace stretto::typed::detail {

template <class>
struct tuple_of;
template <class... Type>
struct tuple_of<pack<Type...>> {
  using type = boost::hana::basic_tuple<Type...>;

  template <class Maker>
  static type make(Maker& maker) {
    return type{maker.template make<Type>()...};
  }
};

/// The tasks of a schedule as objects, in rows of a few. In one flat tuple the name of each
/// function that takes a task out would have the names of all tasks in it, and compilers spend much
/// of their time on such names; so a row is named by the schedule and a number.
template <class Schedule, std::size_t Row>
struct task_row {
  using tuple = tuple_of<declare::nth<Row, declare::in_rows<typename declared<Schedule>::tasks>>>;
  typename tuple::type all;
};

template <class Schedule, class Rows>
struct task_rows;
template <class Schedule, std::size_t... Row>
struct task_rows<Schedule, std::index_sequence<Row...>> : task_row<Schedule, Row>... {
  task_rows() = default;
  /// Has \p maker `make<T>()` each task.
  template <class Maker>
  explicit task_rows(std::in_place_t, [[maybe_unused]] Maker& maker)
      : task_row<Schedule, Row>{task_row<Schedule, Row>::tuple::make(maker)}... {}

  /// (auto: a type that is looked up in a list would take the list into the function's name.)
  template <std::size_t Task>
  constexpr auto& get() {
    return boost::hana::at_c<Task % declare::row_size>(
        static_cast<task_row<Schedule, Task / declare::row_size>&>(*this).all);
  }
};

template <class Schedule>
using task_objects =
    task_rows<Schedule,
              std::make_index_sequence<declare::in_rows<typename declared<Schedule>::tasks>::size>>;

}  // namespace stretto::typed::detail
