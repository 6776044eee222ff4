// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <stretto/watch/activity.hpp>

namespace stretto::watch::detail {

/// How many numbers were about how large, such as times in nanoseconds: a bucket for each up to 32,
/// then sixteen to an octave, up to some five hours; what is more is in the last one.
struct histogram {
  static constexpr std::size_t buckets = 656;

  static constexpr std::size_t bucket_of(std::uint64_t number) {
    const int octave = (std::max)(0, static_cast<int>(std::bit_width(number)) - 5);
    const auto bucket =
        static_cast<std::size_t>(octave) * 16 + static_cast<std::size_t>(number >> octave);
    return (std::min)(bucket, buckets - 1);
  }
  /// The middle of a bucket.
  static constexpr std::uint64_t middle_of(std::size_t bucket) {
    if (bucket < 32) return bucket;
    const std::size_t octave = bucket / 16 - 1;
    return (static_cast<std::uint64_t>(bucket - 16 * octave) << octave) +
           ((std::uint64_t{1} << octave) - 1) / 2;
  }

  std::array<std::uint64_t, buckets> counts{};
  std::uint64_t total = 0;
  std::uint64_t longest = 0;

  /// Of numbers that are nanoseconds.
  activity::times summary() const {
    const auto in_seconds = [](std::uint64_t nanoseconds) {
      return activity::seconds(
          std::chrono::duration<double, std::nano>(static_cast<double>(nanoseconds)));
    };
    const activity::lengths all = lengths();
    return {all.count, in_seconds(all.total), in_seconds(all.median), in_seconds(all.p99),
            in_seconds(all.longest)};
  }
  activity::lengths lengths() const {
    std::uint64_t count = 0;
    for (const std::uint64_t c : counts) count += c;
    return {count, total, quantile(count, 0.5), quantile(count, 0.99), longest};
  }

 private:
  std::uint64_t quantile(std::uint64_t count, double part) const {
    const auto rank = static_cast<std::uint64_t>(std::ceil(static_cast<double>(count) * part));
    std::uint64_t below = 0;
    for (std::size_t b = 0; b < buckets; ++b) {
      below += counts[b];
      if (below >= rank && below > 0) return (std::min)(middle_of(b), longest);
    }
    return longest;
  }
};

/// A histogram that one thread adds to, and others read meanwhile. All accesses are relaxed: a
/// figure may be a run ahead of another one, and nothing else is read because of it. A thread that
/// is alone in writing needs no read-modify-write.
class distribution {
 public:
  void add(std::chrono::steady_clock::duration time) {
    add_number(static_cast<std::uint64_t>(
        (std::max)(std::chrono::nanoseconds::rep{0},
                   std::chrono::duration_cast<std::chrono::nanoseconds>(time).count())));
  }
  void add_number(std::uint64_t number) {
    // The longest one first: no quantile that is read is greater.
    if (number > longest_.load(std::memory_order_relaxed))
      longest_.store(number, std::memory_order_relaxed);
    raise(total_, number);
    raise(counts_[histogram::bucket_of(number)], 1);
  }
  std::chrono::nanoseconds total() const {
    return std::chrono::nanoseconds(
        static_cast<std::chrono::nanoseconds::rep>(total_.load(std::memory_order_relaxed)));
  }
  void add_to(histogram& all) const {
    for (std::size_t b = 0; b < histogram::buckets; ++b)
      all.counts[b] += counts_[b].load(std::memory_order_relaxed);
    all.total += total_.load(std::memory_order_relaxed);
    all.longest = (std::max)(all.longest, longest_.load(std::memory_order_relaxed));
  }

 private:
  using count = std::atomic<std::uint64_t>;
  static void raise(count& n, std::uint64_t by) {
    n.store(n.load(std::memory_order_relaxed) + by, std::memory_order_relaxed);
  }

  std::array<count, histogram::buckets> counts_{};
  count total_{0};
  count longest_{0};
};

}  // namespace stretto::watch::detail
