// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>

namespace stretto::planner {

/// Items that somebody else holds, one behind the other, to read. The planner uses it in place of
/// std::span, whose iterators cost a compiler five calls for each item that a constant looks at.
template <class Type>
class view {
 public:
  using value_type = Type;

  constexpr view() = default;
  constexpr view(const Type* first, std::size_t size) : first_(first), size_(size) {}
  template <std::size_t Count>
  constexpr view(const Type (&items)[Count]) : first_(items), size_(Count) {}
  /// Of a container.
  template <class Items>
    requires requires(const Items& i, const Type*& first) {
      first = i.data();
      i.size();
    }
  constexpr view(const Items& items) : first_(items.data()), size_(items.size()) {}

  constexpr std::size_t size() const { return size_; }
  constexpr bool empty() const { return size_ == 0; }
  constexpr const Type* data() const { return first_; }
  constexpr const Type* begin() const { return first_; }
  constexpr const Type* end() const { return first_ + size_; }
  constexpr const Type& operator[](std::size_t i) const { return first_[i]; }
  constexpr const Type& front() const { return first_[0]; }
  constexpr const Type& back() const { return first_[size_ - 1]; }

 private:
  const Type* first_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace stretto::planner
