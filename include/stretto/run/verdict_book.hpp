// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <atomic>
#include <cstddef>
#include <exception>
#include <stretto/declare/verdict.hpp>
#include <stretto/plan/derive/verdicts.hpp>
#include <stretto/plan/model/list.hpp>
#include <stretto/plan/model/view.hpp>
#include <stretto/run/failure_log.hpp>
#include <stretto/run/verdicts.hpp>
#include <utility>
#include <vector>

namespace stretto::runner {

/// What tasks said in a run of the batches in flight, where only the running program knows which
/// tasks there are.
class verdict_book {
 public:
  verdict_book() = default;
  /// Of a plan with \p in_flight batches in flight.
  verdict_book(planner::verdicts of, std::size_t in_flight)
      : of_(std::move(of)),
        words_(of_.droppers.size() * words_for(in_flight + of_.looked_back)),
        logs_(of_.droppers.size()),
        failures_(of_.drop_failures ? logs_.size() : 0),
        errors_(of_.drop_failures ? words_.size() : 0) {
    table_.droppers = of_.droppers;
    table_.asked = of_.asked;
    table_.asked_by = of_.asked_by;
    table_.words = words_.data();
    table_.words_each = words_for(in_flight + of_.looked_back);
    table_.logs = logs_.data();
    if (!of_.drop_failures) return;
    table_.failures = failures_.data();
    table_.errors = errors_.data();
    table_.most = of_.failures;
  }
  verdict_book(const verdict_book&) = delete;
  verdict_book& operator=(const verdict_book&) = delete;

  const planner::verdicts& of() const { return of_; }
  const verdict_table& table() const { return table_; }

  /// Before a run.
  void forget() {
    withheld_ = 0;
    for (drop_log& log : logs_) log.count.store(0, std::memory_order_relaxed);
    for (failure_log& log : failures_) log.forget();
    for (std::exception_ptr& error : errors_) error = nullptr;
  }

  /// Whether a task before a node has dropped the batch. If so, a node that might have, too, says
  /// it has; else that it keeps it, until it has another word. Asked before the node runs.
  bool skips(std::size_t node, std::size_t batch) {
    const said by = table_.culprit(node, batch);
    if (const std::size_t own = of_.places[node]; own != planner::none) word(own, batch) = by;
    return by != 0;
  }
  /// What a node says of a batch.
  void say(std::size_t node, std::size_t batch, verdict v) {
    if (v == verdict::keep) [[likely]]
      return;
    const std::size_t own = of_.places[node];
    drop(own, batch, nullptr);
    logs_[own].note(batch);
  }
  /// A node has thrown. Whether its batch is dropped for that.
  bool takes_failure(std::size_t node, std::size_t batch, const std::exception_ptr& error) {
    const std::size_t own = of_.places[node];
    if (own == planner::none || of_.failures[own] == 0 ||
        !failures_[own].note(batch, error, of_.failures[own]))
      return false;
    drop(own, batch, error);
    return true;
  }
  /// Whether a node that has run for a batch dropped it.
  bool dropped(std::size_t node, std::size_t batch) const {
    const std::size_t own = of_.places[node];
    return own != planner::none && table_.word(own, batch) != 0;
  }
  /// Whether a node that was called for a batch dropped it because it threw.
  bool threw(std::size_t node, std::size_t batch) const {
    const std::size_t own = of_.places[node];
    return own != planner::none && table_.word(own, batch) == static_cast<said>(own) + 1 &&
           table_.error(own, batch) != nullptr;
  }
  /// Whether a slot was not written for a batch because one of these dropped it.
  bool unwritten(planner::view<std::size_t> droppers, std::size_t batch) const {
    bool found = false;
    for (const std::size_t d : droppers) found = found || table_.word(d, batch) != 0;
    return found;
  }

  bool is_unwritten(std::size_t slot, std::size_t batch) const {
    return unwritten(droppers_of(slot), batch);
  }
  /// Says of a batch before the run whether a slot was written for it.
  void tell_unwritten(std::size_t slot, std::size_t batch, bool unwritten) {
    for (const std::size_t d : droppers_of(slot)) word(d, batch) = unwritten ? 1 : 0;
  }
  /// Those that keep a slot from being written.
  planner::view<std::size_t> droppers_of(std::size_t slot) const {
    const planner::range of = of_.unwritten_of[slot];
    return {of_.unwritten.data() + of.first, of.last - of.first};
  }

  /// Whether the result of a batch that got through is not to be handed out; asked once for each.
  bool withholds(std::size_t deliver, std::size_t batch) {
    if (words_.empty() || table_.culprit(deliver, batch) == 0) [[likely]]
      return false;
    ++withheld_;
    return true;
  }
  /// How many are not.
  std::size_t withheld() const { return withheld_; }
  /// Who dropped such a batch: a node.
  std::size_t dropped_by(std::size_t deliver, std::size_t batch) const {
    return of_.droppers[table_.culprit(deliver, batch) - 1];
  }
  /// What it threw; null: it did not throw.
  std::exception_ptr why_dropped(std::size_t deliver, std::size_t batch) const {
    return table_.error(table_.culprit(deliver, batch) - 1, batch);
  }

 private:
  void drop(std::size_t own, std::size_t batch, const std::exception_ptr& error) {
    word(own, batch) = static_cast<said>(own) + 1;
    if (of_.failures[own] != 0) errors_[word_at(own, batch, table_.words_each)] = error;
  }
  said& word(std::size_t dropper, std::size_t batch) {
    return words_[word_at(dropper, batch, table_.words_each)];
  }

  planner::verdicts of_;
  std::vector<said> words_;
  std::vector<drop_log> logs_;
  std::vector<failure_log> failures_;
  std::vector<std::exception_ptr> errors_;  ///< as the words
  verdict_table table_;
  std::size_t withheld_ = 0;  ///< of the calling thread
};

}  // namespace stretto::runner
