// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <stretto/declare/pack.hpp>
#include <stretto/device/handle.hpp>
#include <stretto/static/errors/body.hpp>
#include <stretto/static/values/said_by_parameters.hpp>
#include <type_traits>
#include <utility>

/// Which handles the bodies of types ask for.
namespace stretto::device::detail {

/// Whether a body takes a handle in front of its slots. In braces, so that no parameter whose type
/// is deduced fits, and no body is instantiated.
template <class Task, class Driver, class... Passed>
consteval bool takes_handle(pack<Passed...>) {
  return requires(Task& task) { task({handle_only<Driver>{}}, std::declval<Passed>()...); };
}

/// The parameters of a call operator, the first apart. (Declared only.)
template <class Class, class Result, class First, class... More>
First first_in(Result (Class::*)(First, More...));
template <class Class, class Result, class First, class... More>
First first_in(Result (Class::*)(First, More...) const);

/// What a template of a call operator takes first if its other parameters are deduced: as many of
/// \p Passed as it has.
template <class Task, class... Deduced, class... More>
auto first_of_template(pack<Deduced...>, pack<More...>) {
  if constexpr (requires { detail::first_in(&Task::template operator()<Deduced...>); }) {
    using taken = decltype(detail::first_in(&Task::template operator()<Deduced...>));
    return std::type_identity<taken>{};
  } else if constexpr (sizeof...(More) > 0) {
    return []<class Next, class... Rest>(pack<Next, Rest...>) {
      return detail::first_of_template<Task>(pack<Deduced..., Next>{}, pack<Rest...>{});
    }(pack<More...>{});
  } else {
    return std::type_identity<void>{};
  }
}

template <class First, class... More>
std::type_identity<First> first_parameter(pack<First, More...>);

template <class Task, class... Passed>
auto first_asked(pack<Passed...>) {
  using said = typed::said_by_task<Task>;
  if constexpr (said::readable) {
    return decltype(detail::first_parameter(typename said::parameters{})){};
  } else {
    return detail::first_of_template<Task>(pack<>{}, pack<std::remove_reference_t<Passed>...>{});
  }
}

/// Whatever is no handle.
template <class Type, class Driver>
struct asked_by {
  using kept = pack<>;
  using context = device::context<Driver>;
};
template <class Driver, class... Kept>
struct asked_by<handle<Driver, Kept...>, Driver> {
  using kept = pack<Kept...>;
  using context = handle<Driver, Kept...>;
};

template <class Task, class Driver>
auto find_asked() {
  using parameters = typename typed::body<Task>::parameters;
  if constexpr (detail::takes_handle<Task, Driver>(parameters{})) {
    using first = typename decltype(detail::first_asked<Task>(parameters{}))::type;
    return asked_by<std::remove_cvref_t<first>, Driver>{};
  } else {
    return asked_by<void, Driver>{};
  }
}

/// What the body of a task on a stream asks for: `kept`, the types of what its handle is of, and
/// `context`, what it gets if it asks for anything.
template <class Task, class Driver>
using asked = decltype(detail::find_asked<Task, Driver>());

}  // namespace stretto::device::detail
