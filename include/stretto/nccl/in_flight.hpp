// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <map>
#include <mutex>
#include <stretto/device/driver.hpp>
#include <stretto/device/error.hpp>
#include <vector>

namespace stretto::nccl::detail {

/// The collectives that were put on streams and that the streams have not come past yet, each with
/// an event behind it. Any thread may ask what they are, and is never kept waiting by a call to the
/// device; one at a time adds some, one at a time retires them.
template <class Driver>
class pending_collectives {
 public:
  using clock = std::chrono::steady_clock;
  struct flight {
    std::size_t number = 0;  ///< no other one's
    typename Driver::event behind{};
    bool recorded = false;  ///< the event
    int device = 0;
    std::size_t ticket = 0;
    std::size_t batch = 0;
  };
  /// Those there are at a moment, the oldest first.
  struct list {
    std::vector<flight> all;
    clock::time_point front_since;  ///< since when the oldest has been the oldest
  };

  static std::vector<flight> none() { return {}; }

  explicit pending_collectives(const Driver& driver) : driver_(driver) {}
  pending_collectives(const pending_collectives&) = delete;
  pending_collectives& operator=(const pending_collectives&) = delete;
  ~pending_collectives() {
    for (const flight& f : aloft_)
      if (f.recorded) static_cast<void>(driver_.destroy_event(f.behind));
    for (const auto& [device, events] : spare_)
      for (const typename Driver::event e : events) static_cast<void>(driver_.destroy_event(e));
  }

  /// One has been put on \p stream, whose device is the current one. It is known before the device
  /// is asked for anything, which may take until it is complete.
  void add(std::size_t ticket, std::size_t batch, int device, typename Driver::stream stream) {
    using device::call;
    using device::shared::checked;
    flight f{.device = device, .ticket = ticket, .batch = batch};
    const bool has_event = announce(f);
    if (!has_event) {
      const typename Driver::status s = driver_.create_event(f.behind);
      if (s != Driver::success) withdraw(f, false);
      checked<Driver>(call::create_event, s);
    }
    const typename Driver::status s = driver_.record(f.behind, stream);
    if (s != Driver::success) withdraw(f, true);
    checked<Driver>(call::record, s);
    last_[device] = {f.behind, stream};
    const std::lock_guard hold(mutex_);
    if (flight* const known = find(f.number)) {
      known->behind = f.behind;
      known->recorded = true;
    } else {
      spare_[device].push_back(f.behind);
    }
  }

  /// What is put on \p stream from now on begins when the collective is complete that was put on a
  /// stream of the device last.
  void follow(int device, typename Driver::stream stream) const {
    const auto last = last_.find(device);
    if (last == last_.end() || last->second.on == stream) return;
    device::shared::checked<Driver>(device::call::wait, driver_.wait(stream, last->second.behind));
  }

  /// Forgets those that are complete. Throws `device::error` if the device says that something went
  /// wrong.
  void retire() {
    {
      const std::lock_guard hold(mutex_);
      asked_.clear();
      for (const flight& f : aloft_)
        if (f.recorded) asked_.push_back(f);
    }
    for (const flight& f : asked_) {
      const typename Driver::status s = driver_.query(f.behind);
      if (s == Driver::not_ready) continue;
      device::shared::checked<Driver>(device::call::query, s);
      const std::lock_guard hold(mutex_);
      // If it is known no longer, the event may already be another one's.
      if (find(f.number) != nullptr) forget(f.number);
    }
  }
  /// All are complete, or nobody asks for them any more.
  void forget_all() {
    const std::lock_guard hold(mutex_);
    for (const flight& f : aloft_)
      if (f.recorded) spare_[f.device].push_back(f.behind);
    aloft_.clear();
  }

  list now() const {
    const std::lock_guard hold(mutex_);
    return {aloft_, front_since_};
  }

 private:
  struct place {
    typename Driver::event behind{};
    typename Driver::stream on{};
  };

  /// \return whether there is an event for it.
  bool announce(flight& f) {
    const std::lock_guard hold(mutex_);
    f.number = ++count_;
    std::vector<typename Driver::event>& spare = spare_[f.device];
    if (aloft_.empty()) front_since_ = clock::now();
    aloft_.push_back(f);
    if (spare.empty()) return false;
    f.behind = spare.back();
    spare.pop_back();
    return true;
  }
  void withdraw(const flight& f, bool has_event) {
    const std::lock_guard hold(mutex_);
    if (has_event) spare_[f.device].push_back(f.behind);
    std::erase_if(aloft_, [&](const flight& other) { return other.number == f.number; });
  }
  flight* find(std::size_t number) {
    const auto found = std::find_if(aloft_.begin(), aloft_.end(),
                                    [&](const flight& f) { return f.number == number; });
    return found == aloft_.end() ? nullptr : &*found;
  }
  void forget(std::size_t number) {
    if (aloft_.front().number == number) front_since_ = clock::now();
    const flight f = *find(number);
    spare_[f.device].push_back(f.behind);
    std::erase_if(aloft_, [&](const flight& other) { return other.number == number; });
  }

  Driver driver_;
  std::map<int, place> last_;  ///< by device: what was added last; for who adds
  std::vector<flight> asked_;  ///< for who retires
  mutable std::mutex mutex_;   ///< for all below; never held while the device is asked
  std::size_t count_ = 0;
  std::vector<flight> aloft_;
  std::map<int, std::vector<typename Driver::event>> spare_;  ///< by device
  clock::time_point front_since_{};
};

}  // namespace stretto::nccl::detail
