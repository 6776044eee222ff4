// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <stretto/plan/model/list.hpp>

/// \file
/// What the planner needs of `algorithm`, which costs every user's file more to include than the
/// whole model of plans, and whose functions are several calls each for a compiler that evaluates
/// them.
namespace stretto::planner {

/// Sets something to a new value; returns the one before.
template <class Type>
constexpr Type replace(Type& old, const Type& value) {
  Type kept = static_cast<Type&&>(old);
  old = value;
  return kept;
}

template <class Type>
constexpr const Type& larger(const Type& a, const Type& b) {
  return a < b ? b : a;
}
template <class Type>
constexpr const Type& smaller(const Type& a, const Type& b) {
  return b < a ? b : a;
}

/// The greatest number that divides both, which are not negative; of 0 and another, the other.
template <class Number>
constexpr Number common_divisor(Number a, Number b) {
  while (b != 0) a = replace(b, a % b);
  return a;
}

/// Copies all items to where there is room for them.
template <class Items, class Type>
constexpr void copy_items(const Items& from, Type* to) {
  const auto* const items = from.data();
  const std::size_t count = from.size();
  for (std::size_t i = 0; i < count; ++i) to[i] = items[i];
}

/// The place of the first of the least items, or of the greatest.
template <class Type>
constexpr std::size_t place_of_least(const list<Type>& items) {
  std::size_t least = 0;
  for (std::size_t i = 1; i < items.size(); ++i)
    if (items[i] < items[least]) least = i;
  return least;
}
template <class Type>
constexpr std::size_t place_of_greatest(const list<Type>& items) {
  std::size_t greatest = 0;
  for (std::size_t i = 1; i < items.size(); ++i)
    if (items[greatest] < items[i]) greatest = i;
  return greatest;
}

/// A heap: no item comes before the first of \p items. (Of those of which none comes before the
/// other, any may be the first.)
template <class Type, class Before>
constexpr void push_to_heap(list<Type>& items, const Type& item, Before before) {
  items.push_back(item);
  Type* const heap = items.data();
  std::size_t at = items.size() - 1;
  while (at != 0 && before(item, heap[(at - 1) / 2])) {
    heap[at] = heap[(at - 1) / 2];
    at = (at - 1) / 2;
  }
  heap[at] = item;
}
template <class Type, class Before>
constexpr Type pop_from_heap(list<Type>& items, Before before) {
  Type* const heap = items.data();
  const Type first = heap[0];
  const Type last = items.back();
  items.pop_back();
  const std::size_t size = items.size();
  std::size_t at = 0;
  for (;;) {
    std::size_t below = 2 * at + 1;
    if (below >= size) break;
    if (below + 1 < size && before(heap[below + 1], heap[below])) ++below;
    if (!before(heap[below], last)) break;
    heap[at] = heap[below];
    at = below;
  }
  if (size != 0) heap[at] = last;
  return first;
}

}  // namespace stretto::planner
