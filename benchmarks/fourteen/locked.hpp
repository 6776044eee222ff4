// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <condition_variable>
#include <cstddef>
#include <functional>
#include <mutex>
#include <string>
#include <thread>
#include <unordered_map>
#include <utility>
#include <vector>
#include "by_hand.hpp"
#include "one_task.hpp"

namespace benchmarks {

/// The 14-task pipeline as engines in Python do it, in C++: a plan at run time, tasks and events by
/// name, a mutex and a condition variable per event, all threads joined after every progress.
template <class Pipeline>
class locked {
 public:
  locked() { add(std::make_index_sequence<14>{}); }

  template <class Source, class Result>
  void run(Source&& source, Result&& result) {
    struct alignas(64) lines {
      by_hand::batch b;
    };
    lines ring[3];
    std::thread io([this] {
      for (std::size_t epoch = 1;; ++epoch) {
        open_.await(epoch);
        if (over_) return;
        run_group(io_, epoch);
      }
    });
    std::size_t pulled = 0;
    bool ended = false;
    for (std::size_t progress = 0;; ++progress) {
      ended = ended || !source(ring[progress % 3].b.batch_cpu);
      if (!ended) ++pulled;
      if (ended && progress >= pulled + 2) break;
      for (std::size_t lag = 0; lag < 3; ++lag)
        at_[lag] =
            progress >= lag && progress - lag < pulled ? &ring[(progress - lag) % 3].b : nullptr;
      open_.reach(progress + 1);
      run_group(compute_, progress + 1);
      for (const row& r : io_) events_.at(r.name).await(progress + 1);
      if (at_[2] != nullptr) result(at_[2]->step_result);
    }
    over_ = true;
    open_.reach(static_cast<std::size_t>(-1));
    io.join();
  }

 private:
  /// Says how far somebody is.
  class event {
   public:
    void reach(std::size_t epoch) {
      {
        const std::lock_guard lock(mutex_);
        epoch_ = epoch;
      }
      reached_.notify_all();
    }
    void await(std::size_t epoch) {
      std::unique_lock lock(mutex_);
      reached_.wait(lock, [&] { return epoch_ >= epoch; });
    }

   private:
    std::mutex mutex_;
    std::condition_variable reached_;
    std::size_t epoch_ = 0;
  };

  struct row {
    std::string name;
    std::size_t lag;
    std::function<void(by_hand::batch&)> task;
  };

  template <std::size_t... Task>
  void add(std::index_sequence<Task...>) {
    std::vector<row> all;
    (all.push_back({"task" + std::to_string(Task), lags[Task],
                    [](by_hand::batch& b) { one_task<Pipeline, Task>(b); }}),
     ...);
    for (std::size_t n = 0; n < all.size(); ++n) {
      events_.try_emplace(all[n].name);
      (n < 3 ? io_ : compute_).push_back(all[n]);
    }
  }

  void run_group(const std::vector<row>& group, std::size_t epoch) {
    for (const row& r : group) {
      if (at_[r.lag] != nullptr) r.task(*at_[r.lag]);
      events_.at(r.name).reach(epoch);
    }
  }

  std::vector<row> io_;
  std::vector<row> compute_;
  std::unordered_map<std::string, event> events_;
  by_hand::batch* at_[3] = {};
  event open_;
  bool over_ = false;  // told by the last opening
};

}  // namespace benchmarks
