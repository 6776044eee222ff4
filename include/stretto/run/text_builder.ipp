// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <stretto/run/text_builder.hpp>
#include <stretto/text/visible.hpp>

namespace stretto::runner {

[[gnu::cold]] STRETTO_INLINE text_builder& text_builder::add(std::string_view text) {
  text_.append({text.data(), text.size()});
  return *this;
}
[[gnu::cold]] STRETTO_INLINE text_builder& text_builder::add(long number) {
  const auto size = static_cast<std::size_t>(number);
  return number < 0 ? add("-").count(0 - size) : count(size);
}
[[gnu::cold]] STRETTO_INLINE text_builder& text_builder::count(std::size_t number) {
  if (number > 9) count(number / 10);
  text_.push_back(static_cast<char>('0' + number % 10));
  return *this;
}
[[gnu::cold]] STRETTO_INLINE text_builder& text_builder::name(std::string_view name) {
  add("`");
  text::add_visible_name(text_, name);
  return add("`");
}
[[gnu::cold]] STRETTO_INLINE text_builder& text_builder::names(
    planner::view<std::string_view> all) {
  for (std::size_t i = 0; i < all.size(); ++i) add(i == 0 ? "" : ", ").name(all[i]);
  return *this;
}

[[gnu::cold]] STRETTO_INLINE const char* text_builder::text() {
  text_.push_back('\0');
  text_.pop_back();
  return text_.data();
}

}  // namespace stretto::runner
