// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <atomic>
#include <deque>
#include <mutex>
#include <string>
#include "breach.hpp"

namespace stdexec::stand_in {

/// What is known of an operation. Outlives it, so that whoever is late is found. Its atomics are
/// relaxed: they must not hide from a thread sanitizer that an operation lacks synchronisation.
class operation_record {
 public:
  /// Lives until the program ends.
  static operation_record& make() {
    static std::mutex lock;
    static std::deque<operation_record> all;
    const std::lock_guard hold(lock);
    return all.emplace_back();
  }

  /// Whether the operation may start now.
  bool start() noexcept {
    phase seen = phase::connected;
    if (phase_.compare_exchange_strong(seen, phase::started, std::memory_order_relaxed))
      return true;
    breach("an operation is started a second time");
    return false;
  }
  /// Whether the receiver may be completed now.
  bool complete() noexcept {
    if (callbacks_.load(std::memory_order_relaxed) != 0)
      breach("an operation completes while a stop callback of its is registered");
    phase seen = phase::started;
    if (phase_.compare_exchange_strong(seen, phase::completed, std::memory_order_relaxed))
      return true;
    breach(seen == phase::connected   ? "a receiver is completed before its operation is started"
           : seen == phase::completed ? "a receiver is completed a second time"
                                      : "a receiver is completed after its operation is destroyed");
    return false;
  }
  void destroy() noexcept {
    const phase seen = phase_.exchange(phase::destroyed, std::memory_order_relaxed);
    if (seen == phase::started)
      breach("an operation state is destroyed between the operation's start and its completion");
    if (callbacks_.load(std::memory_order_relaxed) != 0)
      breach("an operation state is destroyed while a stop callback of its is registered");
  }
  void use_receiver() noexcept {
    if (is_over()) breach("a receiver, or its environment, is used after its completion");
  }
  void ask_token() noexcept { expect_lifetime("a stop token is asked"); }
  void add_callback() noexcept {
    expect_lifetime("a stop callback is registered");
    callbacks_.fetch_add(1, std::memory_order_relaxed);
  }
  void remove_callback() noexcept { callbacks_.fetch_sub(1, std::memory_order_relaxed); }

 private:
  enum class phase : unsigned char { connected, started, completed, destroyed };

  bool is_over() const noexcept { return phase_.load(std::memory_order_relaxed) > phase::started; }
  /// A receiver's stop token is valid from the operation's start to its completion.
  void expect_lifetime(const char* what) noexcept {
    if (phase_.load(std::memory_order_relaxed) == phase::started) return;
    breach(std::string(what)
               .append(is_over() ? " after the completion of its operation"
                                 : " before its operation is started")
               .c_str());
  }

  std::atomic<phase> phase_{phase::connected};
  std::atomic<int> callbacks_{0};
};

}  // namespace stdexec::stand_in
