// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <stretto/declare/communicator.hpp>
#include <stretto/declare/fields.hpp>
#include <stretto/declare/name.hpp>
#include <stretto/declare/on_failure.hpp>
#include <stretto/declare/pack.hpp>
#include <stretto/declare/schedule.hpp>
#include <stretto/declare/stream.hpp>
#include <stretto/declare/tag.hpp>
#include <stretto/declare/thread.hpp>
#include <string_view>
#include <type_traits>
#include <utility>

namespace stretto {

namespace declare {

namespace detail {

/// The call operator of a body: a lambda's or another object's own, and one that calls a function.
template <auto Body, class Type = std::remove_cvref_t<decltype(Body)>>
struct called {};
template <auto Body, class Type>
  requires(std::is_class_v<Type> && !std::is_final_v<Type>)
struct called<Body, Type> : Type {
  constexpr called() : Type(Body) {}
};
template <auto Body, class Result, class... Parameter>
struct called<Body, Result (*)(Parameter...)> {
  constexpr Result operator()(Parameter... given) const {
    return Body(static_cast<Parameter&&>(given)...);
  }
};
template <auto Body, class Result, class... Parameter>
struct called<Body, Result (*)(Parameter...) noexcept> {
  constexpr Result operator()(Parameter... given) const noexcept {
    return Body(static_cast<Parameter&&>(given)...);
  }
};

template <class Field>
consteval auto tag_in() {
  if constexpr (is_part<Field>) {
    return std::type_identity<typename Field::stretto_tag>{};
  } else {
    return std::type_identity<void>{};
  }
}

/// A field as the member of a task that it would be; of its place, so that two are ambiguous.
template <std::size_t Place, class Field, class Tag = typename decltype(tag_in<Field>())::type>
struct field_at {};
template <std::size_t Place, class Field>
struct field_at<Place, Field, tag::stream> {
  using stream = Field;
};
template <std::size_t Place, class Field>
struct field_at<Place, Field, tag::thread> {
  using thread = Field;
};
template <std::size_t Place, class Field>
struct field_at<Place, Field, tag::lookahead> {
  static constexpr auto lookahead = Field::value;
};
template <std::size_t Place, class Field>
struct field_at<Place, Field, tag::weight> {
  static constexpr auto weight = Field::value;
};
template <std::size_t Place, class Field>
struct field_at<Place, Field, tag::every> {
  static constexpr auto every = Field::value;
  static constexpr auto phase = Field::phase;
  static constexpr bool and_at_end = Field::and_at_end;
};
template <std::size_t Place, class Field>
struct field_at<Place, Field, tag::communicator> {
  static constexpr bool collective = true;
  using communicator = Field;
};
template <std::size_t Place, class Field>
struct field_at<Place, Field, tag::on_failure> {
  using on_failure = Field;
};
template <std::size_t Place, class... Slot>
struct field_at<Place, stretto::reads<Slot...>, void> {
  using reads = stretto::reads<Slot...>;
};
template <std::size_t Place, class... Slot>
struct field_at<Place, stretto::writes<Slot...>, void> {
  using writes = stretto::writes<Slot...>;
};
template <std::size_t Place, class... Task>
struct field_at<Place, stretto::depends_on<Task...>, void> {
  using depends_on = stretto::depends_on<Task...>;
};
template <std::size_t Place, class... Entry>
struct field_at<Place, stretto::cross_iter_depends_on<Entry...>, void> {
  using cross_iter_depends_on = stretto::cross_iter_depends_on<Entry...>;
};
template <std::size_t Place, class... Task>
struct field_at<Place, stretto::same_progress_sync<Task...>, void> {
  using same_progress_sync = stretto::same_progress_sync<Task...>;
};
template <std::size_t Place, class... Resource>
struct field_at<Place, stretto::observes<Resource...>, void> {
  using observes = stretto::observes<Resource...>;
};
template <std::size_t Place, class... Resource>
struct field_at<Place, stretto::mutates<Resource...>, void> {
  using mutates = stretto::mutates<Resource...>;
};

template <class Places, class... Field>
struct all_fields;
template <std::size_t... Place, class... Field>
struct all_fields<std::index_sequence<Place...>, Field...> : field_at<Place, Field>... {};

}  // namespace detail

/// How often a task made of a body says what one field is for: 0, it is no field; 2, several times.
/// (A member that is said twice is ambiguous, so that the task seems not to have it.)
template <class Task, class Field>
consteval int times_said() {
  using member = detail::field_at<0, Field>;
  // clang-format off
  if constexpr (requires { typename member::stream; }) return requires { typename Task::stream; } ? 1 : 2;
  else if constexpr (requires { typename member::thread; }) return requires { typename Task::thread; } ? 1 : 2;
  else if constexpr (requires { member::lookahead; }) return requires { Task::lookahead; } ? 1 : 2;
  else if constexpr (requires { member::weight; }) return requires { Task::weight; } ? 1 : 2;
  else if constexpr (requires { member::every; }) return requires { Task::every; } ? 1 : 2;
  else if constexpr (requires { typename member::communicator; }) return requires { typename Task::communicator; Task::collective; } ? 1 : 2;
  else if constexpr (requires { typename member::on_failure; }) return requires { typename Task::on_failure; } ? 1 : 2;
  else if constexpr (requires { typename member::reads; }) return requires { typename Task::reads; } ? 1 : 2;
  else if constexpr (requires { typename member::writes; }) return requires { typename Task::writes; } ? 1 : 2;
  else if constexpr (requires { typename member::depends_on; }) return requires { typename Task::depends_on; } ? 1 : 2;
  else if constexpr (requires { typename member::cross_iter_depends_on; }) return requires { typename Task::cross_iter_depends_on; } ? 1 : 2;
  else if constexpr (requires { typename member::same_progress_sync; }) return requires { typename Task::same_progress_sync; } ? 1 : 2;
  else if constexpr (requires { typename member::observes; }) return requires { typename Task::observes; } ? 1 : 2;
  else if constexpr (requires { typename member::mutates; }) return requires { typename Task::mutates; } ? 1 : 2;
  else return 0;
  // clang-format on
}

}  // namespace declare

/// A task made of a body: of a function, or of a lambda without captures, by parameters that are
/// `in`, `out` and `inout`, or with `reads` and `writes` among the fields. `Fields` are what a
/// class would have as members: `lookahead<1>`, `stream<"copy">`, `thread<"io">`, `weight<300>`,
/// `every<4>`, `on_failure<drop>`, lists of slots, tasks or resources, and `communicator<"world">`,
/// which makes it a collective.
///
/// `using scale = stretto::task<"scale", scale_rows, stretto::lookahead<1>>;` `Name` is the task's
/// name, and its type is what others name it by.
///
/// An error if one of `Fields` is no field of a task, or is said twice.
template <fixed_string Name, auto Body, class... Fields>
struct task : declare::detail::called<Body>,
              declare::detail::all_fields<std::index_sequence_for<Fields...>, Fields...> {
  using stretto_fields = pack<Fields...>;
  static constexpr std::string_view name = Name.view();
};

}  // namespace stretto
