// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <stretto/observe/timeline.hpp>
#include <string_view>
#include <vector>

/// A timeline whose runs are given, in milliseconds from some time on.
class hand_made {
 public:
  hand_made(std::vector<std::string_view> threads, std::vector<std::string_view> tasks) {
    tasks.insert(tasks.end(), {"pull", "deliver"});
    record.attached(threads, tasks);
  }
  /// \p stretch: how often it had been paused.
  hand_made& run(std::size_t thread, std::size_t task, std::size_t batch, int from, int to,
                 std::uint32_t stretch = 0) {
    record.add(thread, {task, batch, at(from), at(to), stretch});
    return *this;
  }
  hand_made& run_on_stream(std::size_t stream, std::size_t task, std::size_t batch, int from,
                           int to) {
    record.add_on_stream(stream, {task, batch, at(from), at(to)});
    return *this;
  }

  stretto::timeline record;

 private:
  static stretto::timeline::clock::time_point at(int milliseconds) {
    return stretto::timeline::clock::time_point(std::chrono::hours(1)) +
           std::chrono::milliseconds(milliseconds);
  }
};
