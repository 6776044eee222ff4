// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <functional>
#include <utility>
#include <vector>
#include "by_hand.hpp"
#include "one_task.hpp"

namespace benchmarks {

/// For scale: the same pipeline as a table that is filled at run time, a `std::function` per task,
/// on one thread.
template <class Pipeline>
class table {
 public:
  table() { add(std::make_index_sequence<14>{}); }

  template <class Source, class Result>
  void run(Source&& source, Result&& result) {
    constexpr std::size_t in_flight = 3;
    by_hand::batch ring[in_flight];
    std::size_t pulled = 0;
    bool ended = false;
    for (std::size_t progress = 0;; ++progress) {
      if (!ended && source(ring[progress % in_flight].batch_cpu)) {
        ++pulled;
      } else {
        ended = true;
        if (progress >= pulled + in_flight - 1) return;
      }
      for (const row& r : rows_)
        if (progress >= r.lag && progress - r.lag < pulled)
          r.task(ring[(progress - r.lag) % in_flight]);
      if (progress >= in_flight - 1)
        result(ring[(progress - (in_flight - 1)) % in_flight].step_result);
    }
  }

 private:
  struct row {
    std::size_t lag;
    std::function<void(by_hand::batch&)> task;
  };
  template <std::size_t... Task>
  void add(std::index_sequence<Task...>) {
    (rows_.push_back({lags[Task], [](by_hand::batch& b) { one_task<Pipeline, Task>(b); }}), ...);
  }
  std::vector<row> rows_;
};

}  // namespace benchmarks
