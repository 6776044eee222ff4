// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
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
/// left out: there the run fills and drains.
inline measured_period find_measured_period(const timeline& record) {
  std::vector<timeline::clock::time_point> through;  // by batch, from the first that is recorded
  auto first = static_cast<std::size_t>(-1);
  std::size_t last = 0;
  const auto each = [&](auto use) {
    for (std::size_t t = 0; t < record.threads().size(); ++t)
      for (const timeline::span& s : record.spans(t))
        if (!record.in_source(s)) use(s);
  };
  each([&](const timeline::span& s) {
    first = (std::min)(first, s.batch);
    last = (std::max)(last, s.batch);
  });
  if (first >= last) return {};
  through.resize(last - first + 1);
  each([&](const timeline::span& s) {
    through[s.batch - first] = (std::max)(through[s.batch - first], s.end);
  });
  const std::size_t count = through.size();
  const std::size_t from = count / 4;
  const std::size_t to = count - 1 - count / 4;
  if (from >= to) return {};
  const std::size_t batches = to - from;
  return {batches, first + from,
          timeline::seconds(through[to] - through[from]) / static_cast<double>(batches)};
}

}  // namespace stretto::report::detail
