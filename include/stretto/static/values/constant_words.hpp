// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <array>
#include <cstddef>
#include <stretto/plan/model/edge.hpp>
#include <stretto/plan/model/list.hpp>

/// Lists as constants. What the planner makes allocates, which a constant may not, and how large it
/// is is known only when it is made. So it is written down as one row of numbers with room to
/// spare, which costs compilers nothing, and read from there as often as it is needed.
///
/// A constant is made by a function that is given what it is made of. If it were a lambda that
/// takes nothing, GCC would evaluate the calls in there twice: once for the constant, and before
/// that where it compiles the lambda and sees calls whose arguments are constants.
namespace stretto::typed {

/// Numbers, as many as there is room for.
template <std::size_t Capacity>
struct constant_words {
  std::array<std::size_t, Capacity> numbers{};
  std::size_t size = 0;  ///< more than Capacity: what came then is not here

  constexpr void push(std::size_t number) {
    if (size < Capacity) numbers[size] = number;
    ++size;
  }
  constexpr void push(const planner::list<std::size_t>& all) {
    const std::size_t* const from = all.data();
    std::size_t* const to = numbers.data();
    const std::size_t count = fitting(all.size(), 1);
    for (std::size_t i = 0; i < count; ++i) to[size + i] = from[i];
    size += all.size();
  }
  constexpr void push(const planner::list<planner::edge>& edges) {
    const planner::edge* const from = edges.data();
    std::size_t* const to = numbers.data();
    const std::size_t count = fitting(edges.size(), 6);
    std::size_t at = size;
    for (std::size_t i = 0; i < count; ++i) {
      to[at] = from[i].producer;
      to[at + 1] = from[i].consumer;
      to[at + 2] = static_cast<std::size_t>(from[i].delta);
      to[at + 3] = static_cast<std::size_t>(from[i].why);
      to[at + 4] = from[i].slot;
      to[at + 5] = static_cast<std::size_t>(from[i].offset);
      at += 6;
    }
    size += 6 * edges.size();
  }

 private:
  /// How many of \p count items, each of N numbers, there is room for.
  constexpr std::size_t fitting(std::size_t count, std::size_t each) const {
    const std::size_t room = size < Capacity ? (Capacity - size) / each : 0;
    return count < room ? count : room;
  }
};

/// Reads a row from its beginning.
class word_reader {
 public:
  template <std::size_t Capacity>
  constexpr explicit word_reader(const constant_words<Capacity>& row) : at_(row.numbers.data()) {}

  constexpr std::size_t next() { return *at_++; }
  constexpr void skip(std::size_t count) { at_ += count; }
  constexpr int next_int() { return static_cast<int>(next()); }
  constexpr planner::list<std::size_t> next_list(std::size_t count) {
    planner::list<std::size_t> all(planner::view<std::size_t>(at_, count));
    at_ += count;
    return all;
  }
  constexpr planner::list<planner::edge> next_edges(std::size_t count) {
    planner::list<planner::edge> edges;
    planner::edge* const to = edges.overwrite(count);
    const std::size_t* const from = at_;
    for (std::size_t i = 0; i < count; ++i) {
      const std::size_t at = 6 * i;
      to[i] = {from[at],
               from[at + 1],
               static_cast<int>(from[at + 2]),
               static_cast<planner::reason>(from[at + 3]),
               from[at + 4],
               static_cast<int>(from[at + 5])};
    }
    at_ += 6 * count;
    return edges;
  }

 private:
  const std::size_t* at_;
};

}  // namespace stretto::typed
