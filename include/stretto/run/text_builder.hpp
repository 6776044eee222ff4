// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <stretto/compiled/linkage.hpp>
#include <stretto/plan/model/list.hpp>
#include <stretto/plan/model/view.hpp>
#include <string_view>

namespace stretto::runner {

/// Puts the text of an error together. Not by std::string, whose operations every user's file would
/// have to compile.
class text_builder {
 public:
  text_builder& add(std::string_view text);
  text_builder& add(long number);
  text_builder& count(std::size_t number);
  /// A name, or names with commas between them.
  text_builder& name(std::string_view name);
  text_builder& names(planner::view<std::string_view> all);

  const char* text();

 private:
  planner::list<char> text_;
};

}  // namespace stretto::runner

#if !defined(STRETTO_COMPILED)
#  include <stretto/run/text_builder.ipp>
#endif
