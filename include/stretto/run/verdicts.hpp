// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <stretto/declare/verdict.hpp>
#include <stretto/plan/model/algorithm.hpp>
#include <stretto/plan/model/graph.hpp>
#include <stretto/plan/model/view.hpp>
#include <stretto/run/failure_log.hpp>
#include <stretto/run/wait/signal.hpp>

/// What tasks that may drop batches said of them in a run. planner::verdicts tells who asks whom.
namespace stretto::runner {

/// Of each task no more dropped batches than this are listed.
inline constexpr std::size_t most_drops_listed = 16;

/// The batches that one task dropped. Several workers may run it.
struct alignas(cache_line) drop_log {
  std::atomic<std::size_t> count{0};
  std::size_t first[most_drops_listed]{};  // NOLINT(modernize-avoid-c-arrays): see signals

  void note(std::size_t batch) {
    // relaxed: it is read when the threads have left the run.
    const std::size_t place = count.fetch_add(1, std::memory_order_relaxed);
    if (place < most_drops_listed) first[place] = batch;
  }
};

/// What is said of a batch: 0, that it is kept, or by whom it was dropped, the task's place among
/// those that may, plus 1.
using said = std::uint32_t;

/// For how many batches each task has a word: those in flight, and those that others look back at.
/// A power of two, and one cache line at least.
constexpr std::size_t words_for(std::size_t batches) {
  return std::bit_ceil(planner::larger(batches, cache_line / sizeof(said)));
}

/// Where, among the words of one task after the other, \p each of them, that of a task is on a
/// batch: \p dropper is its place among those that may drop batches.
constexpr std::size_t word_at(std::size_t dropper, std::size_t batch, std::size_t each) {
  return dropper * each + (batch & (each - 1));
}

/// The words that all of them said, and whom they come from, where only the running program knows
/// how many they are.
struct verdict_table {
  planner::view<std::size_t> droppers{};  ///< nodes
  planner::view<std::size_t> asked{};
  planner::view<planner::range> asked_by{};  ///< by node, into \c asked
  const said* words = nullptr;               ///< of one task after the other
  std::size_t words_each = 0;
  const drop_log* logs = nullptr;              ///< as \c droppers
  const failure_log* failures = nullptr;       ///< as \c droppers; null: none drops its failures
  planner::view<std::size_t> most{};           ///< as \c droppers: how many failures of each
  const std::exception_ptr* errors = nullptr;  ///< as \c words: for what a task dropped a batch

  /// What was thrown for a batch that a task dropped; null: nothing was.
  std::exception_ptr error(std::size_t dropper, std::size_t batch) const {
    return errors == nullptr ? nullptr : errors[word_at(dropper, batch, words_each)];
  }
  said word(std::size_t dropper, std::size_t batch) const {
    return words[word_at(dropper, batch, words_each)];
  }
  /// Who is to blame that a node is passed over for a batch; 0: nobody.
  said culprit(std::size_t node, std::size_t batch) const {
    for (std::size_t i = asked_by[node].first; i < asked_by[node].last; ++i)
      if (const said by = word(asked[i], batch); by != 0) return by;
    return 0;
  }
  /// How many failures of a node a run drops, if there was one more; 0: there was not.
  std::size_t limit_exceeded(std::size_t node) const {
    if (failures != nullptr)
      for (std::size_t i = 0; i < droppers.size(); ++i)
        if (droppers[i] == node && failures[i].exceeded()) return most[i];
    return 0;
  }
  /// Whether a node, of a batch that it got to, was passed over.
  bool skips(std::size_t node, std::size_t batch) const {
    return !droppers.empty() && culprit(node, batch) != 0;
  }
};

}  // namespace stretto::runner
