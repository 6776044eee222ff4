// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <stretto/declare/pack.hpp>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

/// Stands before the library's header of this name, where a complaint becomes a compile error: here
/// it is no error, but kept, so that one program can print the sentences of all cases.
namespace stretto::detail {

struct fine {
  static pack<fine> named();
};

template <class Complaint>
inline constexpr bool is_fine = std::is_same_v<Complaint, fine>;

inline constexpr bool static_assert_takes_text = false;

struct complaint_made {
  std::string_view type;
  std::string sentence;
};
inline std::vector<complaint_made>& complaints_made() {
  static std::vector<complaint_made> all;
  return all;
}
template <class Complaint>
std::string_view type_of() {
  return __PRETTY_FUNCTION__;
}
template <class Complaint>
inline const bool made = [] {
  complaints_made().push_back({type_of<Complaint>(), Complaint::text()});
  return true;
}();

template <const bool*>
struct used {};
template <class Complaint>
struct refused : std::false_type {
  using keep = used<&made<Complaint>>;
};
template <>
struct refused<fine> : std::true_type {};

}  // namespace stretto::detail
