// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <type_traits>
#include <utility>

// Completion functions and their signatures: [exec.recv], [exec.cmplsig].
namespace stdexec {

namespace stand_in {
/// A receiver is completed as what it is no more afterwards.
template <class Receiver>
concept given_away = !std::is_reference_v<Receiver> && !std::is_const_v<Receiver>;
}  // namespace stand_in

struct set_value_t {
  template <stand_in::given_away Receiver, class... Value>
    requires requires(Receiver&& to, Value&&... values) {
      { std::move(to).set_value(std::forward<Value>(values)...) } noexcept;
    }
  void operator()(Receiver&& to, Value&&... values) const noexcept {
    std::move(to).set_value(std::forward<Value>(values)...);
  }
};
struct set_error_t {
  template <stand_in::given_away Receiver, class Error>
    requires requires(Receiver&& to, Error&& error) {
      { std::move(to).set_error(std::forward<Error>(error)) } noexcept;
    }
  void operator()(Receiver&& to, Error&& error) const noexcept {
    std::move(to).set_error(std::forward<Error>(error));
  }
};
struct set_stopped_t {
  template <stand_in::given_away Receiver>
    requires requires(Receiver&& to) {
      { std::move(to).set_stopped() } noexcept;
    }
  void operator()(Receiver&& to) const noexcept {
    std::move(to).set_stopped();
  }
};
inline constexpr set_value_t set_value{};
inline constexpr set_error_t set_error{};
inline constexpr set_stopped_t set_stopped{};

template <class... Signature>
struct completion_signatures {};

namespace stand_in {

template <class>
inline constexpr bool is_signature = false;
template <class... Value>
inline constexpr bool is_signature<set_value_t(Value...)> = true;
template <class Error>
inline constexpr bool is_signature<set_error_t(Error)> = true;
template <>
inline constexpr bool is_signature<set_stopped_t()> = true;

template <class>
inline constexpr bool are_signatures = false;
template <class... Signature>
inline constexpr bool are_signatures<completion_signatures<Signature...>> =
    (is_signature<Signature> && ...);

/// Whether a signature is that of a completion with arguments of these types, as `decltype((arg))`.
template <class Signature, class Tag, class... Arg>
inline constexpr bool is_of = false;
template <class Tag, class... Announced, class... Arg>
inline constexpr bool is_of<Tag(Announced...), Tag, Arg...> =
    std::is_same_v<void(Announced&&...), void(Arg&&...)>;

template <class Signatures, class Tag, class... Arg>
inline constexpr bool announces = false;
template <class... Signature, class Tag, class... Arg>
inline constexpr bool announces<completion_signatures<Signature...>, Tag, Arg...> =
    (is_of<Signature, Tag, Arg...> || ...);

// All of several lists, each once.
template <class Known, class... List>
struct join {
  using type = Known;
};
template <class... Known, class... List>
struct join<completion_signatures<Known...>, completion_signatures<>, List...>
    : join<completion_signatures<Known...>, List...> {};
template <class... Known, class First, class... More, class... List>
struct join<completion_signatures<Known...>, completion_signatures<First, More...>, List...>
    : join<
          std::conditional_t<(std::is_same_v<Known, First> || ...), completion_signatures<Known...>,
                             completion_signatures<Known..., First>>,
          completion_signatures<More...>, List...> {};
template <class... List>
using joined = typename join<completion_signatures<>, List...>::type;

/// What `Each::of` makes of pointers to signatures, joined.
template <class Each, class Signatures>
struct make_of_each;
template <class Each, class... Signature>
struct make_of_each<Each, completion_signatures<Signature...>> {
  using type = joined<decltype(Each::of(static_cast<Signature*>(nullptr)))...>;
};
template <class Each, class Signatures>
using made_of_each = typename make_of_each<Each, Signatures>::type;

/// Leaves errors and stops as they are, for those who change values only.
struct same_unless_value {
  template <class Error>
  static auto of(set_error_t (*)(Error)) -> completion_signatures<set_error_t(Error)>;
  static auto of(set_stopped_t (*)()) -> completion_signatures<set_stopped_t()>;
};
struct same_of_each : same_unless_value {
  using same_unless_value::of;
  template <class... Value>
  static auto of(set_value_t (*)(Value...)) -> completion_signatures<set_value_t(Value...)>;
};
struct none_of_values : same_unless_value {
  using same_unless_value::of;
  template <class... Value>
  static auto of(set_value_t (*)(Value...)) -> completion_signatures<>;
};

/// The one signature of values that there is, with decayed types, as `List<Value...>`.
template <template <class...> class List>
struct as_list {
  template <class>
  struct one {};
  struct each {
    template <class... Value>
    static auto of(set_value_t (*)(Value...))
        -> completion_signatures<set_value_t(List<std::decay_t<Value>...>)>;
    template <class Error>
    static auto of(set_error_t (*)(Error)) -> completion_signatures<>;
    static auto of(set_stopped_t (*)()) -> completion_signatures<>;
  };
};
template <class>
struct only_value;
template <class Value>
struct only_value<completion_signatures<set_value_t(Value)>> {
  using type = Value;
};
template <class Signatures, template <class...> class List>
using value_list =
    typename only_value<made_of_each<typename as_list<List>::each, Signatures>>::type;

}  // namespace stand_in
}  // namespace stdexec
