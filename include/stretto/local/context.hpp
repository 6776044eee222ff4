// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <any>
#include <cstddef>
#include <stretto/local/core.hpp>
#include <utility>

namespace stretto::local {

/// What the context of a body gets from `local::collectives`.
class in_context {
 public:
  in_context() = default;
  in_context(detail::core& all, std::size_t node) : core_(&all), node_(node) {}

  /// The number of this rank,
  std::size_t rank() const { return core_->number(); }
  /// and how many there are.
  std::size_t ranks() const { return core_->size(); }

  // For transfers.

  template <class Value>
  void send_value(const Value& value) const {
    core_->send(node_, std::any(value));
  }
  template <class Value>
  void receive_value(Value& value) const {
    std::any received = core_->receive(node_);
    auto* const found = std::any_cast<Value>(&received);
    if (found == nullptr) core_->refuse(node_);
    value = std::move(*found);
  }

 private:
  detail::core* core_ = nullptr;
  std::size_t node_ = 0;
};

}  // namespace stretto::local
