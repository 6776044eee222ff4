// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <stretto/declare/name.hpp>
#include <string_view>
#include <typeinfo>

namespace stretto::dynamic {

/// Which type something is, told by the type and never by how a compiler spells it: lambdas of one
/// function may be spelled alike, and so may types in the anonymous namespaces of two files.
///
/// Each type has an address, which is the same in all of a program. A shared library that hides
/// its symbols, or was opened with RTLD_LOCAL, has addresses of its own; a type that both know is
/// recognised there by its type_info. Without RTTI it is not, and counts as another type.
class type_identity {
 public:
  constexpr type_identity() = default;  ///< of no type

  template <class Type>
  static constexpr type_identity of() {
    type_identity one;
    one.address_ = &declare::identity<Type>;
#if defined(__cpp_rtti)
    one.info_ = &typeid(Type);
#endif
    return one;
  }

  constexpr const char* address() const { return address_; }

  friend bool operator==(const type_identity& a, const type_identity& b) {
    if (a.address_ == b.address_) return true;
    if (a.info_ == nullptr || b.info_ == nullptr) return false;
#if defined(__cpp_rtti)
    return *a.info_ == *b.info_ && !is_of_one_file(a.info_->name());
#else
    return false;
#endif
  }

 private:
  /// Whether a type is known in one file only, as its mangled name tells. Clang takes such types of
  /// two files for one.
  static bool is_of_one_file(std::string_view mangled) {
    constexpr std::size_t none = std::string_view::npos;
    if (mangled.find("_GLOBAL__N_") != none) return true;  // in an anonymous namespace
    if (mangled.find("$_") != none) return true;           // a closure
    for (std::size_t at = mangled.find("ZL"); at != none; at = mangled.find("ZL", at + 1))
      if (at + 2 < mangled.size() && mangled[at + 2] >= '0' && mangled[at + 2] <= '9')
        return true;  // in a static function
    return false;
  }

  const char* address_ = nullptr;
  const std::type_info* info_ = nullptr;  ///< null without RTTI
};

}  // namespace stretto::dynamic
