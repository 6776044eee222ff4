// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <stretto/plan/model/list.hpp>
#include <stretto/text/visible.hpp>
#include <string>
#include <string_view>

namespace stretto::planner {

/// Puts a text together, piece by piece, at run time or in a constant. Every file that can say what
/// is wrong or describe a plan compiles that code: pieces are added by calls that are not inlined,
/// and not to a std::string, whose operations each file would have to compile, too.
class text_builder {
 public:
  [[gnu::cold, gnu::noinline]] constexpr void push_back(char c) { text_.push_back(c); }
  [[gnu::cold, gnu::noinline]] constexpr text_builder& add(std::string_view text) {
    for (std::size_t i = 0; i < text.size(); ++i) push_back(text.data()[i]);
    return *this;
  }
  /// Of a literal, which takes less code at the call.
  [[gnu::cold, gnu::noinline]] constexpr text_builder& add(const char* literal) {
    for (; *literal != '\0'; ++literal) push_back(*literal);
    return *this;
  }
  [[gnu::cold, gnu::noinline]] constexpr text_builder& number(long long number) {
    if (number < 0) push_back('-');
    char digits[24]{};
    std::size_t count = 0;
    auto rest = static_cast<unsigned long long>(number);
    if (number < 0) rest = 0 - rest;
    do {
      digits[count++] = static_cast<char>('0' + rest % 10);
      rest /= 10;
    } while (rest != 0);
    while (count > 0) push_back(digits[--count]);
    return *this;
  }
  /// A quotient that is not negative, with two decimals where it is not whole.
  [[gnu::cold, gnu::noinline]] constexpr text_builder& quotient(long long dividend,
                                                                long long divisor) {
    number(dividend / divisor);
    const long long rest = dividend % divisor;
    if (rest == 0) return *this;
    const long long hundredths = 100 * rest / divisor;
    return add(hundredths < 10 ? ".0" : ".").number(hundredths);
  }
  /// A name as a table shows it.
  [[gnu::cold, gnu::noinline]] constexpr text_builder& shown(std::string_view name) {
    text::add_visible_name(text_, name);
    return *this;
  }
  /// A name as a sentence quotes it.
  [[gnu::cold, gnu::noinline]] constexpr text_builder& quoted(std::string_view name) {
    return add("`").shown(name).add("`");
  }
  /// A literal with a name in place of `$`.
  [[gnu::cold, gnu::noinline]] constexpr text_builder& fill(const char* literal,
                                                            std::string_view name) {
    for (; *literal != '\0'; ++literal) {
      if (*literal == '$') {
        quoted(name);
      } else {
        push_back(*literal);
      }
    }
    return *this;
  }
  /// A number and what it counts.
  [[gnu::cold, gnu::noinline]] constexpr text_builder& count(std::size_t n, const char* one,
                                                             const char* many) {
    return number(static_cast<long long>(n)).add(n == 1 ? one : many);
  }
  /// Spaces, until what stands behind the first \p start characters is \p width wide.
  [[gnu::cold, gnu::noinline]] constexpr text_builder& pad(std::size_t start, std::size_t width) {
    while (text_.size() < start + width) push_back(' ');
    return *this;
  }

  constexpr void clear() { text_.assign(0, '\0'); }
  constexpr std::size_t size() const { return text_.size(); }
  constexpr std::string_view view() const { return {text_.data(), text_.size()}; }
  [[gnu::cold, gnu::noinline]] constexpr std::string text() const {
    return {text_.data(), text_.size()};
  }

 private:
  list<char> text_;
};

}  // namespace stretto::planner
