// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <chrono>
#include <cstddef>
#include <map>
#include <stretto/device/driver.hpp>
#include <stretto/device/error.hpp>
#include <vector>

namespace stretto::nccl::detail {

/// The collectives that were put on streams and that the streams have not come past yet, each with
/// an event behind it. Not thread-safe.
template <class Driver>
class pending_collectives {
 public:
  using clock = std::chrono::steady_clock;
  struct flight {
    typename Driver::event behind{};
    int device = 0;
    std::size_t ticket = 0;
    std::size_t batch = 0;
  };

  static std::vector<flight> none() { return {}; }

  explicit pending_collectives(const Driver& driver) : driver_(driver) {}
  pending_collectives(const pending_collectives&) = delete;
  pending_collectives& operator=(const pending_collectives&) = delete;
  ~pending_collectives() {
    for (const flight& f : aloft_) static_cast<void>(driver_.destroy_event(f.behind));
    for (const auto& [device, events] : spare_)
      for (const typename Driver::event e : events) static_cast<void>(driver_.destroy_event(e));
  }

  /// One has been put on \p stream, whose device is the current one.
  void add(std::size_t ticket, std::size_t batch, int device, typename Driver::stream stream) {
    using device::call;
    using device::shared::checked;
    std::vector<typename Driver::event>& spare = spare_[device];
    if (spare.empty()) retire();
    flight f{{}, device, ticket, batch};
    if (spare.empty()) {
      checked<Driver>(call::create_event, driver_.create_event(f.behind));
      spare.push_back(f.behind);
    }
    f.behind = spare.back();
    checked<Driver>(call::record, driver_.record(f.behind, stream));
    spare.pop_back();
    if (aloft_.empty()) front_since_ = clock::now();
    aloft_.push_back(f);
  }

  /// Forgets those that are complete. Throws `device::error` if the device says that something went
  /// wrong.
  void retire() {
    for (std::size_t i = 0; i < aloft_.size();) {
      const typename Driver::status s = driver_.query(aloft_[i].behind);
      if (s == Driver::not_ready) {
        ++i;
        continue;
      }
      device::shared::checked<Driver>(device::call::query, s);
      spare_[aloft_[i].device].push_back(aloft_[i].behind);
      aloft_.erase(aloft_.begin() + static_cast<std::ptrdiff_t>(i));
      if (i == 0) front_since_ = clock::now();
    }
  }

  const std::vector<flight>& all() const { return aloft_; }
  /// Since when the oldest has been the oldest.
  clock::time_point front_since() const { return front_since_; }

 private:
  Driver driver_;
  std::vector<flight> aloft_;
  std::map<int, std::vector<typename Driver::event>> spare_;  ///< by device
  clock::time_point front_since_{};
};

}  // namespace stretto::nccl::detail
