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
  constexpr explicit words(const planner::text_builder& text) : text_(text) {}

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

/// A number in a sentence.
constexpr words number(int value) { return words(planner::text_builder().number(value)); }

}  // namespace stretto::errors
