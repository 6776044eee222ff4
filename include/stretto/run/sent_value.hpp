// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <any>
#include <cstddef>
#include <span>

namespace stretto::runner {

/// How values of a type go to other ranks, the type forgotten.
struct sent_value {
  std::any (*copy)(const void* value) = nullptr;  ///< null: there are no copies
  /// Makes \p value what \p sent is; false: that is of another type.
  bool (*take)(void* value, std::any& sent) = nullptr;
  /// What goes to another process; null: the value is more than bytes.
  std::span<const std::byte> (*bytes)(const void* value) = nullptr;
  /// As assign_bytes.
  bool (*assign)(void* value, std::span<const std::byte> bytes) = nullptr;
  // The memory of a device that it stands for, to be sent and to be filled; null: it does not.
  std::span<const std::byte> (*on_device)(const void* value) = nullptr;
  std::span<std::byte> (*room_on_device)(void* value) = nullptr;
};

}  // namespace stretto::runner
