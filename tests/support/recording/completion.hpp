// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace stretto::testing::recording {

/// How far each queue has come, as somebody knows: a vector clock.
class clock {
 public:
  void join(const clock& other) {
    if (at_.size() < other.at_.size()) at_.resize(other.at_.size());
    for (std::size_t q = 0; q < other.at_.size(); ++q) at_[q] = std::max(at_[q], other.at_[q]);
  }
  void advance(std::size_t queue, std::uint64_t to) {
    if (at_.size() <= queue) at_.resize(queue + 1);
    at_[queue] = to;
  }
  /// Whether the work that has this number on \p queue is behind.
  bool covers(std::size_t queue, std::uint64_t number) const {
    return queue < at_.size() && at_[queue] >= number;
  }

 private:
  std::vector<std::uint64_t> at_;
};

/// A piece of work on a queue: what it comes after, and whether it is done. Under the world's lock.
struct completion {
  std::size_t queue = 0;
  std::uint64_t number = 0;  // on its queue, from 1
  clock after;               // itself included
  std::string label;
  bool done = false;
  std::int64_t time =
      0;  // of an event's record, once it is done: nanoseconds by the device's clock

  bool comes_before(const completion& other) const { return other.after.covers(queue, number); }
};

using work_ptr = std::shared_ptr<completion>;

}  // namespace stretto::testing::recording
