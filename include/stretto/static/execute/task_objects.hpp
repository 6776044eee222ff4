// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <boost/hana/basic_tuple.hpp>
#include <cstddef>
#include <stretto/declare/pack.hpp>

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
/// of their time on such names.
template <class Rows>
struct task_rows;
template <class... Row>
struct task_rows<pack<Row...>> {
  using tuple = boost::hana::basic_tuple<typename tuple_of<Row>::type...>;
  tuple all;

  template <std::size_t Task>
  constexpr auto& get() {
    return boost::hana::at_c<Task % declare::row_size>(
        boost::hana::at_c<Task / declare::row_size>(all));
  }

  /// Has \p maker `make<T>()` each task.
  template <class Maker>
  static task_rows make(Maker& maker) {
    return {tuple{tuple_of<Row>::make(maker)...}};
  }
};

template <class Tasks>
using task_objects = task_rows<declare::in_rows<Tasks>>;

}  // namespace stretto::typed::detail
