// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <array>
#include <condition_variable>
#include <cstddef>
#include <exception>
#include <mutex>
#include <stop_token>
#include <thread>
#include "compare.hpp"
#include "work.hpp"

namespace training {
namespace {

class prefetcher {
 public:
  prefetcher(const dataset& data, std::size_t batches)
      : thread_([this, &data, batches](const std::stop_token& stop) {
          try {
            for (std::size_t n = 0; n < batches; ++n) {
              if (!wait_for_room(stop)) return;
              data.load(n, ring_[n % ring_.size()]);
              const std::lock_guard lock(mutex_);
              ++loaded_;
              filled_.notify_one();
            }
          } catch (...) {
            const std::lock_guard lock(mutex_);
            error_ = std::current_exception();
            filled_.notify_one();
          }
        }) {}

  const batch& get(std::size_t n) {
    std::unique_lock lock(mutex_);
    filled_.wait(lock, [&] { return loaded_ > n || error_; });
    if (loaded_ <= n) std::rethrow_exception(error_);
    return ring_[n % ring_.size()];
  }
  void release() {
    const std::lock_guard lock(mutex_);
    ++released_;
    room_.notify_one();
  }

 private:
  bool wait_for_room(const std::stop_token& stop) {
    std::unique_lock lock(mutex_);
    return room_.wait(lock, stop, [&] { return loaded_ - released_ < ring_.size(); });
  }

  std::mutex mutex_;
  std::condition_variable_any room_;
  std::condition_variable filled_;
  std::array<batch, 2> ring_;
  std::size_t loaded_ = 0;
  std::size_t released_ = 0;
  std::exception_ptr error_;
  std::jthread thread_;
};

}  // namespace

trained run_by_hand(const dataset& data, const batch& held_out, std::size_t batches) {
  trained result;
  learner model;
  prefetcher pictures(data, batches);
  for (std::size_t n = 0; n < batches; ++n) {
    result.losses.push_back(model.backpropagate(pictures.get(n)));
    pictures.release();
    if (ends_step(n)) model.step();
    if (is_tested(n)) result.accuracies.push_back(model.accuracy(held_out));
  }
  result.weights = model.weights;
  return result;
}

}  // namespace training
