// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <atomic>
#include <cstddef>
#include <stretto/declare/address_of.hpp>
#include <type_traits>
#include <utility>

namespace stretto::dynamic::detail {

/// An object of any type. Copies have one of their own, unless it cannot be copied: then they share
/// it. (Not by std::shared_ptr: `memory` would be a tenth of what a file with a pipeline costs to
/// compile.)
class any_callable {
 public:
  any_callable() = default;
  template <class Function, class Given>
  any_callable(std::type_identity<Function>, Given&& callable)
      : held_(new object_of<Function>(std::forward<Given>(callable))) {}
  any_callable(const any_callable& other)
      : held_(other.held_ == nullptr ? nullptr : other.held_->copy()) {}
  any_callable(any_callable&& other) noexcept : held_(std::exchange(other.held_, nullptr)) {}
  any_callable& operator=(any_callable other) noexcept {
    std::swap(held_, other.held_);
    return *this;
  }
  ~any_callable() {
    // acq_rel: whoever is last destroys what all others have done to it.
    if (held_ != nullptr && held_->owners.fetch_sub(1, std::memory_order_acq_rel) == 1)
      delete held_;
  }

  void* get() const { return held_ == nullptr ? nullptr : held_->at; }

 private:
  struct object {
    std::atomic<std::size_t> owners{1};
    void* at = nullptr;

    object() = default;
    object(const object&) = delete;
    object& operator=(const object&) = delete;
    virtual ~object() = default;
    virtual object* copy() = 0;
  };
  template <class Function>
  struct object_of final : object {
    Function function;

    template <class Given>
    // NOLINTNEXTLINE(bugprone-forwarding-reference-overload): is given no other object_of
    explicit object_of(Given&& callable) : function(std::forward<Given>(callable)) {
      // NOLINTNEXTLINE(cppcoreguidelines-prefer-member-initializer): of the base
      at = declare::address_of(function);
    }
    object* copy() override {
      if constexpr (std::is_copy_constructible_v<Function>) {
        return new object_of(std::as_const(function));
      } else {
        owners.fetch_add(1, std::memory_order_relaxed);  // relaxed: its owner keeps it there
        return this;
      }
    }
  };

  object* held_ = nullptr;
};

}  // namespace stretto::dynamic::detail
