// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

namespace stretto::runner::detail {

/// An object that goes with its owner, or none. A type that says `end` ends by it. (Not
/// std::unique_ptr: every user's file would read `memory`.)
template <class Type>
class owned {
 public:
  owned() = default;
  explicit owned(Type* object) : object_(object) {}
  owned(const owned&) = delete;
  owned& operator=(const owned&) = delete;
  ~owned() {
    if constexpr (requires { Type::end(object_); }) {
      Type::end(object_);
    } else {
      delete object_;
    }
  }

  /// Takes the place of none.
  void set(Type* object) { object_ = object; }
  Type* get() const { return object_; }
  Type* operator->() const { return object_; }
  explicit operator bool() const { return object_ != nullptr; }

 private:
  Type* object_ = nullptr;
};

}  // namespace stretto::runner::detail
