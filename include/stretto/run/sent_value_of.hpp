// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <any>
#include <cstddef>
#include <span>
#include <stretto/run/asked_of_device.hpp>
#include <stretto/run/sent_value.hpp>
#include <stretto/run/value_bytes.hpp>
#include <type_traits>
#include <utility>

namespace stretto::runner {

/// What values are that ranks of one process send each other.
template <class Value>
inline constexpr bool sent_as_copy =
    std::is_copy_constructible_v<Value> && std::is_move_assignable_v<Value>;

/// Moves what was sent into a value; false: it is of another type.
template <class Value>
bool take_sent(Value& value, std::any& sent) {
  auto* const found = std::any_cast<Value>(&sent);
  if (found != nullptr) value = std::move(*found);
  return found != nullptr;
}

template <class Value>
constexpr sent_value make_sent_value() {
  sent_value how;
  if constexpr (sent_as_copy<Value>) {
    how.copy = [](const void* value) { return std::any(*static_cast<const Value*>(value)); };
    how.take = [](void* value, std::any& sent) {
      return take_sent(*static_cast<Value*>(value), sent);
    };
  }
  if constexpr (sent_as_bytes<Value>) {
    how.bytes = [](const void* value) { return bytes_of(*static_cast<const Value*>(value)); };
    how.assign = [](void* value, std::span<const std::byte> bytes) {
      return assign_bytes(*static_cast<Value*>(value), bytes);
    };
  }
  if constexpr (lies_on_device<Value>) {
    how.on_device = [](const void* value) {
      return device_bytes_of(*static_cast<const Value*>(value));
    };
    how.room_on_device = [](void* value) { return device_bytes_of(*static_cast<Value*>(value)); };
  }
  return how;
}
/// How values of a type are sent; lives as long as the program.
template <class Value>
inline constexpr sent_value sent_value_of = make_sent_value<Value>();

}  // namespace stretto::runner
