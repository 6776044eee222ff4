// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <compare>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>

namespace stretto {

/// A string that can be a template argument: `stream<"memcpy">`.
template <std::size_t Count>
struct fixed_string {
  char text[Count]{};

  consteval fixed_string(const char (&literal)[Count]) {
    for (std::size_t i = 0; i < Count; ++i) text[i] = literal[i];
  }
  /// Of a computed text of this length.
  consteval explicit fixed_string(std::string_view computed) {
    for (std::size_t i = 0; i + 1 < Count; ++i) text[i] = computed[i];
  }
  constexpr std::string_view view() const { return {text, Count - 1}; }

  template <std::size_t Other>
  constexpr bool operator==(const fixed_string<Other>& other) const {
    return view() == other.view();
  }
  template <std::size_t Other>
  constexpr std::strong_ordering operator<=>(const fixed_string<Other>& other) const {
    return view() <=> other.view();
  }

  /// One text behind the other; either may be a literal.
  template <std::size_t Other>
  consteval fixed_string<Count + Other - 1> operator+(const fixed_string<Other>& more) const {
    char both[Count + Other - 1]{};
    for (std::size_t i = 0; i + 1 < Count; ++i) both[i] = text[i];
    for (std::size_t i = 0; i < Other; ++i) both[Count - 1 + i] = more.text[i];
    return both;
  }
  template <std::size_t Other>
  consteval auto operator+(const char (&more)[Other]) const {
    return *this + fixed_string<Other>(more);
  }
  template <std::size_t Other>
  friend consteval auto operator+(const char (&before)[Other], const fixed_string& after) {
    return fixed_string<Other>(before) + after;
  }
};

namespace declare {

/// The digits of a number, and its sign.
template <long long Number>
consteval auto digits_of() {
  constexpr std::size_t size = [] {
    std::size_t digits = Number < 0 ? 2 : 1;
    for (long long rest = Number / 10; rest != 0; rest /= 10) ++digits;
    return digits;
  }();
  char digits[size + 1]{};
  std::size_t place = size;
  long long rest = Number;
  do {
    digits[--place] = static_cast<char>('0' + (rest < 0 ? -(rest % 10) : rest % 10));
    rest /= 10;
  } while (rest != 0);
  if (Number < 0) digits[0] = '-';
  return fixed_string<size + 1>(digits);
}

}  // namespace declare

/// A number as text, for names that are made of one: `"stage " + fixed_number<3>`.
template <long long Number>
inline constexpr auto fixed_number = declare::digits_of<Number>();

/// How a task, slot or resource is told apart and shown to a person (`text`). One that is a type is
/// told apart by the type: compilers spell some types alike. All others go by their `key`.
struct name {
  std::string_view text;
  std::string_view key;
  std::uint64_t hash = 0;      ///< of the key
  const char* type = nullptr;  ///< an address for each type
  bool is_type = false;

  constexpr name() = default;
  /// A name that is its own key, as run-time declarations have it.
  constexpr name(std::string_view shown) : name(shown, shown) {}
  constexpr name(std::string_view shown, std::string_view its_own)
      : text(shown), key(its_own), hash(fnv1a(its_own)) {}
  constexpr name(std::string_view shown, std::string_view spelling, const char* of_type)
      : text(shown), key(spelling), hash(fnv1a(spelling)), type(of_type), is_type(true) {}

  friend constexpr bool operator==(const name& a, const name& b) {
    if (a.hash != b.hash) return false;
    return a.is_type && b.is_type ? same(a.type, b.type) : same(a.key, b.key);
  }

 private:
  // With -fsanitize=undefined GCC 12 cannot tell in constants that two addresses differ.
  static constexpr bool same(const char* a, const char* b) {
#if defined(__GNUC__) && !defined(__clang__)
    if (__builtin_is_constant_evaluated()) return __builtin_constant_p(a == b) && a == b;
#endif
    return a == b;
  }

  // Not by std::string_view, which a compiler needs some ten steps a character to compare.
  static constexpr bool same(std::string_view a, std::string_view b) {
    if (a.size() != b.size()) return false;
    const char* x = a.data();
    const char* y = b.data();
    for (const char* const end = x + a.size(); x != end;)
      if (*x++ != *y++) return false;
    return true;
  }

  static constexpr std::uint64_t fnv1a(std::string_view s) {
    std::uint64_t h = 14695981039346656037U;
    const char* const text = s.data();
    const std::size_t size = s.size();
    for (std::size_t i = 0; i < size; ++i)
      h = (h ^ static_cast<unsigned char>(text[i])) * 1099511628211U;
    return h;
  }
};

namespace declare {

namespace detail {

template <class Type>
constexpr std::string_view signature() {
  // With its length, which a constant would count one by one.
  return {__PRETTY_FUNCTION__, sizeof(__PRETTY_FUNCTION__) - 1};
}

/// How much of a signature is not the type: before it, and in all.
inline constexpr std::size_t before_type = signature<double>().find("double");
inline constexpr std::size_t around_type =
    signature<double>().size() - std::string_view("double").size();

}  // namespace detail

/// The type as the compiler spells it, qualified.
template <class Type>
constexpr std::string_view qualified_name() {
  const std::string_view whole = detail::signature<Type>();
  return {whole.data() + detail::before_type, whole.size() - detail::around_type};
}

/// `a::b<c::d>` without its qualifiers: `b<c::d>`.
constexpr std::string_view unqualified(std::string_view qualified) {
  const char* const text = qualified.data();
  const std::size_t size = qualified.size();
  int depth = 0;
  for (std::size_t at = size; at != 0; --at) {
    const char c = text[at - 1];
    if (c > '>') continue;  // a letter, as most are
    if (c == '>') ++depth;
    if (c == '<') --depth;
    if (depth == 0 && c == ':') return {text + at, size - at};
  }
  return qualified;
}

/// Its address is the identity of a type, whatever other types are spelled like it.
template <class Type>
inline constexpr char identity{};

namespace detail {

/// A data member that happens to be called `name` is the task's own affair. (Of one that is a
/// reference there is no pointer to member, and GCC does not forgive its use as a constant.)
template <class Type>
concept name_in_object = std::is_member_pointer_v<decltype(&Type::name)> ||
                         (std::is_reference_v<decltype(Type::name)> && !requires { &Type::name; });

template <class Type>
concept names_itself = !name_in_object<Type> && requires {
  { Type::name } -> std::convertible_to<std::string_view>;
};

template <class Type>
constexpr std::string_view shown_name() {
  if constexpr (names_itself<Type>) {
    return Type::name;
  } else {
    return unqualified(qualified_name<Type>());
  }
}

}  // namespace detail
}  // namespace declare

/// The name of a task, slot or resource type: its member `name` if it has one, else the type's own
/// name without qualifiers.
template <class Type>
inline constexpr name name_of{declare::detail::shown_name<Type>(), declare::qualified_name<Type>(),
                              &declare::identity<Type>};

}  // namespace stretto
