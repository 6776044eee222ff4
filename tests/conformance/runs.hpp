// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

/// Records compiled as schedules (by generate.py), behind plain functions: the units that hold them
/// include nothing else, and the unit that compares them with the records no schedule.
namespace conformance {

/// By progress: the tasks that ran, and their batches, in the order in which they did.
using fire_table = std::vector<std::vector<std::pair<std::string_view, std::size_t>>>;

struct planned {
  std::vector<std::string_view> order;
  std::size_t in_flight = 0;
  std::vector<std::string_view> tickets;
  /// consumer, producer, the producer's stream, offset
  std::vector<std::tuple<std::string_view, std::string_view, std::string_view, int>> waits;
};

struct compiled {
  std::string_view id;
  bool valid = false;                                 ///< in strict mode
  bool valid_with_history = false;                    ///< without it
  std::vector<std::pair<std::string_view, int>> why;  ///< kinds of its findings, and their rules
  planned (*plan)() = nullptr;                        ///< what follows: null if invalid
  fire_table (*run)(std::size_t batches) = nullptr;   ///< on the calling thread
  fire_table (*run_on_threads)(std::size_t batches) = nullptr;  ///< null for some
};

/// Every compiled record.
std::vector<compiled> all_compiled();

}  // namespace conformance
