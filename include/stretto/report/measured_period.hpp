// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <stretto/observe/timeline.hpp>
#include <vector>

namespace stretto::report::detail {

/// What a progress took in a recorded run.
struct measured_period {
  std::size_t batches = 0;   ///< between which it was measured; 0: too few in the record
  std::size_t first = 0;     ///< the first batch of these
  timeline::seconds time{};  ///< of a progress, the mean

  bool known() const { return batches > 0; }
};

/// From the end of a batch to that of a later one, the first and the last quarter of the batches
/// left out: there the run fills and drains. Of a timeline that was paused, in the stretch that has
/// most batches: what was done in a gap is nobody's progress.
inline measured_period find_measured_period(const timeline& record) {
  const timeline::batch_ends ends = record.ends_of_batches();
  const std::vector<timeline::clock::time_point>& through = ends.through;
  const std::size_t count = through.size();
  if (count < 2) return {};
  std::size_t from = count / 4;
  std::size_t to = count - 1 - count / 4;
  constexpr timeline::clock::time_point missing{};
  while (from < to && through[from] == missing) ++from;
  while (from < to && through[to] == missing) --to;
  if (from >= to) return {};
  const std::size_t batches = to - from;
  return {batches, ends.first + from,
          timeline::seconds(through[to] - through[from]) / static_cast<double>(batches)};
}

}  // namespace stretto::report::detail
