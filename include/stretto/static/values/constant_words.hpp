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
    for (const std::size_t n : all) push(n);
  }
  constexpr void push(const planner::list<planner::edge>& edges) {
    for (const planner::edge& e : edges) {
      if (size + 6 <= Capacity) {
        std::size_t* const to = numbers.data() + size;
        to[0] = e.producer;
        to[1] = e.consumer;
        to[2] = static_cast<std::size_t>(e.delta);
        to[3] = static_cast<std::size_t>(e.why);
        to[4] = e.slot;
        to[5] = static_cast<std::size_t>(e.offset);
      }
      size += 6;
    }
  }
};

/// Reads a row from its beginning.
class word_reader {
 public:
  template <std::size_t Capacity>
  constexpr explicit word_reader(const constant_words<Capacity>& row) : at_(row.numbers.data()) {}

  constexpr std::size_t next() { return *at_++; }
  constexpr int next_int() { return static_cast<int>(next()); }
  constexpr planner::list<std::size_t> next_list(std::size_t count) {
    planner::list<std::size_t> all;
    all.reserve(count);
    for (std::size_t i = 0; i < count; ++i) all.push_back(next());
    return all;
  }
  constexpr planner::list<planner::edge> next_edges(std::size_t count) {
    planner::list<planner::edge> edges(count, planner::edge{});
    for (planner::edge& e : edges) {
      e = {at_[0],
           at_[1],
           static_cast<int>(at_[2]),
           static_cast<planner::reason>(at_[3]),
           at_[4],
           static_cast<int>(at_[5])};
      at_ += 6;
    }
    return edges;
  }

 private:
  const std::size_t* at_;
};

}  // namespace stretto::typed
