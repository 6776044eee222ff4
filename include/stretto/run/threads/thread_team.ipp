// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <stretto/run/threads/os_thread.hpp>
#include <stretto/run/threads/thread_team.hpp>
#include <stretto/run/wait/futex.hpp>

namespace stretto::runner {

/// A host thread's.
struct thread_team::member {
  runner::thread_team* thread_team = nullptr;
  std::size_t host = 0;
  detail::os_thread thread;
  signal<resting> left{};  ///< the run that it left last

  static void serve(member& s) { s.thread_team->serve(s.host); }
};

[[gnu::cold]] STRETTO_INLINE thread_team::thread_team(job what,
                                                      planner::view<std::string_view> names,
                                                      detail::placement* placed,
                                                      const detail::attachments* attached)
    : job_(what), names_(names), placed_(placed), size_(names.size()), members_(new member[size_]) {
  detail::enable_asymmetric_fences();
  try {
    if (placed_ == nullptr) {
      // relaxed: if the calling thread is held, it has said so itself.
      if (auto* const place = detail::place_like_before.load(std::memory_order_relaxed))
        like_before_.set(place());
      placed_ = like_before_.get();
    } else {
      placed_->start_from_here();
    }
    for (std::size_t h = 1; h < size_; ++h) {
      if (attached != nullptr && attached->has(h)) continue;
      members_[h].thread_team = this;
      members_[h].host = h;
      members_[h].thread.start<member, &member::serve>(members_[h]);
    }
  } catch (...) {  // the system has no more threads
    stop();
    throw;
  }
}
[[gnu::noinline]] STRETTO_INLINE thread_team::~thread_team() { stop(); }

[[gnu::noinline]] STRETTO_INLINE void thread_team::begin() { begun_.publish(++runs_); }

STRETTO_INLINE void thread_team::run_on_caller(std::size_t host) {
  if (placed_ != nullptr) placed_->hold(this, host);
  work(host, runs_);
  if (placed_ != nullptr) placed_->release(this);
}

[[gnu::noinline]] STRETTO_INLINE void thread_team::join_run() {
  for (std::size_t h = 1; h < size_; ++h) members_[h].left.await(runs_);
}

[[gnu::cold]] STRETTO_INLINE std::size_t thread_team::join_run_for(long milliseconds,
                                                                   std::size_t rather) {
  for (std::size_t h = 1; h < size_; ++h)
    if (!members_[h].left.await_for(runs_, milliseconds))
      return rather == 0 || members_[rather].left.await_for(runs_, 0) ? h : rather;
  return 0;
}

STRETTO_INLINE void thread_team::serve(std::size_t host) {
  detail::name_this_thread(names_[host]);
  if (placed_ != nullptr) placed_->enter(host);
  for (std::uint32_t run = 1;; ++run) {
    begun_.await(run);
    if (quit_) return;
    work(host, run);
  }
}
STRETTO_INLINE void thread_team::work(std::size_t host, std::uint32_t run) {
  job_.work(job_.owner, host);
  members_[host].left.publish(run);
}

STRETTO_INLINE void thread_team::stop() {
  quit_ = true;
  begin();
  for (std::size_t h = 1; h < size_; ++h) members_[h].thread.join();
  delete[] members_;
}

}  // namespace stretto::runner
