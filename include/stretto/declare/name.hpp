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
  std::uint64_t type = 0;  ///< the same for names of one type; 0: not of a type

  constexpr name() = default;
  /// A name that is its own key, as run-time declarations have it.
  constexpr name(std::string_view shown) : name(shown, shown) {}
  constexpr name(std::string_view shown, std::string_view identity, std::uint64_t of_type = 0)
      : text(shown), key(identity), hash(fnv1a(identity)), type(of_type) {}

  // Spelling is compared only where it must be: a compiler takes a step for every letter.
  friend constexpr bool operator==(const name& a, const name& b) {
    return a.hash == b.hash && ((a.type != 0 && a.type == b.type) || same(a.key, b.key));
  }

 private:
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
    for (const char c : s) h = (h ^ static_cast<unsigned char>(c)) * 1099511628211U;
    return h;
  }
};

namespace detail {

template <class T>
constexpr std::string_view signature() {
  return __PRETTY_FUNCTION__;
}

/// How much of a signature is not the type: before it, and in all.
inline constexpr std::size_t before_type = signature<double>().find("double");
inline constexpr std::size_t around_type =
    signature<double>().size() - std::string_view("double").size();

/// The type as the compiler spells it, qualified.
template <class T>
constexpr std::string_view qualified_name() {
  const std::string_view whole = signature<T>();
  return {whole.data() + before_type, whole.size() - around_type};
}

/// `a::b<c::d>` without its qualifiers: `b<c::d>`.
constexpr std::string_view unqualified(std::string_view qualified) {
  int depth = 0;
  const char* const end = qualified.data() + qualified.size();
  for (const char* at = end; at != qualified.data(); --at) {
    const char c = at[-1];
    if (c == '>') ++depth;
    if (c == '<') --depth;
    if (depth == 0 && c == ':') return {at, static_cast<std::size_t>(end - at)};
  }
  return qualified;
}

constexpr std::uint64_t mark_of(std::string_view spelling) {
  std::uint64_t mark = 0;
  for (const char c : spelling)
    mark = mark * 6364136223846793005U + 1442695040888963407U + static_cast<unsigned char>(c);
  return mark | 1U;
}

/// A number for each type, of its spelling but not by the hash that names have: equal in both means
/// the same type. (Not an address: with -fsanitize=undefined GCC 12 cannot compare those in
/// constants.)
template <class T>
inline constexpr std::uint64_t type_mark = mark_of(qualified_name<T>());

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
inline constexpr name name_of{detail::shown_name<T>(), detail::qualified_name<T>(),
                              detail::type_mark<T>};

}  // namespace stretto
