// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <stretto/plan/model/view.hpp>

namespace stretto::planner {

/// A growing array. The planner uses it in place of std::vector because every user's file compiles
/// and runs the planner: this costs a compiler a fraction of what std::vector does.
template <class Type>
class list {
 public:
  using value_type = Type;

  constexpr list() = default;
  constexpr list(std::size_t count, const Type& value) { assign(count, value); }
  constexpr explicit list(view<Type> items) { append(items); }
  constexpr list(const list& other) { append(view<Type>(other)); }
  constexpr list(list&& other) noexcept
      : items_(other.items_), size_(other.size_), capacity_(other.capacity_) {
    other.items_ = nullptr;
    other.size_ = other.capacity_ = 0;
  }
  // NOLINTNEXTLINE(bugprone-unhandled-self-assignment): copies first
  constexpr list& operator=(const list& other) { return *this = list(other); }
  constexpr list& operator=(list&& other) noexcept {
    Type* const items = other.items_;
    const std::size_t size = other.size_;
    const std::size_t capacity = other.capacity_;
    other.items_ = nullptr;
    other.size_ = other.capacity_ = 0;
    delete[] items_;
    items_ = items;
    size_ = size;
    capacity_ = capacity;
    return *this;
  }
  constexpr ~list() { delete[] items_; }

  constexpr void push_back(const Type& value) {
    if (size_ == capacity_) {
      Type kept = value;  // which may be one of the items that are about to move
      grow();
      items_[size_++] = static_cast<Type&&>(kept);
    } else {
      items_[size_++] = value;
    }
  }
  constexpr void push_back(Type&& value) {
    if (size_ == capacity_) grow();
    items_[size_++] = static_cast<Type&&>(value);
  }
  constexpr void pop_back() { --size_; }
  constexpr void append(view<Type> items) {
    // Indices, because an iterator's steps cost a compiler several times as much memory.
    const std::size_t count = items.size();
    reserve(size_ + count);
    const Type* const from = items.data();
    Type* const to = items_ + size_;
    for (std::size_t i = 0; i < count; ++i) to[i] = from[i];
    size_ += count;
  }
  constexpr void assign(std::size_t count, const Type& value) {
    size_ = 0;
    reserve(count);
    Type* const to = items_;
    for (std::size_t i = 0; i < count; ++i) to[i] = value;
    size_ = count;
  }
  /// Makes it a list of N items, all of which are to be written next. Returns where they are.
  constexpr Type* overwrite(std::size_t count) {
    size_ = 0;
    reserve(count);
    size_ = count;
    return items_;
  }
  constexpr void reserve(std::size_t capacity) {
    if (capacity <= capacity_) return;
    const std::size_t size = size_;  // read once: T may be char, which may alias *this
    Type* const larger = new Type[capacity];
    Type* const from = items_;
    for (std::size_t i = 0; i < size; ++i) larger[i] = static_cast<Type&&>(from[i]);
    delete[] items_;
    items_ = larger;
    capacity_ = capacity;
  }

  constexpr std::size_t size() const { return size_; }
  constexpr bool empty() const { return size_ == 0; }
  constexpr Type* data() { return items_; }
  constexpr const Type* data() const { return items_; }
  constexpr Type* begin() { return items_; }
  constexpr Type* end() { return items_ + size_; }
  constexpr const Type* begin() const { return items_; }
  constexpr const Type* end() const { return items_ + size_; }
  constexpr Type& operator[](std::size_t i) { return items_[i]; }
  constexpr const Type& operator[](std::size_t i) const { return items_[i]; }
  constexpr Type& front() { return items_[0]; }
  constexpr const Type& front() const { return items_[0]; }
  constexpr Type& back() { return items_[size_ - 1]; }
  constexpr const Type& back() const { return items_[size_ - 1]; }

  /// As a container of the standard library.
  template <class Container>
    requires requires { typename Container::allocator_type; }
  constexpr operator Container() const {
    return Container(begin(), end());
  }

  /// Compares with any container, item by item.
  template <class Other>
  friend constexpr bool operator==(const list& a, const Other& b) {
    bool equal = a.size_ == b.size();
    for (std::size_t i = 0; equal && i < a.size_; ++i) equal = a.items_[i] == b.data()[i];
    return equal;
  }

 private:
  constexpr void grow() { reserve(capacity_ == 0 ? 8 : 2 * capacity_); }

  Type* items_ = nullptr;
  std::size_t size_ = 0;
  std::size_t capacity_ = 0;
};

/// Sorts a few items, keeping the order of equals.
template <class Items, class Before>
constexpr void insertion_sort(Items& items, Before before) {
  for (std::size_t i = 1; i < items.size(); ++i) {
    const auto item = items[i];
    std::size_t j = i;
    for (; j > 0 && before(item, items[j - 1]); --j) items[j] = items[j - 1];
    items[j] = item;
  }
}

/// Sorts any number of \p items, numbers that are places in \p keys, by those keys. Keeps the order
/// of equals. (No template, of which compilers would make one for each order.)
constexpr void sort_by_key(list<std::size_t>& items, const list<std::size_t>& keys) {
  const std::size_t size = items.size();
  const std::size_t* const key = keys.data();
  std::size_t* const sorted = items.data();
  list<std::size_t> scratch;
  for (std::size_t run = 1; run < size; run *= 2) {
    for (std::size_t first = 0; first + run < size; first += 2 * run) {
      std::size_t* right = sorted + first + run;
      if (key[*(right - 1)] <= key[*right]) continue;
      scratch.assign(0, 0);
      scratch.append({sorted + first, run});
      const std::size_t* left = scratch.data();
      const std::size_t* const left_end = left + run;
      const std::size_t* const end =
          first + 2 * run < size ? sorted + first + 2 * run : sorted + size;
      for (std::size_t* to = sorted + first; left != left_end; ++to)
        *to = right != end && key[*right] < key[*left] ? *right++ : *left++;
    }
  }
}

/// The places of \p keys in the order of the keys; of equals, the first comes first.
constexpr list<std::size_t> places_by_key(const list<std::size_t>& keys) {
  list<std::size_t> places(keys.size(), 0);
  for (std::size_t i = 0; i < keys.size(); ++i) places[i] = i;
  sort_by_key(places, keys);
  return places;
}

}  // namespace stretto::planner
