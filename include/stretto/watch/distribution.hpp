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

/// How many times were about how long, in nanoseconds: a bucket for each up to 32, then sixteen to
/// an octave, up to some five hours; what is longer is in the last one.
struct histogram {
  static constexpr std::size_t buckets = 656;

  static constexpr std::size_t bucket_of(std::uint64_t nanoseconds) {
    const int octave = (std::max)(0, static_cast<int>(std::bit_width(nanoseconds)) - 5);
    const auto bucket =
        static_cast<std::size_t>(octave) * 16 + static_cast<std::size_t>(nanoseconds >> octave);
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

  activity::times summary() const {
    const auto in_seconds = [](std::uint64_t nanoseconds) {
      return activity::seconds(
          std::chrono::duration<double, std::nano>(static_cast<double>(nanoseconds)));
    };
    activity::times all;
    for (const std::uint64_t c : counts) all.count += c;
    all.total = in_seconds(total);
    all.longest = in_seconds(longest);
    all.median = in_seconds(quantile(all.count, 0.5));
    all.p99 = in_seconds(quantile(all.count, 0.99));
    return all;
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
    const auto nanoseconds = static_cast<std::uint64_t>(
        (std::max)(std::chrono::nanoseconds::rep{0},
                   std::chrono::duration_cast<std::chrono::nanoseconds>(time).count()));
    // The longest one first: no quantile that is read is greater.
    if (nanoseconds > longest_.load(std::memory_order_relaxed))
      longest_.store(nanoseconds, std::memory_order_relaxed);
    raise(total_, nanoseconds);
    raise(counts_[histogram::bucket_of(nanoseconds)], 1);
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
  using number = std::atomic<std::uint64_t>;
  static void raise(number& n, std::uint64_t by) {
    n.store(n.load(std::memory_order_relaxed) + by, std::memory_order_relaxed);
  }

  std::array<number, histogram::buckets> counts_{};
  number total_{0};
  number longest_{0};
};

}  // namespace stretto::watch::detail
