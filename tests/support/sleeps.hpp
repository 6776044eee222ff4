// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <doctest/doctest.h>
#include <sys/resource.h>
#include <chrono>
#include <thread>

/// How often threads sleep, as Linux counts it.
namespace tested {

/// How often the calling thread has slept, or waited for the system.
inline long sleeps_of_this_thread() {
  rusage r{};
  getrusage(RUSAGE_THREAD, &r);
  return r.ru_nvcsw;
}

/// Whether the system counts that. (Some sandboxes do not.)
inline bool sleeps_are_counted() {
  const long before = sleeps_of_this_thread();
  std::this_thread::sleep_for(std::chrono::milliseconds(3));
  const bool counted = sleeps_of_this_thread() > before;
  if (!counted) MESSAGE("the system does not count how often threads sleep: not looked at");
  return counted;
}

}  // namespace tested
