// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace benchmarks::work {

/// Why one task comes after another.
enum class edge_of { slot, declared, stream, reuse };

/// The consumer's run on a batch comes after the producer's on the same batch, or `ago` earlier.
struct checked_edge {
  edge_of why;
  std::size_t producer, consumer;
  std::size_t ago = 0;
};

/// Which edges a variant has to keep. `declared` are `depends_on` and `same_progress_sync`.
struct every_edge {
  static constexpr bool keeps(edge_of) { return true; }
  static constexpr bool turns = true;  ///< batches in flight together work in one progress
};
struct no_turns : every_edge {
  static constexpr bool turns = false;
};
struct no_streams : no_turns {
  static constexpr bool keeps(edge_of e) { return e != edge_of::stream; }
};
struct data_only : no_turns {
  static constexpr bool keeps(edge_of e) { return e == edge_of::slot || e == edge_of::reuse; }
};

/// What a task did so far. Written by the task only.
struct alignas(64) checked_row {
  static constexpr std::size_t kept = 8;  ///< more than batches in flight

  std::atomic<std::size_t> finished{0};    ///< batches
  std::array<std::uint64_t, kept> left{};  ///< its hash of the latest batches
};

/// Work that proves the order. Every task hashes what it reads, and what the tasks that it comes
/// after left behind, so that a result tells whether any of it was missing or of another batch; and
/// looks up, for every edge that `Edges` keeps, whether the producer has got as far as it must.
template <class Edges>
class checking {
 public:
  template <std::size_t Task, class... Slot>
  static void task(Slot&... slots) {
    dawdle(Task);
    checked_row& own = rows_[Task];
    const std::size_t batch = own.finished.load(std::memory_order_relaxed);
    std::uint64_t hash = mix(Task, batch);
    for (const checked_edge& e : edges) {
      if (e.consumer != Task || batch < e.ago || !Edges::keeps(e.why)) continue;
      const std::size_t wanted = batch - e.ago;
      // relaxed: that it is there, and what was left, has to be ordered by the pipeline.
      if (rows_[e.producer].finished.load(std::memory_order_relaxed) <= wanted) ++violations_;
      if (e.ago == 0) hash = mix(hash, rows_[e.producer].left[wanted % kept]);
    }
    if (Edges::turns && Task == backward &&
        rows_[prefetch].finished.load(std::memory_order_relaxed) < std::min(batch + 2, batches_))
      ++violations_;
    (read(hash, slots), ...);
    dawdle(hash);
    (read(hash, slots), ...);
    (write(hash, slots), ...);
    own.left[batch % kept] = hash;
    own.finished.store(batch + 1, std::memory_order_relaxed);
  }
  static void progressed() {}

  /// Before a run of that many batches.
  static void restart(std::size_t batches) {
    for (checked_row& r : rows_) r.finished.store(0, std::memory_order_relaxed);
    batches_ = batches;
    violations_ = 0;
  }
  static std::size_t violations() { return violations_; }

 private:
  static constexpr std::size_t prefetch = 9;
  static constexpr std::size_t backward = 10;
  static constexpr checked_edge edges[] = {
      // slots, same batch
      {edge_of::slot, 0, 1},
      {edge_of::slot, 0, 2},
      {edge_of::slot, 1, 2},
      {edge_of::slot, 2, 3},
      {edge_of::slot, 0, 3},
      {edge_of::slot, 0, 6},
      {edge_of::slot, 0, 8},
      {edge_of::slot, 2, 8},
      {edge_of::slot, 8, 10},
      {edge_of::slot, 6, 10},
      // depends_on, same batch
      {edge_of::declared, 3, 4},
      {edge_of::declared, 2, 7},
      {edge_of::declared, 9, 8},
      {edge_of::declared, 4, 9},
      {edge_of::declared, 5, 10},
      {edge_of::declared, 10, 11},
      {edge_of::declared, 11, 12},
      {edge_of::declared, 12, 13},
      // each task of a stream after the one before it, the first after the last of the batch before
      {edge_of::stream, 5, 6},
      {edge_of::stream, 6, 7},
      {edge_of::stream, 7, 8},
      {edge_of::stream, 2, 0, 1},
      {edge_of::stream, 4, 3, 1},
      {edge_of::stream, 13, 5, 1},
      // three copies
      {edge_of::reuse, 6, 0, 3},
      {edge_of::reuse, 8, 0, 3},
      {edge_of::reuse, 3, 0, 3},
      {edge_of::reuse, 3, 2, 3},
      {edge_of::reuse, 8, 2, 3}};

  static constexpr std::size_t kept = checked_row::kept;

  static std::uint64_t mix(std::uint64_t a, std::uint64_t b) {
    std::uint64_t h = (a ^ (b + 0x9e3779b97f4a7c15U)) * 0xbf58476d1ce4e5b9U;
    h = (h ^ (h >> 29)) * 0x94d049bb133111ebU;
    return h ^ (h >> 32);
  }
  /// Now and then up to a few microseconds, so that threads drift apart.
  static void dawdle(std::uint64_t seed) {
    thread_local std::uint64_t state = 1;
    state = mix(state, seed);
    for (std::uint64_t n = state % 16 == 0 ? state / 16 % 4096 : 0; n != 0; --n)
      asm volatile("" ::: "memory");
  }
  template <class Slot>
  static void read(std::uint64_t& hash, Slot& slot) {
    if constexpr (std::is_const_v<Slot>) hash = mix(hash, slot);
  }
  template <class Slot>
  static void write(std::uint64_t& hash, Slot& slot) {
    if constexpr (!std::is_const_v<Slot>) slot = hash = mix(hash, 1);
  }

  static inline std::array<checked_row, 14> rows_{};
  static inline std::size_t batches_ = 0;
  static inline std::atomic<std::size_t> violations_ = 0;
};

struct checked : checking<every_edge> {};

}  // namespace benchmarks::work
