// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <stretto/collective/demand.hpp>
#include <stretto/collective/error.hpp>
#include <stretto/collective/pause.hpp>
#include <stretto/collective/peers.hpp>
#include <stretto/collective/wording.hpp>
#include <stretto/nccl/group.hpp>
#include <stretto/nccl/in_flight.hpp>
#include <stretto/nccl/owner_lock.hpp>
#include <stretto/nccl/settings.hpp>
#include <stretto/run/error.hpp>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace stretto::nccl::detail {

/// Ends what is going on in all of them together: one alone could wait for a kernel that is behind
/// another's.
template <class Library>
void abort_all(const Library& library, const std::vector<std::unique_ptr<group<Library>>>& groups) {
  const bool together = groups.size() > 1 && library.group_start() == Library::success;
  for (const std::unique_ptr<group<Library>>& g : groups) g->abort();
  if (together) static_cast<void>(library.group_end());
}

/// A thread that looks, while a run is on, whether its collectives can still complete: whether the
/// library reports an error, a peer has failed, or time is up. If not, it aborts all communicators
/// of this rank: what waits for them goes on, and finds out why.
///
/// It asks the device nothing, since a call to that may not come back before a collective is
/// complete: another thread finds out which are.
template <class Library, class Driver>
class watchdog {
 public:
  using clock = std::chrono::steady_clock;
  using group = detail::group<Library>;

  watchdog(const Library& library, const Driver& driver,
           const std::vector<std::unique_ptr<group>>& groups, collective::peers& peers,
           const collective::demand& demand, const timeouts& timeout, owner_lock& door,
           std::mutex& talk, int device)
      : library_(library),
        groups_(groups),
        peers_(peers),
        demand_(demand),
        timeouts_(timeout),
        lock_(door),
        talk_(talk),
        driver_(driver),
        device_(device),
        pending_(driver) {}
  watchdog(const watchdog&) = delete;
  watchdog& operator=(const watchdog&) = delete;
  ~watchdog() {
    {
      const std::lock_guard hold(state_);
      over_ = true;
      changed_.notify_all();
    }
    if (thread_.joinable()) thread_.join();
    if (asking_.joinable()) asking_.join();
  }

  /// A run begins, or has come to its end: then nobody uses what belongs to it any more.
  void begin() {
    const std::lock_guard hold(state_);
    stopping_since_.reset();
    error_since_.reset();
    device_error_ = nullptr;
    out_of_sight_ = false;
    ++run_;
    if (!thread_.joinable()) thread_ = std::thread([this] { run(); });
    if (!asking_.joinable()) asking_ = std::thread([this] { ask_device(); });
    watching_ = true;
    changed_.notify_all();
  }
  void end() noexcept {
    std::unique_lock hold(state_);
    watching_ = false;
    changed_.notify_all();
    changed_.wait(hold, [&] { return !busy_; });
    pending_.forget_all();
  }

  /// A collective was put on a stream, whose device is the current one.
  void add(std::size_t ticket, std::size_t batch, int device, typename Driver::stream stream) {
    go_on();
    pending_.add(ticket, batch, device, stream);
  }
  /// One is going to be put on a stream: after the one of the device that was put there last.
  void follow(int device, typename Driver::stream stream) const { pending_.follow(device, stream); }
  /// One may have been put on a stream, and nothing says when it is complete: the run stops.
  void lose_sight() noexcept {
    const std::lock_guard hold(state_);
    out_of_sight_ = true;
  }
  /// What says whether the pipeline stops; asked while a run is on.
  void poll(const std::function<bool()>& stopping) {
    const std::lock_guard hold(state_);
    stopping_ = stopping;
  }

  /// Throws if collectives were aborted what they were aborted for.
  void go_on() const {
    // acquire: the failure was written before.
    if (failed_.load(std::memory_order_acquire)) [[unlikely]]
      std::rethrow_exception(failure_);
  }
  bool aborted() const { return failed_.load(std::memory_order_acquire); }
  /// Null if they were not.
  std::exception_ptr failure() const { return aborted() ? failure_ : nullptr; }

 private:
  static constexpr std::chrono::milliseconds period{5};

  /// A thread begins: what it asks the device, and the library for it, is about that one.
  void use_device() const noexcept { static_cast<void>(driver_.set_device(device_)); }

  void ask_device() {
    use_device();
    std::unique_lock hold(state_);
    while (!over_) {
      changed_.wait(hold, [&] { return over_ || watching_; });
      changed_.wait_for(hold, period, [&] { return over_ || !watching_; });
      if (over_ || !watching_) continue;
      const std::size_t asked_in = run_;
      hold.unlock();
      std::exception_ptr wrong;
      try {
        pending_.retire();
      } catch (...) {
        wrong = std::current_exception();
      }
      hold.lock();
      if (wrong != nullptr && asked_in == run_) device_error_ = wrong;
    }
  }

  void run() {
    use_device();
    std::unique_lock hold(state_);
    while (!over_) {
      changed_.wait(hold, [&] { return over_ || watching_; });
      changed_.wait_for(hold, period, [&] { return over_ || !watching_; });
      if (over_ || !watching_) continue;
      std::exception_ptr wrong = look();
      if (wrong == nullptr) continue;
      watching_ = false;
      busy_ = true;
      failure_ = std::move(wrong);
      // release: whoever sees it may read the failure. Before collectives end, so that nobody takes
      // their results for good.
      failed_.store(true, std::memory_order_release);
      hold.unlock();
      abort();
      hold.lock();
      busy_ = false;
      changed_.notify_all();
    }
  }

  /// What is wrong, or null.
  std::exception_ptr look() {
    try {
      if (device_error_ != nullptr) return device_error_;
      now_ = pending_.now();
      if (const std::unique_lock talking(talk_, std::try_to_lock); talking) peers_.watch(now_.all);
      listen_to_library();
      check_time();
      return check_stop() ? std::make_exception_ptr(wait_stopped()) : nullptr;
    } catch (...) {
      return std::current_exception();
    }
  }

  void listen_to_library() {
    if (!lock_.try_lock(owner_lock::watcher)) return;
    const group* wrong = nullptr;
    typename Library::result what = Library::success;
    for (const std::unique_ptr<group>& g : groups_) {
      if (!g->usable() || wrong != nullptr) continue;
      typename Library::result state = Library::success;
      const typename Library::result r = library_.async_error(g->communicator(), state);
      what = r == Library::success ? state : r;
      if (what != Library::success && what != Library::in_progress) wrong = g.get();
    }
    lock_.unlock(owner_lock::watcher);
    if (wrong == nullptr) return;
    // It may be how another rank's failure shows: then that one says which.
    if (!error_since_) error_since_ = clock::now();
    if (clock::now() - *error_since_ < timeouts_.stop) return;
    fail(library_, call::async_error, what, wrong->communicator(), place_of(*wrong));
  }

  std::string place_of(const group& g) const {
    std::string text = std::string("communicator `").append(g.name()).append("`");
    if (now_.all.empty()) return text;
    const auto& oldest = now_.all.front();
    return text.append(", ticket ")
        .append(std::to_string(oldest.ticket))
        .append(", ")
        .append(collective::place_text(demand_.tickets[oldest.ticket].task, oldest.batch));
  }

  void check_time() {
    if (timeouts_.peers.count() == 0 || now_.all.empty()) return;
    if (clock::now() - now_.front_since < timeouts_.peers) return;
    const auto& oldest = now_.all.front();
    throw timeout_error(oldest.ticket, demand_.tickets[oldest.ticket].task, oldest.batch,
                        timeouts_.peers);
  }

  /// Whether the pipeline has been stopping for so long that what is on streams will not end.
  bool check_stop() {
    if (!stopping_ || (now_.all.empty() && !out_of_sight_) || !stopping_()) return false;
    if (!stopping_since_) stopping_since_ = clock::now();
    if (clock::now() - *stopping_since_ < timeouts_.stop) return false;
    // One out of sight is the one that this rank is inside of, which it takes back itself.
    peers_.take_back(now_.all);
    return true;
  }

  void abort() noexcept {
    // Calls do not block, so a body that is in the library will leave it; unless it waits for its
    // stream itself.
    const collective::deadline until(timeouts_.stop);
    bool alone = lock_.try_lock(owner_lock::watcher);
    for (collective::pause idle; !alone && !until.passed(); idle())
      alone = lock_.try_lock(owner_lock::watcher);
    abort_all(library_, groups_);
    if (alone) static_cast<void>(lock_.unlock(owner_lock::watcher));
  }

  [[no_unique_address]] Library library_;
  const std::vector<std::unique_ptr<group>>& groups_;
  collective::peers& peers_;
  const collective::demand& demand_;
  timeouts timeouts_;
  owner_lock& lock_;
  std::mutex& talk_;
  [[no_unique_address]] Driver driver_;
  int device_;
  pending_collectives<Driver> pending_;

  std::mutex state_;  ///< for all below; never held while the device is asked
  std::condition_variable changed_;
  typename pending_collectives<Driver>::list now_{};
  std::function<bool()> stopping_;
  std::optional<clock::time_point> stopping_since_;
  std::optional<clock::time_point> error_since_;
  std::exception_ptr device_error_;  ///< what the device said of this run's
  std::size_t run_ = 0;
  std::exception_ptr failure_;
  std::atomic<bool> failed_{false};
  bool out_of_sight_ = false;
  bool watching_ = false;
  bool busy_ = false;  ///< aborting
  bool over_ = false;
  std::thread thread_;  ///< last: they use all of the above
  std::thread asking_;
};

}  // namespace stretto::nccl::detail
