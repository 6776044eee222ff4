// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include "draw.hpp"

/// Tasks that are coroutines: which of a schedule.
namespace random_runs {

struct coroutines {
  static constexpr std::size_t most_reads = 3;  ///< of those that have such a body
  static constexpr std::size_t most_writes = 2;

  /// A bit for each task; none if the schedule has what does not go with them.
  static std::uint64_t drawn(const dynamic::schedule& s, std::uint64_t seed) {
    if (std::any_of(s.groups.begin(), s.groups.end(), [](const auto& g) { return g.workers > 1; }))
      return 0;
    if (std::any_of(s.tasks.begin(), s.tasks.end(),
                    [](const dynamic::task& t) { return item_uses(t).any(); }))
      return 0;
    dice d(seed);
    std::uint64_t all = 0;
    for (std::size_t n = 0; n < s.tasks.size(); ++n)
      if (may_be_one(s.tasks[n]) && !d.one_in(3)) all |= std::uint64_t{1} << n;
    return all;
  }

 private:
  static bool may_be_one(const dynamic::task& t) {
    const bool looks_back = std::any_of(t.reads.begin(), t.reads.end(), [](const dynamic::use& u) {
      return u.ago > 0 || u.latest;
    });
    return !looks_back && t.reads.size() <= most_reads && t.writes.size() <= most_writes;
  }
};

}  // namespace random_runs
