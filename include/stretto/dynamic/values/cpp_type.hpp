// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>

namespace stretto::dynamic::detail {

inline constexpr std::array cpp_keywords{
    // clang-format off
    "alignas", "alignof", "and", "and_eq", "asm", "auto", "bitand", "bitor", "bool", "break",
    "case", "catch", "char", "char8_t", "char16_t", "char32_t", "class", "compl", "concept",
    "const", "consteval", "constexpr", "constinit", "const_cast", "continue", "contract_assert",
    "co_await", "co_return", "co_yield", "decltype", "default", "delete", "do", "double",
    "dynamic_cast", "else", "enum", "explicit", "export", "extern", "false", "float", "for",
    "friend", "goto", "if", "inline", "int", "long", "mutable", "namespace", "new", "noexcept",
    "not", "not_eq", "nullptr", "operator", "or", "or_eq", "private", "protected", "public",
    "register", "reinterpret_cast", "requires", "return", "short", "signed", "sizeof", "static",
    "static_assert", "static_cast", "struct", "switch", "template", "this", "thread_local",
    "throw", "true", "try", "typedef", "typeid", "typename", "union", "unsigned", "using",
    "virtual", "void", "volatile", "wchar_t", "while", "xor", "xor_eq"
    // clang-format on
};

constexpr bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}
constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }

}  // namespace stretto::dynamic::detail

namespace stretto::dynamic::shared {

/// Whether something can be called so in C++: letters and digits that are no keyword.
constexpr bool is_cpp_name(std::string_view name) {
  return !name.empty() && !detail::is_digit(name.front()) &&
         std::all_of(name.begin(), name.end(),
                     [](char c) { return detail::is_letter(c) || detail::is_digit(c); }) &&
         std::find(detail::cpp_keywords.begin(), detail::cpp_keywords.end(), name) ==
             detail::cpp_keywords.end();
}

}  // namespace stretto::dynamic::shared

namespace stretto::dynamic::detail {

/// Reads the spelling of a C++ type: one type-id, with names, template arguments, pointers, arrays
/// and functions, and nothing before, behind or between. (No `decltype`, no expressions.)
class cpp_type_reader {
 public:
  explicit constexpr cpp_type_reader(std::string_view text) : rest_(text) {}

  /// Whether all of the text is one type.
  constexpr bool read_all() {
    if (rest_.empty() || rest_.front() == ' ' || rest_.back() == ' ') return false;
    return type(0) && rest_.empty();
  }

 private:
  static constexpr int deepest = 64;  // what it calls is on the stack

  constexpr void skip_spaces() {
    while (rest_.starts_with(' ')) rest_.remove_prefix(1);
  }
  constexpr bool take(std::string_view token) {
    skip_spaces();
    if (!rest_.starts_with(token)) return false;
    rest_.remove_prefix(token.size());
    return true;
  }
  /// The word that comes next: letters and digits.
  constexpr std::string_view word() {
    skip_spaces();
    std::size_t size = 0;
    while (size < rest_.size() && (is_letter(rest_[size]) || is_digit(rest_[size]))) ++size;
    return rest_.substr(0, size);
  }
  constexpr bool take_word(std::string_view wanted) {
    if (word() != wanted) return false;
    rest_.remove_prefix(wanted.size());
    return true;
  }
  template <class Words>
  static constexpr bool among(const Words& words, std::string_view one) {
    return std::find(words.begin(), words.end(), one) != words.end();
  }
  static constexpr bool is_fundamental(std::string_view one) {
    constexpr std::array<std::string_view, 14> words{
        "bool",     "char", "char8_t", "char16_t", "char32_t", "double",   "float",
        "__int128", "int",  "long",    "short",    "signed",   "unsigned", "wchar_t"};
    return one == "void" || among(words, one);
  }
  constexpr bool take_qualifier() { return take_word("const") || take_word("volatile"); }

  constexpr bool type(int depth) {
    return depth < deepest && specifiers(depth) && declarator(depth);
  }

  /// What a type is of: a fundamental type or a name, and whether it is const.
  constexpr bool specifiers(int depth) {
    while (take_qualifier()) {
    }
    bool fundamental = false;
    while (is_fundamental(word())) {
      rest_.remove_prefix(word().size());
      fundamental = true;
      while (take_qualifier()) {
      }
    }
    if (fundamental) return true;
    for (const std::string_view kind : {"typename", "struct", "class", "union", "enum"})
      if (take_word(kind)) break;
    if (!qualified_name(depth)) return false;
    while (take_qualifier()) {
    }
    return true;
  }

  constexpr bool name_part(int depth) {
    take_word("template");
    const std::string_view name = word();
    if (name.empty() || is_digit(name.front()) || among(cpp_keywords, name)) return false;
    rest_.remove_prefix(name.size());
    return !take("<") || arguments(depth);
  }
  constexpr bool qualified_name(int depth) {
    take("::");
    do {
      if (!name_part(depth)) return false;
    } while (take("::"));
    return true;
  }

  /// The template arguments behind a `<`, and the `>`.
  constexpr bool arguments(int depth) {
    if (take(">")) return true;
    do {
      if (!constant(depth) && !type(depth + 1)) return false;
    } while (take(","));
    return take(">");
  }
  /// A number, `true`, `false`, `&name`, or a number as an enumerator: `(color)1`.
  constexpr bool constant(int depth) {
    const std::string_view before = rest_;
    if (take("(")) {
      if (depth + 1 < deepest && qualified_name(depth + 1) && take(")") && number()) return true;
      rest_ = before;
      return false;
    }
    if (take("&")) return qualified_name(depth + 1);
    return take_word("true") || take_word("false") || number();
  }
  constexpr bool number() {
    const std::string_view before = rest_;
    take("-");
    const std::string_view digits = word();
    if (!digits.empty() && is_digit(digits.front())) {
      rest_.remove_prefix(digits.size());
      return true;
    }
    rest_ = before;
    return false;
  }

  /// Pointers, references, arrays and functions of what was read.
  constexpr bool declarator(int depth) {
    pointers();
    const std::string_view before = rest_;
    if (take("(")) {  // around a declarator, or around parameters
      pointers();
      if (rest_.size() < before.size() - 1 && rest_.starts_with(')')) {
        take(")");
      } else {
        rest_ = before;
      }
    }
    for (;;) {
      if (take("[")) {
        number();
        if (!take("]")) return false;
      } else if (take("(")) {
        if (!parameters(depth)) return false;
      } else {
        return true;
      }
    }
  }
  constexpr void pointers() {
    while (take("*") || take("&")) {
      while (take_qualifier()) {
      }
    }
    skip_spaces();
  }
  constexpr bool parameters(int depth) {
    if (!take(")")) {
      do {
        if (!type(depth + 1)) return false;
      } while (take(","));
      if (!take(")")) return false;
    }
    while (take_qualifier() || take_word("noexcept") || take("&")) {
    }
    return true;
  }

  std::string_view rest_;
};

/// The longest spelling of a type that is read.
inline constexpr std::size_t longest_cpp_type = 10'000;

/// Whether text spells one C++ type, and nothing else.
constexpr bool spells_a_type(std::string_view text) {
  return text.size() <= longest_cpp_type && cpp_type_reader(text).read_all();
}

}  // namespace stretto::dynamic::detail
