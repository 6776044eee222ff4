// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace stretto {

/// What a pipeline does, and has done so far: what `monitor::look` gives. Times are in seconds.
struct activity {
  using seconds = std::chrono::duration<double>;
  static constexpr std::size_t none = static_cast<std::size_t>(-1);

  /// Many times of one kind. The median and the 99th percentile are within 1/32.
  struct times {
    std::uint64_t count = 0;
    seconds total{};
    seconds median{};
    seconds p99{};
    seconds longest{};

    seconds mean() const { return count == 0 ? seconds{} : total / static_cast<double>(count); }
  };
  struct task_row {
    std::string name;
    times runs;   ///< how long each run took
    times waits;  ///< how long its thread had run nothing when it began
    std::uint64_t failures = 0;
    std::size_t batches = 0;  ///< that it has done in the latest run
  };
  /// A distribution of numbers of batches. The median and the 99th percentile are within 1/32 if
  /// they are more than 32.
  struct lengths {
    std::uint64_t count = 0;
    std::uint64_t total = 0;
    std::uint64_t median = 0;
    std::uint64_t p99 = 0;
    std::uint64_t longest = 0;

    double mean() const {
      return count == 0 ? 0 : static_cast<double>(total) / static_cast<double>(count);
    }
  };
  /// Batches wait in a slot from the end of the task that writes it to the begin of the last one
  /// that reads it.
  struct queue_row {
    std::string slot;
    std::size_t room = 0;     ///< how many may wait: the copies of the slot
    std::size_t waiting = 0;  ///< now
    lengths found{};          ///< by each batch that came to wait, itself among them
  };
  struct thread_row {
    std::string name;
    seconds busy{};            ///< in tasks, the source not counted
    bool runs_a_task = false;  ///< now; else it has, or has not begun
    std::size_t task = none;   ///< that it runs, or ran last; none: no task in this run yet
    std::size_t batch = 0;     ///< of that task
    seconds since{};           ///< how long ago that task began, or ended
  };

  std::vector<task_row> tasks;  ///< by number; the last two are `pull` and `deliver`
  std::vector<thread_row> threads;
  std::vector<queue_row> queues;  ///< of slots that a task reads, in the order of the schedule
  std::chrono::steady_clock::time_point at{};
  bool running = false;            ///< a run has begun, and has not ended
  seconds up{};                    ///< how long the latest run has taken so far
  std::size_t first = 0;           ///< the number of the first batch of the latest run
  std::size_t begun = 0;           ///< batches of that run on which some task has begun
  std::size_t through = 0;         ///< batches of that run that every task has done
  bool dry = false;                ///< the source had no batch when it was asked last
  std::size_t failed_task = none;  ///< that ended the run by failing; none: it has not failed
  std::size_t failed_batch = 0;    ///< and on which batch: of the first failure in time

  std::size_t in_flight() const { return begun - through; }
};

}  // namespace stretto
