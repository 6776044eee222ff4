// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <stretto/declare/pack.hpp>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

/// Stands before the library's header of this name, where a diagnostic becomes a compile error:
/// here it is no error, but kept, so that one program can print the sentences of all cases.
namespace stretto::errors {

struct no_error {
  static pack<no_error> named();
};

template <class Diagnostic>
inline constexpr bool is_no_error = std::is_same_v<Diagnostic, no_error>;

struct complaint_made {
  std::string_view type;
  std::string sentence;
};
inline std::vector<complaint_made>& complaints_made() {
  static std::vector<complaint_made> all;
  return all;
}
template <class Diagnostic>
std::string_view type_of() {
  return __PRETTY_FUNCTION__;
}
template <class Diagnostic>
inline const bool made = [] {
  complaints_made().push_back({type_of<Diagnostic>(), Diagnostic::text()});
  return true;
}();

template <const bool*>
struct used {};
template <class Diagnostic>
struct emit_error : std::false_type {
  using keep = used<&made<Diagnostic>>;
};
template <>
struct emit_error<no_error> : std::true_type {};

#define STRETTO_REFUSED
template <class Diagnostic>
inline constexpr auto why = 0;
template <class Diagnostic>
using emit_in_body = emit_error<Diagnostic>;

}  // namespace stretto::errors
