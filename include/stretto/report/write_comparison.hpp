// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <ostream>
#include <stretto/observe/timeline.hpp>
#include <stretto/report/comparison_page.hpp>
#include <stretto/watch/padding_result.hpp>
#include <string_view>

namespace stretto {

/// Writes a page of HTML about two runs, of one schedule or of two, each recorded by a `timeline`:
/// what a progress took, as many batches of each drawn so that a second is as wide in both, the two
/// in one picture as `draw_overlaid` draws it, what each task took and on which thread, and how
/// busy threads were. \p name and \p other_name are what the page calls them. What a `padding`
/// found in other runs of the schedules is drawn likewise, if \p padded and \p other_padded are
/// told. The page needs no other file, no network and no script. Throws `usage_error` if a padding
/// is of other tasks than the record next to it.
inline void write_comparison(std::ostream& out, std::string_view name, const timeline& record,
                             std::string_view other_name, const timeline& other,
                             const padding_result* padded = nullptr,
                             const padding_result* other_padded = nullptr) {
  out << report::detail::comparison_page({name, record, padded}, {other_name, other, other_padded})
             .text();
}

}  // namespace stretto
