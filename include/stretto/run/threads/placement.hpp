// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <atomic>
#include <cstddef>

namespace stretto::runner::detail {

/// Where the host threads of a pipeline run. Pipelines that leave that to the system have none, and
/// their files compile nothing of it: affinity.hpp makes it for the others.
class placement {
 public:
  placement() = default;
  placement(const placement&) = delete;
  placement& operator=(const placement&) = delete;
  virtual ~placement() = default;

  /// Before a run, on the thread that makes it.
  virtual void choose() = 0;
  /// On the thread that is about to start the team.
  virtual void start_from_here() = 0;
  /// On a thread that the team has started: takes it to where it is to run.
  virtual void enter(std::size_t host) const = 0;
  /// Takes the calling thread to where a host thread is to run, until \p by lets it go.
  virtual void hold(const void* by, std::size_t host) const noexcept = 0;
  virtual void release(const void* by) const = 0;
};

/// For pipelines that have no placement, once any pipeline has held a thread: makes one that takes
/// new threads to where the calling one ran before it was held, or none if it is not. Else null.
inline std::atomic<placement* (*)()> place_like_before{nullptr};

}  // namespace stretto::runner::detail
