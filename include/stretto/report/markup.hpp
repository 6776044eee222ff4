// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <array>
#include <chrono>
#include <cstdio>
#include <stretto/text/escaped.hpp>
#include <stretto/text/in_units.hpp>
#include <string>
#include <string_view>

namespace stretto::report::detail {

/// A time for people to read.
inline std::string time_as_text(std::chrono::duration<double, std::nano> time) {
  return text::in_units(time, "\xC2\xB5s");
}

/// Text of XML that grows: what is ours as it stands, what others named so that it is text, and
/// numbers as XML has them. \p Self is who derives from it.
template <class Self>
class markup {
 public:
  /// As it stands: markup of ours.
  Self& add(std::string_view ours) {
    text_ += ours;
    return static_cast<Self&>(*this);
  }
  /// Whatever it holds: names and sentences.
  Self& add_text(std::string_view plain) { return add(text::escaped_for_xml(plain)); }
  Self& add_number(double value, int decimals) {
    std::array<char, 64> digits{};
    std::snprintf(digits.data(), digits.size(), "%.*f", decimals, value);
    for (char& c : digits)
      if (c == ',') c = '.';  // as some locales write it
    return add(digits.data());
  }
  Self& add_time(std::chrono::duration<double, std::nano> time) { return add(time_as_text(time)); }
  Self& add_time(double nanoseconds) {
    return add_time(std::chrono::duration<double, std::nano>(nanoseconds));
  }

 protected:
  const std::string& written() const { return text_; }

 private:
  std::string text_;
};

}  // namespace stretto::report::detail
