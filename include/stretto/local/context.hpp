// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <any>
#include <cstddef>
#include <stretto/local/core.hpp>
#include <stretto/run/asked_of_collectives.hpp>
#include <stretto/run/sent_value.hpp>
#include <stretto/run/sent_value_of.hpp>

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
    if (!runner::take_sent(value, received)) core_->refuse(node_);
  }

  // Likewise, of values whose type is forgotten.

  static bool can_send(const runner::sent_value& how) { return how.copy != nullptr; }
  void send_as(const runner::sent_value& how, const void* value) const {
    core_->send(node_, how.copy(value));
  }
  void receive_as(const runner::sent_value& how, void* value) const {
    std::any received = core_->receive(node_);
    if (!how.take(value, received)) core_->refuse(node_);
  }

 private:
  detail::core* core_ = nullptr;
  std::size_t node_ = 0;
};

}  // namespace stretto::local

namespace stretto {

template <>
struct asked_of_collectives<local::in_context> {
  static constexpr bool known = true;
  using in_context = local::in_context;
  template <class Here>
  static in_context get(Here, const void* /*spot*/, const void* among) {
    return *static_cast<const in_context*>(among);
  }
};

}  // namespace stretto
