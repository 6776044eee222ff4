// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <stretto/plan/model/text_builder.hpp>

namespace stretto::planner {

/// Adds names with \p between them; of very many those at both ends, and how many more there are.
template <class Names>
[[gnu::cold]] constexpr text_builder& add_names(text_builder& to, const Names& all,
                                                const char* between) {
  constexpr std::size_t most = 40;
  constexpr std::size_t at_ends = 10;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (i > 0) to.add(between);
    if (i == at_ends && all.size() > most) {
      const std::size_t left_out = all.size() - 2 * at_ends;
      to.add("... (").number(static_cast<long long>(left_out)).add(" more) ...").add(between);
      i += left_out;
    }
    to.quoted(all[i]);
  }
  return to;
}

}  // namespace stretto::planner
