// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <concepts>
#include <type_traits>

// Operation states: [exec.opstate].
namespace stdexec {

struct operation_state_tag {};
using operation_state_t = operation_state_tag;

struct start_t {
  template <class Operation>
    requires requires(Operation& operation) {
      { operation.start() } noexcept;
    }
  void operator()(Operation& operation) const noexcept {
    operation.start();
  }
};
inline constexpr start_t start{};

template <class Type>
concept operation_state =
    std::derived_from<typename Type::operation_state_concept, operation_state_tag> &&
    std::is_object_v<Type> && requires(Type& operation) {
      { start(operation) } noexcept;
    };

}  // namespace stdexec
