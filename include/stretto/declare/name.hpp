// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>

namespace stretto {

/// A string that can be a template argument: `stream<"memcpy">`.
template <std::size_t N>
struct fixed_string {
  char text[N]{};

  consteval fixed_string(const char (&literal)[N]) {
    for (std::size_t i = 0; i < N; ++i) text[i] = literal[i];
  }
  constexpr std::string_view view() const { return {text, N - 1}; }
};

/// How a task, slot or resource is told apart (`key`) and shown to a person (`text`).
struct name {
  std::string_view text;
  std::string_view key;
  std::uint64_t hash = 0;

  constexpr name() = default;
  /// A name that is its own key, as run-time declarations have it.
  constexpr name(std::string_view shown) : name(shown, shown) {}
  constexpr name(std::string_view shown, std::string_view identity)
      : text(shown), key(identity), hash(fnv1a(identity)) {}

  friend constexpr bool operator==(const name& a, const name& b) {
    return a.hash == b.hash && a.key == b.key;
  }

 private:
  static constexpr std::uint64_t fnv1a(std::string_view s) {
    std::uint64_t h = 14695981039346656037U;
    for (const char c : s) h = (h ^ static_cast<unsigned char>(c)) * 1099511628211U;
    return h;
  }
};

namespace detail {

template <class T>
constexpr std::string_view signature() {
  return __PRETTY_FUNCTION__;
}

/// The type as the compiler spells it, qualified.
template <class T>
constexpr std::string_view qualified_name() {
  constexpr std::size_t before = signature<double>().find("double");
  constexpr std::size_t after =
      signature<double>().size() - before - std::string_view("double").size();
  constexpr std::string_view whole = signature<T>();
  return whole.substr(before, whole.size() - before - after);
}

/// `a::b<c::d>` without its qualifiers: `b<c::d>`.
constexpr std::string_view unqualified(std::string_view qualified) {
  int depth = 0;
  for (std::size_t i = qualified.size(); i > 0; --i) {
    const char c = qualified[i - 1];
    if (c == '>') ++depth;
    if (c == '<') --depth;
    if (depth == 0 && c == ':') return qualified.substr(i);
  }
  return qualified;
}

/// A data member that happens to be called `name` is the task's own affair.
template <class T>
concept name_in_object = std::is_member_pointer_v<decltype(&T::name)>;

template <class T>
concept names_itself = !name_in_object<T> && requires {
  { T::name } -> std::convertible_to<std::string_view>;
};

template <class T>
constexpr std::string_view shown_name() {
  if constexpr (names_itself<T>) {
    return T::name;
  } else {
    return unqualified(qualified_name<T>());
  }
}

}  // namespace detail

/// The name of a task, slot or resource type: its member `name` if it has one, else the type's own
/// name without qualifiers.
template <class T>
inline constexpr name name_of{detail::shown_name<T>(), detail::qualified_name<T>()};

}  // namespace stretto
