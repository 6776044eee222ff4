// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <concepts>
#include <cstddef>
#include <stretto/plan/model/text_builder.hpp>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace stretto::dynamic::detail {

/// A name that a sentence quotes.
struct quoted_name {
  std::string_view text;
};

/// Adds a text, a name or a number.
template <class Part>
void add_part(planner::text_builder& to, const Part& part) {
  if constexpr (std::integral<Part>) {
    to.number(static_cast<long long>(part));
  } else if constexpr (std::is_same_v<Part, quoted_name>) {
    to.quoted(part.text);
  } else {
    to.add(part);
  }
}

/// Texts, names and numbers one behind the other. (Not by operator+, which each file would have to
/// compile for each sentence.)
template <class... Part>
std::string joined(const Part&... parts) {
  planner::text_builder text;
  (add_part(text, parts), ...);
  return text.text();
}

/// Sentences, each put together likewise.
class sentence_list {
 public:
  explicit sentence_list(std::size_t most) : most_(most) {}

  template <class... Part>
  void say(const Part&... parts) {
    (add_part(text_, parts), ...);
    end_sentence();
  }

  bool empty() const { return said_.empty(); }
  std::vector<std::string> take() { return std::move(said_); }

 private:
  [[gnu::cold, gnu::noinline]] void end_sentence() {
    if (said_.size() < most_) said_.push_back(text_.text());
    text_.clear();
  }

  std::size_t most_;
  planner::text_builder text_;
  std::vector<std::string> said_;
};

}  // namespace stretto::dynamic::detail
