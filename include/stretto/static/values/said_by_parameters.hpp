// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <array>
#include <cstddef>
#include <stretto/declare/access.hpp>
#include <stretto/declare/context.hpp>
#include <stretto/declare/history.hpp>
#include <stretto/declare/items.hpp>
#include <stretto/declare/pack.hpp>
#include <stretto/declare/suspends.hpp>
#include <stretto/declare/verdict.hpp>
#include <type_traits>

/// What a task that lists no slots says of them by the parameters of its call operator.
namespace stretto::typed {

namespace detail {

/// Whatever somebody wants of a context.
struct whatever {
  template <class Type>
  operator Type() const;
};
/// Stands for the context that a call operator deduces. If its result is deduced as well, the body
/// is compiled with it: so it has what the contexts of devices and collectives have.
struct some_context : task_context {
  whatever stream() const;
  int device() const;
  whatever communicator() const;
  int rank() const;
  int ranks() const;
  template <class... Given>
  void wait(Given&&...) const;
  void barrier() const;
  template <class... Given>
  void all_reduce(Given&&...) const;
  template <class Given, class... Other>
  Given all_reduced(Given, Other&&...) const;
  template <class... Given>
  void broadcast(Given&&...) const;
  template <class... Given>
  void all_gather(Given&&...) const;
  template <class... Given>
  void reduce_scatter(Given&&...) const;
  template <class... Given>
  void all_to_all(Given&&...) const;
  template <class... Given>
  void send(Given&&...) const;
  template <class... Given>
  void receive(Given&&...) const;
  template <class... Given>
  void checked(Given&&...) const;
  template <class... Given>
  void grouped(Given&&...) const;
};

template <class Class, class Result, class... Parameter>
auto parameters_in(Result (Class::*)(Parameter...)) -> pack<Parameter...>;
template <class Class, class Result, class... Parameter>
auto parameters_in(Result (Class::*)(Parameter...) const) -> pack<Parameter...>;
template <class Class, class Result, class... Parameter>
auto parameters_in(Result (Class::*)(Parameter...) &) -> pack<Parameter...>;
template <class Class, class Result, class... Parameter>
auto parameters_in(Result (Class::*)(Parameter...) const&) -> pack<Parameter...>;
template <class Result, class... Parameter>
auto parameters_in(Result (*)(Parameter...)) -> pack<Parameter...>;

// The verdict that a call operator returns.
template <class Class, class... Parameter>
verdict verdict_in(verdict (Class::*)(Parameter...));
template <class Class, class... Parameter>
verdict verdict_in(verdict (Class::*)(Parameter...) const);
template <class Class, class... Parameter>
verdict verdict_in(verdict (Class::*)(Parameter...) &);
template <class Class, class... Parameter>
verdict verdict_in(verdict (Class::*)(Parameter...) const&);
template <class... Parameter>
verdict verdict_in(verdict (*)(Parameter...));

// The coroutine that a call operator returns.
template <class Class, class... Parameter>
void suspendable_in(suspendable (Class::*)(Parameter...));
template <class Class, class... Parameter>
void suspendable_in(suspendable (Class::*)(Parameter...) const);
template <class Class, class... Parameter>
void suspendable_in(suspendable (Class::*)(Parameter...) &);
template <class Class, class... Parameter>
void suspendable_in(suspendable (Class::*)(Parameter...) const&);
template <class... Parameter>
void suspendable_in(suspendable (*)(Parameter...));

/// In place of the parameters of a call operator that is private, overloaded, or a template that
/// deduces more than a context; or of none.
struct unreadable {};

// (Qualified, so that nobody looks at what the parameters are.)
template <class Type>
consteval auto call_parameters() {
  if constexpr (requires { detail::parameters_in(&Type::operator()); }) {
    return decltype(detail::parameters_in(&Type::operator())){};
  } else if constexpr (requires {
                         detail::parameters_in(&Type::template operator()<some_context>);
                       }) {
    return decltype(detail::parameters_in(&Type::template operator()<some_context>)){};
  } else {
    return unreadable{};
  }
}

/// What a parameter says that is itself an entry of `reads`.
template <class Entry>
struct access_to_past {
  static constexpr bool ok = true;
  static constexpr bool is_reference = false;
  using type = pack<Entry>;
  using slot = pack<declare::past<Entry>>;
  using reads = pack<Entry>;
  using writes = pack<>;
  using updates = pack<>;
};

/// What one parameter says of a slot; `type` is what is made of the slot's value for it.
template <class Parameter>
struct access_by {
  static constexpr bool ok = false;
  static constexpr bool is_reference = false;  ///< to what would say something by value
  using type = pack<>;
  using slot = pack<>;
  using reads = pack<>;
  using writes = pack<>;
  using updates = pack<>;
};
template <class Entry>
struct access_by<in<Entry>> {
  static constexpr bool ok = true;
  static constexpr bool is_reference = false;
  using type = pack<in<Entry>>;
  using slot = pack<typename declare::accessed<Entry>::type>;
  using reads = pack<Entry>;
  using writes = pack<>;
  using updates = pack<>;
};
template <class Entry>
struct access_by<out<Entry>> {
  static constexpr bool ok = true;
  static constexpr bool is_reference = false;
  using type = pack<out<Entry>>;
  using slot = pack<typename declare::accessed<Entry>::type>;
  using reads = pack<>;
  using writes = pack<Entry>;
  using updates = pack<>;
};
template <class Entry>
struct access_by<inout<Entry>> {
  static constexpr bool ok = true;
  static constexpr bool is_reference = false;
  using type = pack<inout<Entry>>;
  using slot = pack<typename declare::accessed<Entry>::type>;
  using reads = pack<>;
  using writes = pack<Entry>;
  using updates = slot;
};
/// What says by itself that it is read, and so is no slot. (A schedule tells of that.)
template <class Entry>
struct access_by_both : access_to_past<Entry> {
  using type = pack<in<Entry>>;
  using slot = pack<in<Entry>>;
  using reads = pack<in<Entry>>;
};
template <class Slot, auto Batches>
struct access_by<in<previous<Slot, Batches>>> : access_by_both<previous<Slot, Batches>> {};
template <class Slot, auto Batches>
struct access_by<in<window<Slot, Batches>>> : access_by_both<window<Slot, Batches>> {};
template <class Slot, auto Batches>
struct access_by<in<latest<Slot, Batches>>> : access_by_both<latest<Slot, Batches>> {};
template <class Slot, auto Items>
struct access_by<in<consumes<Slot, Items>>> : access_by_both<consumes<Slot, Items>> {};
template <class Slot, auto Batches>
struct access_by<previous<Slot, Batches>> : access_to_past<previous<Slot, Batches>> {};
template <class Slot, auto Batches>
struct access_by<window<Slot, Batches>> : access_to_past<window<Slot, Batches>> {};
template <class Slot, auto Batches>
struct access_by<latest<Slot, Batches>> : access_to_past<latest<Slot, Batches>> {};
template <class Slot, auto Items>
struct access_by<consumes<Slot, Items>> : access_to_past<consumes<Slot, Items>> {};
template <class Slot, auto Items>
struct access_by<produces<Slot, Items>> : access_to_past<produces<Slot, Items>> {
  using reads = pack<>;
  using writes = pack<produces<Slot, Items>>;
};
template <class Entry>
struct access_by<takes<Entry>> {
  static constexpr bool ok = true;
  static constexpr bool is_reference = false;
  using type = pack<takes<Entry>>;
  using slot = pack<typename declare::accessed<Entry>::type>;
  using reads = pack<takes<Entry>>;
  using writes = pack<>;
  using updates = pack<>;
};
template <class Access>
struct access_by<Access&> : access_by<void> {
  static constexpr bool is_reference = access_by<Access>::ok;
};
template <class Access>
struct access_by<const Access&> : access_by<Access> {};
template <class Access>
struct access_by<Access&&> : access_by<std::remove_const_t<Access>> {};

template <class... First, class... Second>
auto operator+(pack<First...>, pack<Second...>) -> pack<First..., Second...>;

/// What parameters say of slots, in their order: nothing, if none is `in`, `out`, `inout` or
/// `takes`.
template <class Parameters>
struct said_by {
  static constexpr bool readable = false;
  using parameters = pack<>;
  using accesses = pack<>;
  using slot_list = pack<>;
  using reads = pack<>;
  using writes = pack<>;
  using updates = pack<>;
  static constexpr int odd = 0;
};
template <class... Parameter>
struct said_by<pack<Parameter...>> {
  static constexpr bool readable = true;
  using parameters = pack<Parameter...>;
  using accesses = decltype((pack<>{} + ... + typename access_by<Parameter>::type{}));
  using slot_list = decltype((pack<>{} + ... + typename access_by<Parameter>::slot{}));
  using reads = decltype((pack<>{} + ... + typename access_by<Parameter>::reads{}));
  using writes = decltype((pack<>{} + ... + typename access_by<Parameter>::writes{}));
  using updates = decltype((pack<>{} + ... + typename access_by<Parameter>::updates{}));
  /// The place of the first parameter that is a reference to one of them or, behind a context, none
  /// of them, from 1; none: 0.
  static constexpr int odd = [] {
    constexpr bool said = accesses::size > 0;
    int place = 0;
    int found = 0;
    [[maybe_unused]] const auto look_at = [&place, &found](bool ok, bool is_reference) {
      ++place;
      if (found == 0 && (is_reference || (said && !ok && place > 1))) found = place;
    };
    (..., look_at(access_by<Parameter>::ok, access_by<Parameter>::is_reference));
    return found;
  }();
};

}  // namespace detail

/// Whether a task's call operator, which is neither overloaded nor a template, returns a verdict;
/// or one of a task that lists no slots, which deduces a context and nothing else.
template <class Type>
concept may_drop =
    requires { detail::verdict_in(&Type::operator()); } ||
    (
        !requires { typename Type::reads; } && !requires { typename Type::writes; } &&
        requires { detail::verdict_in(&Type::template operator()<detail::some_context>); });

/// Whether a task is a coroutine that may be suspended.
template <class Type>
concept may_suspend = requires { detail::suspendable_in(&Type::operator()); };

/// What a task says of slots by the parameters of its call operator.
template <class Type>
using said_by_task = detail::said_by<decltype(detail::call_parameters<Type>())>;

}  // namespace stretto::typed
