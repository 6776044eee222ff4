// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <ostream>
#include <stretto/observe/timeline.hpp>
#include <stretto/report/comparison_page.hpp>
#include <string_view>

namespace stretto {

/// Writes a page of HTML about two runs, of one schedule or of two, each recorded by a `timeline`:
/// what a progress took, as many batches of each drawn so that a second is as wide in both, what
/// each task took and on which thread, and how busy threads were. \p name and \p other_name are
/// what the page calls them. The page needs no other file, no network and no script.
inline void write_comparison(std::ostream& out, std::string_view name, const timeline& record,
                             std::string_view other_name, const timeline& other) {
  out << report::detail::comparison_page({name, record}, {other_name, other}).text();
}

}  // namespace stretto
