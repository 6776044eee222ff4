// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>

namespace stretto::planner {

/// What copies of a slot of this size are aligned to: cache lines, because batches in flight are in
/// use by several threads at once. Large values have pages of their own, so that each is in the
/// memory next to the thread that makes it.
constexpr std::size_t copy_alignment(std::size_t size) {
  return size >= std::size_t{64} * 1024 ? 4096 : 64;
}

/// The bytes of a copy of a slot, with the cache lines around it.
constexpr std::size_t copy_size(std::size_t size, std::size_t alignment) {
  const std::size_t line = copy_alignment(size) > alignment ? copy_alignment(size) : alignment;
  return (size + line - 1) / line * line;
}

}  // namespace stretto::planner
