// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>

namespace stretto::testing::recording {

/// Bytes that a piece of work uses.
struct access {
  const void* at = nullptr;
  std::size_t bytes = 0;
  bool writes = false;
  int device = -1;  // of the kernel that uses them; negative: somebody else does, from anywhere
};
inline access reads(const void* at, std::size_t bytes) { return {at, bytes, false}; }
inline access writes(const void* at, std::size_t bytes) { return {at, bytes, true}; }

}  // namespace stretto::testing::recording
