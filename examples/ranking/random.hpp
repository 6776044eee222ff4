// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

namespace ranking {

/// A small generator that gives the same numbers with every standard library.
class random_numbers {
 public:
  explicit random_numbers(std::uint64_t seed) : state_(seed) {}

  std::uint64_t operator()() {
    state_ += 0x9E3779B97F4A7C15U;
    std::uint64_t z = state_;
    z = (z ^ (z >> 30U)) * 0xBF58476D1CE4E5B9U;
    z = (z ^ (z >> 27U)) * 0x94D049BB133111EBU;
    return z ^ (z >> 31U);
  }

  /// From 0 to `end` - 1; the bias is below 2^-32 for the sizes used here.
  std::uint32_t below(std::uint32_t end) {
    return static_cast<std::uint32_t>(((*this)() >> 32U) * end >> 32U);
  }

  /// From -1 to 1.
  float symmetric() {
    return static_cast<float>(static_cast<std::int64_t>((*this)() >> 40U) - (1 << 23)) * 0x1p-23F;
  }

 private:
  std::uint64_t state_;
};

template <class T>
void shuffle(std::span<T> values, random_numbers& draw) {
  for (std::size_t i = values.size(); i > 1; --i)
    std::swap(values[i - 1], values[draw.below(static_cast<std::uint32_t>(i))]);
}

}  // namespace ranking
