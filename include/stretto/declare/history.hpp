// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <array>
#include <cassert>
#include <compare>
#include <cstddef>
#include <stretto/declare/access.hpp>
#include <stretto/declare/address_of.hpp>
#include <stretto/declare/count.hpp>
#include <stretto/declare/tag.hpp>
#include <type_traits>

namespace stretto {

namespace declare {

/// Refers to the value that an earlier batch had of a slot, or to none: at the start of a run there
/// is no such batch. Used like a `std::optional` whose value is const.
template <class Value>
class earlier_value {
 public:
  using value_type = Value;

  constexpr earlier_value() noexcept = default;
  constexpr explicit earlier_value(const value_type& value) noexcept : value_(address_of(value)) {}
  explicit earlier_value(const value_type&&) = delete;

  /// Whether there is such a batch.
  constexpr bool has_value() const noexcept { return value_ != nullptr; }
  constexpr explicit operator bool() const noexcept { return value_ != nullptr; }

  /// The value. There must be one, as in a `std::optional`: ask `has_value` before, or `value_or`.
  /// Without NDEBUG an assertion says so.
  constexpr const value_type& get() const noexcept { return *existing(); }
  constexpr const value_type& operator*() const noexcept { return *existing(); }
  constexpr const value_type* operator->() const noexcept { return existing(); }
  /// The value, or what is given in place of it where there is none.
  template <class Other>
    requires(!std::is_arithmetic_v<value_type> && std::is_copy_constructible_v<value_type> &&
             std::is_convertible_v<Other &&, value_type>)
  constexpr value_type value_or(Other&& other) const {
    return value_ != nullptr ? *value_ : static_cast<value_type>(static_cast<Other&&>(other));
  }
  constexpr value_type value_or(number_in<value_type> other) const noexcept
    requires std::is_arithmetic_v<value_type>
  {
    return value_ != nullptr ? *value_ : other;
  }

 private:
  constexpr const value_type* existing() const noexcept {
    assert(value_ != nullptr &&
           "a previous or latest is empty: there is no such batch at the start of a run, or it was "
           "dropped; ask has_value() or value_or()");
    return value_;
  }

  const value_type* value_ = nullptr;
};

}  // namespace declare

/// What a slot held `Batches` before the batch at hand, when all its writers were done with it: for
/// `reads`, or as a parameter in place of such an entry. Empty at the start of each run, where
/// there is no such batch.
///
/// `void operator()(stretto::in<image> now, stretto::previous<image> before, stretto::out<flow> f)`
///
/// The slot may be one that the task writes itself, or that a task after it writes. It has a copy
/// more for each batch that is looked back. Of a slot that is written once per N batches, `Batches`
/// counts the groups of N before the one that the batch at hand is in, and so it does in a
/// `window`. An error if `Batches` is not from 1 to 100,000, or if a writer of the slot has not got
/// to that batch yet (rule 5).
template <class Slot, auto Batches = 1>
class previous : public declare::earlier_value<typename declare::value_in<Slot>::type> {
 public:
  using slot = Slot;
  using declare::earlier_value<typename declare::value_in<Slot>::type>::earlier_value;
};

/// What was written last to a slot that is not written for every batch (`every`), held until it is
/// written again: for `reads`, or as a parameter in place of such an entry. As it was when the
/// batch `Batches` before the one at hand was worked on; 0: this one. Empty at the start of each
/// run, where nothing has been written yet.
///
/// `void operator()(stretto::in<sample> x, stretto::latest<parameters, 1> p, stretto::out<loss> y)`
///
/// Of a slot that is written for every batch, what `previous<Slot, Batches>` is, or `in<Slot>`. An
/// error if `Batches` is not from 0 to 100,000, or if a writer of the slot has not got to that
/// batch yet (rule 5).
template <class Slot, auto Batches = 0>
class latest : public declare::earlier_value<typename declare::value_in<Slot>::type> {
 public:
  using slot = Slot;
  using declare::earlier_value<typename declare::value_in<Slot>::type>::earlier_value;
};

/// The most batches that a `window` holds.
inline constexpr int widest_window = 1024;

/// What a slot held of the batch at hand and of those before it, `Batches` in all: for `reads`, or
/// as a parameter in place of such an entry. `[0]` is of this batch, as `reads<Slot>` gives it,
/// `[1]` of the one before, as `previous<Slot, 1>` gives it. At the start of each run there are
/// fewer. A range; its iterators are valid as long as the object.
///
/// An error if `Batches` is not from 1 to 1,024; others are those of `reads` and of `previous`.
template <class Slot, auto Batches>
class window {
  static constexpr auto most =
      static_cast<std::size_t>(declare::count<Batches> > 0 ? declare::count<Batches> : 1);

 public:
  using slot = Slot;
  using value_type = typename declare::value_in<Slot>::type;

  class iterator {
   public:
    using difference_type = std::ptrdiff_t;
    using value_type = window::value_type;
    using pointer = const value_type*;
    using reference = const value_type&;
    using iterator_category = std::random_access_iterator_tag;

    constexpr iterator() noexcept = default;
    constexpr explicit iterator(const value_type* const* at) noexcept : at_(at) {}
    constexpr reference operator*() const noexcept { return **at_; }
    constexpr pointer operator->() const noexcept { return *at_; }
    constexpr reference operator[](difference_type n) const noexcept { return *at_[n]; }
    constexpr iterator& operator+=(difference_type n) noexcept {
      at_ += n;
      return *this;
    }
    constexpr iterator& operator-=(difference_type n) noexcept { return *this += -n; }
    constexpr iterator& operator++() noexcept { return *this += 1; }
    constexpr iterator& operator--() noexcept { return *this -= 1; }
    constexpr iterator operator++(int) noexcept { return iterator(at_++); }
    constexpr iterator operator--(int) noexcept { return iterator(at_--); }
    friend constexpr iterator operator+(iterator i, difference_type n) noexcept { return i += n; }
    friend constexpr iterator operator+(difference_type n, iterator i) noexcept { return i += n; }
    friend constexpr iterator operator-(iterator i, difference_type n) noexcept { return i -= n; }
    friend constexpr difference_type operator-(iterator a, iterator b) noexcept {
      return a.at_ - b.at_;
    }
    friend constexpr auto operator<=>(iterator a, iterator b) noexcept = default;

   private:
    const value_type* const* at_ = nullptr;
  };
  using const_iterator = iterator;

  /// Of the values themselves, the newest first.
  template <class... Value>
    requires(sizeof...(Value) > 0 && sizeof...(Value) <= most &&
             (std::is_same_v<std::remove_const_t<Value>, value_type> && ...))
  constexpr explicit window(Value&... newest_first) noexcept
      : values_{declare::address_of(newest_first)...}, size_(sizeof...(Value)) {}
  /// Of those that \p next tells one by one, the newest first.
  template <class Next>
  static constexpr window of(std::size_t size, Next next) {
    return window(one_by_one(), size, next);
  }

  /// At least 1.
  constexpr std::size_t size() const noexcept { return size_; }
  constexpr bool full() const noexcept { return size_ == most; }
  constexpr const value_type& operator[](std::size_t batches_ago) const noexcept {
    assert(batches_ago < size_ &&
           "a window is shorter at the start of a run; ask size() or full()");
    return *values_[batches_ago];
  }
  constexpr const value_type& front() const noexcept { return *values_[0]; }
  /// The oldest.
  constexpr const value_type& back() const noexcept { return *values_[size_ - 1]; }
  constexpr iterator begin() const noexcept { return iterator(values_.data()); }
  constexpr iterator end() const noexcept { return iterator(values_.data() + size_); }

 private:
  struct one_by_one {};
  template <class Next>
  constexpr window(one_by_one, std::size_t size, Next& next) : size_(size) {
    for (std::size_t i = 0; i < size; ++i) values_[i] = next();
  }

  std::array<const value_type*, most> values_{};
  std::size_t size_ = 0;
};

namespace declare {

/// In place of a slot, an entry of `reads` that a body gets as an object of the entry's own type.
template <class Entry>
struct past {
  using value_type = Entry;
};

}  // namespace declare
}  // namespace stretto
