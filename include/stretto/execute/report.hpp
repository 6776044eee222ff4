// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <exception>
#include <string_view>
#include <vector>

namespace stretto {

/// What became of a run's batches when it stopped.
struct run_report {
  /// A batch that entered the pipeline and did not get through.
  struct unfinished {
    std::size_t batch = 0;
    std::vector<std::string_view> ran;  ///< the tasks that did finish it, in order
  };
  /// A task that threw.
  struct failure {
    std::string_view task;
    std::size_t batch = 0;
    std::size_t progress = 0;
    std::exception_ptr error;
  };

  std::size_t pulled = 0;     ///< batches 0 to pulled - 1 were taken from the source
  std::size_t finished = 0;   ///< batches 0 to finished - 1 went through every task
  std::size_t delivered = 0;  ///< results 0 to delivered - 1 were handed out
  std::vector<unfinished> in_flight;
  std::vector<failure> failures;
};

}  // namespace stretto
