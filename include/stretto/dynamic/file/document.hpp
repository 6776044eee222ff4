// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>
#include <stretto/compiled/linkage.hpp>
#include <stretto/dynamic/file/content.hpp>
#include <stretto/dynamic/file/problem.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace stretto::dynamic::detail {

/// A value of a JSON text. In an object each value comes after its key.
struct json_value {
  enum class kind : unsigned char { null, boolean, whole, broken, string, list, object };

  // A text may have millions of these: places in it are short numbers.
  kind what = kind::null;
  bool flag = false;             ///< of a boolean
  std::uint32_t at = 0;          ///< where it begins in the text
  std::uint32_t after = 0;       ///< the value behind it and all that it holds
  std::uint32_t text_begin = 0;  ///< of a string, in `texts`
  std::uint32_t text_size = 0;
  std::int64_t number = 0;  ///< of a whole number
};

/// A JSON text and its values, one behind the other as they stand there: so that however deep the
/// text nests, nothing here is recursive.
struct document {
  /// How deep a text may nest; schedules need five levels.
  static constexpr std::size_t most_levels = 16;
  /// The longest text, and the most values, keys counted: enough for 300,000 tasks.
  static constexpr std::size_t most_bytes = shared::most_bytes_of_text;
  static constexpr std::size_t most_values = 4'000'000;

  std::string source;
  std::vector<json_value> values;
  std::string texts;
  std::vector<file_problem> problems;

  std::string_view text_of(const json_value& v) const {
    return std::string_view(texts).substr(v.text_begin, v.text_size);
  }

  /// Where a position of the text is for a person.
  text_position position_of(std::size_t at) const;
};

/// Takes a text apart into a document that holds nothing else yet. Where the text is no JSON,
/// `problems` says so, and `values` are those before.
STRETTO_INLINE void parse(document& doc);

}  // namespace stretto::dynamic::detail

#if !defined(STRETTO_COMPILED)
#  include <stretto/dynamic/file/document.ipp>
#endif
