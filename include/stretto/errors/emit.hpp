// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <array>
#include <cstddef>
#include <stretto/declare/pack.hpp>
#include <stretto/errors/words.hpp>
#include <type_traits>

namespace stretto::errors {

/// A diagnostic is a type with two forms of one sentence: `named()` returns a pack of the template
/// of namespace `invalid` that is named after it, `text()` returns it as `words`. This one is none.
struct no_error {
  static pack<no_error> named();
};

template <class Diagnostic>
inline constexpr bool is_no_error = std::is_same_v<Diagnostic, no_error>;

/// A computed text as a constant, which may be a template argument.
template <std::size_t Length>
struct text {
  char letters[Length + 1]{};
  constexpr std::size_t size() const { return Length; }
  constexpr const char* data() const { return letters; }
};

template <class Diagnostic>
struct written {
  static constexpr std::size_t length = [] {
    const words says = Diagnostic::text();
    return says.size();
  }();
  static constexpr errors::text<length> text = [] {
    errors::text<length> t{};
    const words says = Diagnostic::text();
    for (std::size_t i = 0; i < length; ++i) t.letters[i] = says.view().data()[i];
    return t;
  }();
};

// GCC takes computed text in static_assert in C++20 mode since 14 but does not say so in the
// feature macro, Clang since 20. Before, GCC shows computed text as a template argument. nvcc does
// neither, and lets its host compiler choose the branch.
#if !defined(__NVCC__) && !defined(__EDG__) &&                           \
    ((defined(__cpp_static_assert) && __cpp_static_assert >= 202306L) || \
     (defined(__GNUC__) && !defined(__clang__) && __GNUC__ >= 14) ||     \
     (defined(__clang__) && !defined(__apple_build_version__) && __clang_major__ >= 20))

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

#elif !defined(__NVCC__) && !defined(__EDG__) && defined(__GNUC__) && !defined(__clang__)

#  define STRETTO_SHOWS_TEXT_AS_ARGUMENT
/// Marks a function that nobody is to call, and that has a template parameter `Why`: the error is
/// at the line that calls it.
#  define STRETTO_REFUSED [[gnu::unavailable("Why says what is wrong")]]

/// Never defined: the error shows its argument.
template <auto Why>
struct refused;

/// The one place where a diagnostic becomes a compile error: a template is not defined whose
/// argument is the sentence. Its value says whether all is well, so that whoever asked can leave
/// undone what would fail next.
template <class Diagnostic>
struct emit_error : std::false_type {
  // NOLINTNEXTLINE(bugprone-sizeof-expression)
  static_assert(sizeof(refused<written<Diagnostic>::text>) > 0);
};
template <>
struct emit_error<no_error> : std::true_type {};

#else

/// The one place where a diagnostic becomes a compile error: the template named after it is not
/// defined. Its value says whether all is well, so that whoever asked can leave undone what would
/// fail next. (Keyed on the name, so that one sentence is said once; deduced, because nvcc prints
/// how an alias came about.)
template <class Named>
struct emitted_error;
#  if defined(__NVCC__) || defined(__EDG__)
// Which would also print it of an incomplete type.
template <class Named>
constexpr bool refused() = delete;
template <class Named>
struct emitted_error<pack<Named>> : std::false_type {
  static_assert(refused<Named>());
};
#  else
template <class Named>
struct emitted_error<pack<Named>> : std::false_type {
  // NOLINTNEXTLINE(bugprone-sizeof-expression)
  static_assert(sizeof(Named) > 0);
};
#  endif
template <>
struct emitted_error<pack<no_error>> : std::true_type {};
template <class Diagnostic>
using emit_error = emitted_error<decltype(Diagnostic::named())>;

#endif

#ifdef STRETTO_SHOWS_TEXT_AS_ARGUMENT

/// For the parameter `Why` of a function marked `STRETTO_REFUSED`.
template <class Diagnostic>
inline constexpr auto why = written<Diagnostic>::text;
template <>
inline constexpr auto why<no_error> = 0;
/// Whether all is well, asked in such a function's body: an error there of compilers that give none
/// at the call.
template <class Diagnostic>
using emit_in_body = std::is_same<Diagnostic, no_error>;

#else

#  define STRETTO_REFUSED
template <class Diagnostic>
inline constexpr auto why = 0;
template <class Diagnostic>
using emit_in_body = emit_error<Diagnostic>;

#endif

}  // namespace stretto::errors
