// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <stretto/declare/address_of.hpp>
#include <stretto/declare/fields.hpp>
#include <type_traits>
#include <utility>

namespace stretto {

template <class Slot>
class takes;

namespace declare {

/// The slot that an entry names, with its offset or without.
template <class Entry>
struct accessed {
  using type = Entry;
};
template <class Slot, auto Offset>
struct accessed<at_offset<Slot, Offset>> {
  using type = Slot;
};

template <class Entry>
struct accessed<takes<Entry>> : accessed<Entry> {};

/// The type of a slot's value. (Of what is no slot, itself: a schedule tells of that.)
template <class Slot>
struct value_in {
  using type = typename Slot::value_type;
};
template <class Other>
  requires(sizeof(Other) > 0 && !requires { typename Other::value_type; })
struct value_in<Other> {
  using type = Other;
};
/// Of a slot without a value, or with a reference for one, of which a schedule tells, too.
struct no_value {};
template <class Slot>
  requires(std::is_void_v<typename Slot::value_type> ||
           std::is_reference_v<typename Slot::value_type>)
struct value_in<Slot> {
  using type = no_value;
};

/// What a slot that holds a number is assigned: a copy, so that what is given becomes such a number
/// where the task assigns it, and compilers warn there if a part of it is lost.
template <class Value>
using number_in = std::conditional_t<std::is_arithmetic_v<Value>, Value, no_value>;

/// Refers to the value of a slot that a task writes; `y = v` assigns to it.
template <class Slot>
class written {
 public:
  using slot = typename accessed<Slot>::type;
  using value_type = typename value_in<slot>::type;

  constexpr explicit written(value_type& value) noexcept : value_(address_of(value)) {}
  constexpr written(const written&) noexcept = default;
  written& operator=(const written&) = delete;

  template <class Given = value_type>
    requires(!std::is_arithmetic_v<value_type> && std::is_assignable_v<value_type&, Given>)
  constexpr const written& operator=(Given&& given) const
      noexcept(std::is_nothrow_assignable_v<value_type&, Given>) {
    *value_ = static_cast<Given&&>(given);
    return *this;
  }
  constexpr const written& operator=(number_in<value_type> given) const noexcept
    requires std::is_arithmetic_v<value_type>
  {
    *value_ = given;
    return *this;
  }

  constexpr value_type& get() const noexcept { return *value_; }
  constexpr value_type& operator*() const noexcept { return *value_; }
  constexpr value_type* operator->() const noexcept { return value_; }
  constexpr operator value_type&() const noexcept { return *value_; }

 private:
  value_type* value_;
};

}  // namespace declare

/// A parameter by which a task says that it reads a slot, in place of an entry of `reads`:
/// `void operator()(stretto::in<features> x, stretto::out<loss> y) const`. Refers to the value of
/// the batch that the task works on, as `const T&`.
///
/// The call operator is no template, except in the type of a context in front, and not overloaded:
/// an error if its parameters cannot be read. All parameters behind the context are `in`, `out`,
/// `inout`, `takes`, `previous` or `window`, in any order; a task that has them has neither `reads`
/// nor `writes`.
template <class Slot>
class in {
 public:
  using slot = typename declare::accessed<Slot>::type;
  using value_type = typename declare::value_in<slot>::type;

  constexpr explicit in(const value_type& value) noexcept : value_(declare::address_of(value)) {}
  explicit in(const value_type&&) = delete;
  constexpr in(const in&) noexcept = default;
  in& operator=(const in&) = delete;

  constexpr const value_type& get() const noexcept { return *value_; }
  constexpr const value_type& operator*() const noexcept { return *value_; }
  constexpr const value_type* operator->() const noexcept { return value_; }
  constexpr operator const value_type&() const noexcept { return *value_; }

 private:
  const value_type* value_;
};

/// A parameter by which a task says that it writes a slot, in place of an entry of `writes`. Refers
/// to the value as `T&`, with what an earlier batch left there; `y = v` assigns to it. Errors are
/// those of `in`.
template <class Slot>
class out : public declare::written<Slot> {
 public:
  using declare::written<Slot>::written;
  using declare::written<Slot>::operator=;
};

/// A parameter by which a task says that it takes the value out of a slot, in place of an entry of
/// `reads`, and refers to it as `T&&`: `void operator()(stretto::takes<request> r) const`. Also an
/// entry of `reads`, by which a body with plain parameters gets a `T&&`: `reads<takes<request>>`.
///
/// It is the last to use the batch's value: it comes after all others that read or write it. An
/// error if one of them works further behind, if the slot is a result, or if two tasks take it.
/// Whoever fills the slot finds there what is left of a value that was moved from.
template <class Slot>
class takes {
 public:
  using slot = typename declare::accessed<Slot>::type;
  using value_type = typename declare::value_in<slot>::type;

  constexpr explicit takes(value_type& value) noexcept : value_(declare::address_of(value)) {}
  constexpr explicit takes(value_type&& value) noexcept : value_(declare::address_of(value)) {}
  constexpr takes(const takes&) noexcept = default;
  takes& operator=(const takes&) = delete;

  constexpr value_type&& get() const noexcept { return static_cast<value_type&&>(*value_); }
  constexpr value_type&& operator*() const noexcept { return get(); }
  constexpr value_type* operator->() const noexcept { return value_; }
  constexpr operator value_type&&() const noexcept { return get(); }

  /// Exchanges the value with another, such as that of an `out`: `taken.swap(written);`. Whoever
  /// fills the slot next finds there what the other held, such as a buffer to fill again. (`*taken`
  /// is a `T&&`, which std::swap does not take.)
  constexpr void swap(value_type& other) const noexcept(std::is_nothrow_swappable_v<value_type>) {
    using std::swap;
    swap(*value_, other);
  }

 private:
  value_type* value_;
};

/// As `out`, of a slot that a task further ahead writes: a parameter by which a task says that it
/// updates in place what that task wrote for this batch. An error if there is no such task.
template <class Slot>
class inout : public declare::written<Slot> {
 public:
  using declare::written<Slot>::written;
  using declare::written<Slot>::operator=;
};

}  // namespace stretto
