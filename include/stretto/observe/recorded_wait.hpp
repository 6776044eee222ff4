// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <stretto/observe/timeline.hpp>
#include <string>

namespace stretto {

/// A thread of a recorded run that was free, and waited for a task on another: the one that ended
/// last of those that it had to wait for. Found by `waits_of`.
struct recorded_wait {
  std::size_t awaited_thread = 0;  ///< by number, as the record's `threads()`
  timeline::span awaited{};
  std::size_t waiting_thread = 0;
  timeline::span waiting{};  ///< the task that began then
  std::string why;           ///< for what it needs the other
};

}  // namespace stretto
