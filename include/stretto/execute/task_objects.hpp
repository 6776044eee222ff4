// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <boost/hana/at.hpp>
#include <boost/hana/tuple.hpp>
#include <cstddef>
#include <stretto/static/pack.hpp>
#include <utility>

namespace stretto::detail {

/// The tasks of a schedule as objects, in rows of a few. In one flat tuple the name of each
/// function that takes a task out would have the names of all tasks in it, and compilers spend much
/// of their time on such names.
template <class Tasks>
struct task_objects {
  static constexpr std::size_t in_a_row = 16;
  static constexpr std::size_t rows = (Tasks::size + in_a_row - 1) / in_a_row;

  template <std::size_t Row>
  using row_indices =
      std::make_index_sequence<(Row + 1 < rows ? in_a_row : Tasks::size - Row * in_a_row)>;
  template <std::size_t Row, std::size_t... I>
  static auto row_type(std::index_sequence<I...>)
      -> boost::hana::tuple<nth<Row * in_a_row + I, Tasks>...>;
  template <std::size_t... Row>
  static auto type_of(std::index_sequence<Row...>)
      -> boost::hana::tuple<decltype(row_type<Row>(row_indices<Row>{}))...>;

  using tuple = decltype(type_of(std::make_index_sequence<rows>{}));
  tuple all;

  template <std::size_t Task>
  constexpr auto& get() {
    return boost::hana::at_c<Task % in_a_row>(boost::hana::at_c<Task / in_a_row>(all));
  }

  /// \p make, an object with a template `make<T>()`, makes each task.
  template <class Maker>
  static tuple make(Maker& maker) {
    return make_rows(maker, std::make_index_sequence<rows>{});
  }

 private:
  template <class Maker, std::size_t... Row>
  static tuple make_rows(Maker& maker, std::index_sequence<Row...>) {
    return tuple{make_row<Row>(maker, row_indices<Row>{})...};
  }
  template <std::size_t Row, class Maker, std::size_t... I>
  static auto make_row(Maker& maker, std::index_sequence<I...>) {
    return boost::hana::tuple<nth<Row * in_a_row + I, Tasks>...>{
        maker.template make<nth<Row * in_a_row + I, Tasks>>()...};
  }
};

}  // namespace stretto::detail
