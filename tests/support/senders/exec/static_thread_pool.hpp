// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <stdexec/execution.hpp>
#include <thread>
#include <vector>

namespace exec {

/// Threads that work off one queue until the pool is destroyed.
class static_thread_pool {
 public:
  explicit static_thread_pool(std::uint32_t threads) {
    for (std::uint32_t i = 0; i < threads; ++i) threads_.emplace_back([this] { queue_.run(); });
  }
  static_thread_pool(const static_thread_pool&) = delete;
  static_thread_pool& operator=(const static_thread_pool&) = delete;
  ~static_thread_pool() {
    queue_.finish();
    for (std::thread& each : threads_) each.join();
  }

  auto get_scheduler() noexcept { return queue_.get_scheduler(); }

 private:
  stdexec::run_loop queue_;
  std::vector<std::thread> threads_;
};

}  // namespace exec
