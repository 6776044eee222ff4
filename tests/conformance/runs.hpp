// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <string_view>
#include <utility>
#include <vector>

/// Records compiled as schedules (by generate.py), behind plain functions: the units that hold them
/// include nothing else, and the unit that compares them with the records no schedule.
namespace conformance {

/// By progress: the tasks that ran, and their batches, in the order in which they did.
using fire_table = std::vector<std::vector<std::pair<std::string_view, std::size_t>>>;

struct compiled {
  std::string_view id;
  bool valid = false;                                ///< in strict mode
  bool valid_with_history = false;                   ///< without it
  fire_table (*run)(std::size_t batches) = nullptr;  ///< on the calling thread; null if invalid
  fire_table (*run_on_threads)(std::size_t batches) = nullptr;  ///< null for some
};

/// Every compiled record.
std::vector<compiled> all_compiled();

/// Whether those are all that the goldens have, rather than a sample.
bool all_are_compiled();

}  // namespace conformance
