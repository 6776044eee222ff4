// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <atomic>

namespace stretto::runner {

/// Has a flag to itself while it is there; others wait. For what hardly ever happens, and never
/// twice at a time.
class locked {
 public:
  explicit locked(std::atomic_flag& taken) : taken_(taken) {
    // acquire, and release below: what the flag guards.
    while (taken_.test_and_set(std::memory_order_acquire)) {
    }
  }
  ~locked() { taken_.clear(std::memory_order_release); }
  locked(const locked&) = delete;
  locked& operator=(const locked&) = delete;

 private:
  std::atomic_flag& taken_;
};

}  // namespace stretto::runner
