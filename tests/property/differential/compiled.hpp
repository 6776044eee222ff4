// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <utility>
#include <vector>
#include "digest.hpp"
#include "drawn.hpp"

namespace differential {

/// What the compiler makes of the schedule of a seed. A constant for each, because compilers limit
/// the steps of one evaluation.
template <std::uint64_t Seed>
inline constexpr digest compiled = [] {
  const packed declared(draw(Seed));
  return digest(declared.value());
}();

template <std::uint64_t First, std::size_t... I>
std::vector<digest> compile(std::index_sequence<I...>) {
  return {compiled<First + I>...};
}

/// Of seed after seed from the first on, from all translation units; generated.
std::vector<digest> all_compiled();
std::uint64_t first_seed();

}  // namespace differential
