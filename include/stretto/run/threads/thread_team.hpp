// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>
#include <stretto/compiled/linkage.hpp>
#include <stretto/plan/model/view.hpp>
#include <stretto/run/owned.hpp>
#include <stretto/run/threads/attachments.hpp>
#include <stretto/run/threads/placement.hpp>
#include <stretto/run/wait/signal.hpp>
#include <string_view>

namespace stretto::runner {

/// The host threads of a pipeline except the calling one. Between runs they sleep, whatever the
/// wait strategy.
class thread_team {
  using resting = spin_then_sleep<>;

 public:
  /// What there is to do.
  struct job {
    void* owner = nullptr;
    /// A host thread's part of a run. Throws nothing.
    void (*work)(void* owner, std::size_t host) = nullptr;
  };

  /// Starts the threads, except those of groups that user threads are \p attached to, if any.
  /// \p names are by host thread, the calling one first; no \p placed: they run anywhere. Throws
  /// std::runtime_error if the system has no more threads.
  thread_team(job what, planner::view<std::string_view> names, detail::placement* placed,
              const detail::attachments* attached);
  ~thread_team();
  thread_team(const thread_team&) = delete;
  thread_team& operator=(const thread_team&) = delete;

  /// Sets the threads going on a run, those of its own.
  void begin();
  /// The part of a host thread in the run that has begun, on a user thread.
  void run_on_caller(std::size_t host);
  /// Waits until every thread has left the run.
  void join_run();
  /// Likewise, for each for so long at most. One that has not, \p rather this one than others, who
  /// may wait for it; 0: all have.
  std::size_t join_run_for(long milliseconds, std::size_t rather);

 private:
  struct member;

  void serve(std::size_t host);
  void work(std::size_t host, std::uint32_t run);
  void stop();

  job job_;
  planner::view<std::string_view> names_;
  detail::owned<detail::placement> like_before_;  ///< of threads that could run anywhere
  detail::placement* placed_;                     ///< null: anywhere
  std::uint32_t runs_ = 0;  // written by the calling thread while no run is on
  bool quit_ = false;       // published by the last beginning
  signal<resting> begun_{};
  std::size_t size_;
  member* members_;  ///< by host thread; the calling one's is not used
};

}  // namespace stretto::runner

#if !defined(STRETTO_COMPILED)
#  include <stretto/run/threads/thread_team.ipp>
#endif
