// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>
#include <stretto/plan/model/list.hpp>
#include <stretto/plan/model/view.hpp>
#include <stretto/run/threads/attached_threads.hpp>
#include <stretto/run/threads/core_set.hpp>
#include <stretto/run/threads/os_thread.hpp>
#include <stretto/run/threads/pinned_threads.hpp>
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

  /// Starts the threads, except those of groups that user threads are \p attached to. \p names and
  /// \p cores are by host thread, the calling one first; no cores: anywhere. Throws
  /// std::runtime_error if the system has no more threads.
  thread_team(job what, planner::view<std::string_view> names,
              planner::view<detail::core_set> cores, const detail::attachment_slots& attached)
      : job_(what),
        names_(names),
        cores_(cores),
        home_(detail::pinned_threads::home()),
        size_(names.size()),
        members_(new member[size_]) {
    detail::enable_asymmetric_fences();
    try {
      for (std::size_t h = 1; h < size_; ++h) {
        if (attached.has(h)) continue;
        members_[h].thread_team = this;
        members_[h].host = h;
        members_[h].thread.start<member, &member::serve>(members_[h]);
      }
    } catch (...) {  // the system has no more threads
      stop();
      throw;
    }
  }
  ~thread_team() { stop(); }
  thread_team(const thread_team&) = delete;
  thread_team& operator=(const thread_team&) = delete;

  /// Sets the threads going on a run, those of its own.
  void begin() { begun_.publish(++runs_); }

  /// The part of a host thread in the run that has begun, on a user thread.
  void run_on_caller(std::size_t host) {
    if (!cores_.empty()) detail::pinned_threads::hold(this, cores_[host]);
    work(host, runs_);
    detail::pinned_threads::release(this);
  }

  /// Waits until every thread has left the run.
  void join_run() {
    for (std::size_t h = 1; h < size_; ++h) members_[h].left.await(runs_);
  }

 private:
  /// A host thread's.
  struct member {
    runner::thread_team* thread_team = nullptr;
    std::size_t host = 0;
    detail::os_thread thread;
    signal<resting> left{};  ///< the run that it left last

    static void serve(member& s) { s.thread_team->serve(s.host); }
  };

  void serve(std::size_t host) {
    detail::name_this_thread(names_[host]);
    home_.apply();
    if (!cores_.empty()) cores_[host].apply();
    for (std::uint32_t run = 1;; ++run) {
      begun_.await(run);
      if (quit_) return;
      work(host, run);
    }
  }
  void work(std::size_t host, std::uint32_t run) {
    job_.work(job_.owner, host);
    members_[host].left.publish(run);
  }

  void stop() {
    quit_ = true;
    begin();
    for (std::size_t h = 1; h < size_; ++h) members_[h].thread.join();
    delete[] members_;
  }

  job job_;
  planner::view<std::string_view> names_;
  planner::view<detail::core_set> cores_;
  detail::core_set home_;   ///< which threads would inherit if no run held their maker
  std::uint32_t runs_ = 0;  // written by the calling thread while no run is on
  bool quit_ = false;       // published by the last beginning
  signal<resting> begun_{};
  std::size_t size_;
  member* members_;  ///< by host thread; the calling one's is not used
};

}  // namespace stretto::runner
