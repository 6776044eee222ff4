// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <stretto/plan/model/list.hpp>
#include <stretto/plan/model/view.hpp>
#include <stretto/text/visible.hpp>
#include <string_view>

namespace stretto::runner {

/// Puts the text of an error together. Not by std::string, whose operations every user's file would
/// have to compile.
class text_builder {
 public:
  [[gnu::cold]] text_builder& add(std::string_view text) {
    text_.append({text.data(), text.size()});
    return *this;
  }
  [[gnu::cold]] text_builder& add(long number) {
    if (number < 0) return add("-").add(-number);
    if (number > 9) add(number / 10);
    text_.push_back(static_cast<char>('0' + number % 10));
    return *this;
  }
  /// A name, or names with commas between them.
  [[gnu::cold]] text_builder& name(std::string_view name) {
    add("`");
    text::add_visible_name(text_, name);
    return add("`");
  }
  [[gnu::cold]] text_builder& names(planner::view<std::string_view> all) {
    for (std::size_t i = 0; i < all.size(); ++i) add(i == 0 ? "" : ", ").name(all[i]);
    return *this;
  }

  const char* text() {
    text_.push_back('\0');
    text_.pop_back();
    return text_.data();
  }

 private:
  planner::list<char> text_;
};

}  // namespace stretto::runner
