// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cstddef>
#include <limits>
#include <new>
#include <stretto/dynamic/values/slot_type.hpp>
#include <stretto/plan/derive/signal_slots.hpp>
#include <stretto/run/slot_storage.hpp>
#include <utility>

namespace stretto::dynamic::detail {

/// Room for the copies of one slot, each on cache lines of its own: batches in flight are in use by
/// several threads at once. Their values are made by the threads that fill them: see
/// run/slot_storage.hpp.
class slot_copies {
 public:
  /// \p every: of how many batches it is written for one. \p values: in a copy, side by side.
  slot_copies(const slot_type& type, std::size_t copies, std::size_t every = 1,
              std::size_t values = 1)
      : type_(&type),
        every_(every),
        values_(values),
        alignment_((std::max)(type.alignment, planner::copy_alignment(size_of_values()))),
        stride_(planner::copy_size(size_of_values(), type.alignment)),
        copies_(copies),
        first_(allocated()) {}
  slot_copies(slot_copies&& other) noexcept
      : type_(other.type_),
        every_(other.every_),
        values_(other.values_),
        alignment_(other.alignment_),
        stride_(other.stride_),
        copies_(other.copies_),
        first_(std::exchange(other.first_, nullptr)) {}
  slot_copies(const slot_copies&) = delete;
  slot_copies& operator=(const slot_copies&) = delete;
  slot_copies& operator=(slot_copies&&) = delete;
  ~slot_copies() { ::operator delete(first_, std::align_val_t(alignment_)); }

  const slot_type& type() const { return *type_; }
  std::size_t size() const { return copies_; }
  std::size_t bytes() const { return stride_ * copies_; }
  void* at(std::size_t copy) const { return first_ + copy * stride_; }
  /// The signal in a copy, if there is one: it takes what is left of the copy's last cache line.
  void* signal_at(std::size_t copy) const {
    return static_cast<std::byte*>(at(copy)) + planner::signal_place(size_of_values());
  }
  std::size_t values() const { return values_; }
  /// In bytes, those of a copy.
  std::size_t size_of_values() const { return type_->size * values_; }
  std::size_t stride() const { return stride_; }
  std::size_t every() const { return every_; }
  /// The copy that holds a batch, or the value of the group that it is in.
  void* of_batch(std::size_t batch) const { return at(batch / every_ % copies_); }

 private:
  std::byte* allocated() const {
    if (copies_ > (std::numeric_limits<std::size_t>::max)() / stride_)
      throw std::bad_array_new_length();
    return static_cast<std::byte*>(::operator new(stride_* copies_, std::align_val_t(alignment_)));
  }

  const slot_type* type_;
  std::size_t every_;
  std::size_t values_;
  std::size_t alignment_;
  std::size_t stride_;
  std::size_t copies_;
  std::byte* first_;
};

}  // namespace stretto::dynamic::detail
