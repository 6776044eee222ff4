// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

/// Names as C++ has them, for headers that are generated.
namespace stretto::dynamic::detail {

/// What no entity of a generated header can be called: keywords, macros that are often there, and
/// the members of tasks, slots and schedules.
inline constexpr std::array taken_words{
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
    "virtual", "void", "volatile", "wchar_t", "while", "xor", "xor_eq",
    "final", "import", "module", "override",
    "assert", "errno", "i386", "linux", "major", "minor", "stderr", "stdin", "stdout", "unix",
    "BUFSIZ", "EOF", "NAN", "NDEBUG", "NULL", "RAND_MAX", "INFINITY", "HUGE_VAL",
    "collective", "cross_iter_depends_on", "depends_on", "lookahead", "mutates", "name",
    "observes", "parts", "reads", "resource_type", "same_progress_sync", "st", "std", "stream",
    "stretto", "thread", "untyped", "value_type", "weight", "writes"
    // clang-format on
};

constexpr bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}
constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// Whether text can be the spelling of a C++ type, and nothing beside it.
inline bool spells_a_type(std::string_view text) {
  if (text.empty()) return false;
  for (const char c : text)
    if (!is_letter(c) && !is_digit(c) &&
        std::string_view(":<>,*&()[] ").find(c) == std::string_view::npos)
      return false;
  return true;
}

/// Gives each name an identifier of its own: the name itself where it can be one.
class identifiers {
 public:
  identifiers() { taken_.insert(taken_words.begin(), taken_words.end()); }

  /// Keeps the words of a C++ spelling free for what they mean there.
  void reserve(std::string_view spelling) {
    std::string word;
    for (const char c : spelling) {
      if (is_letter(c) || is_digit(c)) {
        word += c;
      } else {
        taken_.insert(word);
        word.clear();
      }
    }
    taken_.insert(word);
  }

  /// A new identifier for the name of something that is a \p kind: "task", "slot".
  std::string make(std::string_view name, std::string_view kind) {
    std::string base;
    for (const char c : name) {
      const char kept = is_letter(c) || is_digit(c) ? c : '_';
      // Two underscores anywhere, and one at the beginning, belong to compilers.
      if (kept != '_' || (!base.empty() && base.back() != '_')) base += kept;
    }
    if (!base.empty() && base.back() == '_') base.pop_back();
    if (base.empty() || is_digit(base.front())) {
      if (!base.empty()) base.insert(0, 1, '_');
      base.insert(0, kind);
    }
    if (taken_.insert(base).second) return base;
    base += '_';
    base += kind;
    if (taken_.insert(base).second) return base;
    base += '_';
    std::size_t& number = numbers_[base];
    std::string numbered;
    do {
      number += number == 0 ? 2 : 1;
      numbered = base;
      numbered += std::to_string(number);
    } while (!taken_.insert(numbered).second);
    return numbered;
  }

 private:
  std::unordered_set<std::string> taken_;
  std::unordered_map<std::string, std::size_t> numbers_;
};

/// A text as a C++ literal.
inline std::string literal(std::string_view text) {
  std::string all = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\' || c == '?') {
      all += '\\';
      all += c;
    } else if (byte < 0x20U || byte > 0x7EU) {
      all += '\\';
      for (unsigned shift = 9; shift != 0;) {
        shift -= 3;
        all += static_cast<char>('0' + ((byte >> shift) & 7U));
      }
    } else {
      all += c;
    }
  }
  all += '"';
  return all;
}

}  // namespace stretto::dynamic::detail
