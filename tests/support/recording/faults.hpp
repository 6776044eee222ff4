// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <stretto/device/driver.hpp>
#include <utility>
#include <vector>
#include "status.hpp"

namespace stretto::testing::recording {

/// Which calls fail, and what a failed device says from then on.
class faults {
 public:
  /// The \p nth call of this kind from now, counted from 0.
  void fail(device::call what, std::size_t nth, status s) {
    planned_.push_back({what, of(what) + nth, s});
  }
  /// The \p k-th of all calls from now, counted from 0.
  void fail_at(std::size_t k, status s) { planned_.push_back({std::nullopt, all_ + k, s}); }
  /// The \p nth call of this kind from now does nothing and says that it did.
  void ignore(device::call what, std::size_t nth) { fail(what, nth, status::success); }

  /// What is planned and has not come yet does not come any more.
  void forget() { planned_.clear(); }

  /// Planned, and not come to yet.
  std::size_t left() const { return planned_.size(); }
  std::size_t count() const { return all_; }
  std::size_t count(device::call what) const { return counts_[index(what)]; }

  /// What comes of a call that begins now: nothing, if it is to be made.
  std::optional<status> next(device::call what) {
    const std::size_t overall = all_++;
    const std::size_t own = counts_[index(what)]++;
    if (lost_ != status::success) return lost_;
    for (auto it = planned_.begin(); it != planned_.end(); ++it) {
      if (it->what ? *it->what == what && it->at == own : it->at == overall) {
        const status s = it->result;
        planned_.erase(it);
        return s;
      }
    }
    return reported();
  }
  /// What work has left behind that nobody has heard of.
  std::optional<status> reported() {
    if (lost_ != status::success) return lost_;
    if (unheard_ == status::success) return std::nullopt;
    return std::exchange(unheard_, status::success);
  }

  /// Work on a stream has failed.
  void happened(status s) { (sticky(s) ? lost_ : unheard_) = s; }
  status lost() const { return lost_; }

 private:
  struct planned {
    std::optional<device::call> what;  // none: any
    std::size_t at;
    status result;
  };

  static std::size_t index(device::call what) { return static_cast<std::size_t>(what); }
  std::size_t of(device::call what) const { return counts_[index(what)]; }

  std::array<std::size_t, static_cast<std::size_t>(device::call::launch) + 1> counts_{};
  std::size_t all_ = 0;
  std::vector<planned> planned_;
  status lost_ = status::success;
  status unheard_ = status::success;
};

}  // namespace stretto::testing::recording
