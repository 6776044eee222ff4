// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <concepts>
#include <cstddef>
#include <stretto/plan/model/text_builder.hpp>
#include <stretto/plan/model/view.hpp>
#include <string>
#include <string_view>

namespace stretto::dynamic::detail {

/// A name that a sentence quotes.
struct quoted_name {
  std::string_view text;
};

/// A piece of a text: a text, a name or a number.
class piece {
 public:
  piece(const char* literal) : text_(literal) {}
  piece(std::string_view text) : text_(text) {}
  piece(const std::string& text) : text_(text) {}
  piece(quoted_name name) : text_(name.text), is_name_(true) {}
  template <std::integral Number>
  piece(Number number) : number_(static_cast<long long>(number)), is_number_(true) {}

  [[gnu::cold]] void add_to(planner::text_builder& to) const {
    if (is_number_) {
      to.number(number_);
    } else if (is_name_) {
      to.quoted(text_);
    } else {
      to.add(text_);
    }
  }

 private:
  std::string_view text_{};
  long long number_ = 0;
  bool is_name_ = false;
  bool is_number_ = false;
};

[[gnu::cold, gnu::noinline]] inline std::string put_together(planner::view<piece> pieces) {
  planner::text_builder text;
  for (const piece& p : pieces) p.add_to(text);
  return text.text();
}

/// Texts, names and numbers one behind the other. (Not by operator+, which each file would have to
/// compile for each sentence.)
template <class... Part>
std::string joined(const Part&... parts) {
  const piece all[] = {parts...};
  return put_together(all);
}

}  // namespace stretto::dynamic::detail
