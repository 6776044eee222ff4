// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <stretto/plan/model/text_builder.hpp>
#include <string>
#include <string_view>

namespace stretto::errors {

/// What a diagnostic says, put together with `+`. No std::string, because Clang cannot make that of
/// libstdc++ 12 in a constant.
class words {
 public:
  constexpr words(const char* literal) { text_.add(literal); }
  constexpr explicit words(std::string_view text) { text_.add(text); }
  constexpr explicit words(planner::text_builder text)
      : text_(static_cast<planner::text_builder&&>(text)) {}

  constexpr words& operator+=(const words& more) {
    text_.add(more.view());
    return *this;
  }
  friend constexpr words operator+(const words& first, const words& second) {
    words both = first;
    both += second;
    return both;
  }

  constexpr std::size_t size() const { return text_.size(); }
  constexpr std::string_view view() const { return text_.view(); }
  constexpr operator std::string() const { return text_.text(); }

 private:
  planner::text_builder text_;
};

/// The spelling of a type, but names in it as they were written: `stream<"a">`, where compilers say
/// `stream<stretto::fixed_string<2>{"a"}>`.
constexpr words readable(std::string_view type) {
  constexpr std::string_view before = "fixed_string<";
  planner::text_builder shown;
  const char* const text = type.data();
  const std::size_t size = type.size();
  std::size_t from = 0;
  for (std::size_t at = 0; at < size; ++at) {
    if (text[at] != '{' || at + 1 == size || text[at + 1] != '"') continue;
    const std::string_view prefix(text + from, at - from);
    const std::size_t start = prefix.rfind(before);
    if (start == std::string_view::npos) continue;
    std::size_t end = at + 2;
    while (end < size && text[end] != '"') end += text[end] == '\\' ? 2 : 1;
    if (end + 1 >= size || text[end + 1] != '}') break;
    constexpr std::string_view scope = "stretto::";
    const bool scoped = prefix.substr(0, start).ends_with(scope);
    shown.add(prefix.substr(0, scoped ? start - scope.size() : start));
    shown.add({text + at + 1, end - at});
    at = end + 1;
    from = end + 2;
  }
  shown.add({text + from, size - from});
  return words(shown);
}

/// A number in a sentence.
constexpr words number(int value) { return words(planner::text_builder().number(value)); }

}  // namespace stretto::errors
