// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <stretto/plan/text/witness.hpp>
#include <stretto/static/errors/diagnosis.hpp>
#include <string>

namespace stretto {

/// What goes wrong in a schedule that does not compile, when it runs: the sentence of the first
/// finding that an interleaving shows, and the shortest such interleaving, line by line. Empty for
/// a valid schedule, and where all findings are about how something is declared.
template <class Schedule>
std::string witness() {
  if constexpr (typed::well_formed<Schedule>) {
    const planner::declaration& d = typed::declared<Schedule>::value;
    const auto& found = typed::detail::diagnosed<Schedule>::value;
    for (const planner::finding& f : found.findings) {
      const std::string lines = planner::witness(d, f);
      if (!lines.empty()) return planner::sentence(d, f, found.cycle) + "\n" + lines;
    }
  }
  return {};
}

}  // namespace stretto
