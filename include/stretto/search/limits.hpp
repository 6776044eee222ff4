// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <stretto/dynamic/query/device_plan.hpp>
#include <string>
#include <vector>

namespace stretto::search {

/// What a search keeps to.
struct limits {
  /// The lookahead that a task may get.
  struct ahead {
    std::string task{};
    int least = 0;
    int most = (std::numeric_limits<int>::max)();
  };
  int in_flight = 0;                   ///< the most batches; 0: as many as the schedule has
  std::int64_t bytes = 0;              ///< of all copies of slots of known size; 0: no limit
  std::vector<std::string> threads{};  ///< groups for host tasks that name none; none: by stream
  std::vector<std::string> frozen{};   ///< tasks that keep their lookahead and thread
  std::vector<ahead> lookaheads{};
  /// If streams are a device's: costs are then of both kinds, as of a `dynamic::device_plan`.
  std::optional<dynamic::device_model> device{};
};

}  // namespace stretto::search
