// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <concepts>
#include <cstddef>
#include <cstring>
#include <span>  // std::ranges::view, too
#include <string>
#include <type_traits>
#include <vector>

namespace stretto {

/// Whether all that there is to a container, one of your own or derived from a standard one, is its
/// elements, which lie one behind the other: specialise it, and other processes are sent those.
template <class Container>
inline constexpr bool sent_by_elements = false;

namespace runner {

/// What means the same as bytes in another process, as far as its type tells.
template <class Type>
concept plain = std::is_trivially_copyable_v<Type> && !std::is_pointer_v<Type> &&
                !std::is_member_pointer_v<Type> && !std::ranges::view<Type>;

template <class Type>
inline constexpr bool standard_row = false;
template <class... Of>
inline constexpr bool standard_row<std::vector<Of...>> = true;
template <class... Of>
inline constexpr bool standard_row<std::basic_string<Of...>> = true;

/// A container of those, one behind the other: std::vector, std::string, or what its author says is
/// no more than its elements. What is derived from one may have members that would be lost.
template <class Type>
concept row_of_plain =
    !plain<Type> && (standard_row<Type> || sent_by_elements<Type>)&&requires(Type& row) {
      typename Type::value_type;
      requires plain<typename Type::value_type>;
      { row.data() } -> std::same_as<typename Type::value_type*>;
      { row.size() } -> std::convertible_to<std::size_t>;
      row.resize(std::size_t{});
    };

template <class Value>
concept sent_as_bytes = plain<Value> || row_of_plain<Value>;

/// The bytes of a value that go to another process.
template <sent_as_bytes Value>
std::span<const std::byte> bytes_of(const Value& value) {
  if constexpr (plain<Value>) {
    return std::as_bytes(std::span<const Value, 1>(&value, 1));
  } else {
    return std::as_bytes(std::span(value.data(), value.size()));
  }
}

/// The memory of a device that a value stands for, which the host cannot read.
template <class Value>
std::span<const std::byte> device_bytes_of(const Value& value) {
  return std::as_bytes(std::span(value.data(), value.size()));
}
template <class Value>
std::span<std::byte> device_bytes_of(Value& value) {
  return std::as_writable_bytes(std::span(value.data(), value.size()));
}

/// Makes the value whose bytes came; false: they are not those of such a value.
template <sent_as_bytes Value>
bool assign_bytes(Value& value, std::span<const std::byte> bytes) {
  if constexpr (plain<Value>) {
    if (bytes.size() != sizeof(Value)) return false;
    std::memcpy(&value, bytes.data(), sizeof(Value));
  } else {
    constexpr std::size_t each = sizeof(typename Value::value_type);
    if (bytes.size() % each != 0) return false;
    value.resize(bytes.size() / each);
    if (!bytes.empty()) std::memcpy(value.data(), bytes.data(), bytes.size());
  }
  return true;
}

}  // namespace runner
}  // namespace stretto
