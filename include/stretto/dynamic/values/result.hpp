// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <stretto/dynamic/values/slot_access.hpp>
#include <stretto/dynamic/values/slot_type.hpp>
#include <string_view>

namespace stretto::dynamic {

/// What a batch yields: its number, and the values of the slots that are results. Valid until the
/// run goes on.
class result {
 public:
  result(const detail::slot_names& names, void* const* slot_list, std::size_t batch)
      : names_(&names), slots_(slot_list), batch_(batch) {}

  std::size_t batch() const { return batch_; }

  /// The value of the result slot. Throws `usage_error` if it is of another type, or if there is
  /// not just one.
  template <slot_value Type>
  Type& get() const {
    if (names_->only == &type_of<Type>()) [[likely]]
      return *static_cast<Type*>(*slots_);
    if (names_->named.size() != 1) detail::refuse_unnamed(*names_);
    return get<Type>(names_->named.front().name);
  }
  /// The value of one of several. Throws `usage_error` if it is no result, or of another type.
  template <slot_value Type>
  Type& get(std::string_view slot) const {
    return *static_cast<Type*>(slots_[detail::place_of(*names_, slot, false, type_of<Type>())]);
  }

 private:
  const detail::slot_names* names_;
  void* const* slots_;
  std::size_t batch_;
};

}  // namespace stretto::dynamic
