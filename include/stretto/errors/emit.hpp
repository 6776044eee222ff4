// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <array>
#include <cstddef>
#include <stretto/declare/pack.hpp>
#include <string>
#include <type_traits>

namespace stretto::errors {

/// A diagnostic is a type with two forms of one sentence: `named()` returns a pack of the template
/// of namespace `invalid` that is named after it, `text()` returns it as a string. This one is
/// none.
struct no_error {
  static pack<no_error> named();
};

template <class Diagnostic>
inline constexpr bool is_no_error = std::is_same_v<Diagnostic, no_error>;

// GCC takes computed text in C++20 mode since 14 but does not say so in the feature macro. Clang
// does since 20; with libstdc++ 12 it cannot compute a std::string. nvcc does not, and lets its
// host compiler choose the branch.
#if !defined(__NVCC__) &&                                                                 \
    !(defined(__clang__) && defined(_GLIBCXX_RELEASE) && _GLIBCXX_RELEASE < 13) &&        \
    ((defined(__cpp_static_assert) && __cpp_static_assert >= 202306L) ||                  \
     (defined(__GNUC__) && !defined(__clang__) && !defined(__EDG__) && __GNUC__ >= 14) || \
     (defined(__clang__) && !defined(__apple_build_version__) && !defined(__EDG__) &&     \
      __clang_major__ >= 20))
inline constexpr bool static_assert_takes_text = true;

template <class Diagnostic>
struct written {
  static constexpr std::size_t length = [] { return Diagnostic::text().size(); }();
  static constexpr std::array<char, length> text = [] {
    std::array<char, length> t{};
    const std::string s = Diagnostic::text();
    std::size_t next = 0;
    for (const char c : s) t[next++] = c;
    return t;
  }();
};

/// The one place where a diagnostic becomes a compile error. Its value says whether all is well, so
/// that whoever asked can leave undone what would fail next.
#  if defined(__clang__)
#    pragma clang diagnostic push
#    pragma clang diagnostic ignored "-Wc++26-extensions"
#  elif defined(__GNUC__)
#    pragma GCC diagnostic push
#    pragma GCC diagnostic ignored "-Wc++26-extensions"
#  endif
template <class Diagnostic>
struct emit_error : std::false_type {
  static_assert(false, written<Diagnostic>::text);
};
#  if defined(__clang__)
#    pragma clang diagnostic pop
#  elif defined(__GNUC__)
#    pragma GCC diagnostic pop
#  endif
template <>
struct emit_error<no_error> : std::true_type {};
#else
inline constexpr bool static_assert_takes_text = false;

/// The one place where a diagnostic becomes a compile error: the template named after it is not
/// defined. Its value says whether all is well, so that whoever asked can leave undone what would
/// fail next. (Keyed on the name, so that one sentence is said once; deduced, because nvcc prints
/// how an alias came about.)
template <class Named>
struct emitted_error;
template <class Named>
struct emitted_error<pack<Named>> : std::false_type {
  // NOLINTNEXTLINE(bugprone-sizeof-expression)
  static_assert(sizeof(Named) > 0);
};
template <>
struct emitted_error<pack<no_error>> : std::true_type {};
template <class Diagnostic>
using emit_error = emitted_error<decltype(Diagnostic::named())>;
#endif

}  // namespace stretto::errors
