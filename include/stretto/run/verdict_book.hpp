// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <atomic>
#include <cstddef>
#include <stretto/declare/verdict.hpp>
#include <stretto/plan/derive/verdicts.hpp>
#include <stretto/plan/model/list.hpp>
#include <stretto/plan/model/view.hpp>
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
        logs_(of_.droppers.size()) {
    table_.droppers = of_.droppers;
    table_.asked = of_.asked;
    table_.asked_by = of_.asked_by;
    table_.words = words_.data();
    table_.words_each = words_for(in_flight + of_.looked_back);
    table_.logs = logs_.data();
  }
  verdict_book(const verdict_book&) = delete;
  verdict_book& operator=(const verdict_book&) = delete;

  const planner::verdicts& of() const { return of_; }
  const verdict_table& table() const { return table_; }

  /// Before a run.
  void forget() {
    withheld_ = 0;
    for (drop_log& log : logs_) log.count.store(0, std::memory_order_relaxed);
  }

  /// Whether a task before a node has dropped the batch. If so, a node that might have, too, says
  /// it has.
  bool skips(std::size_t node, std::size_t batch) {
    const said by = table_.culprit(node, batch);
    if (by == 0) [[likely]]
      return false;
    if (const std::size_t own = of_.places[node]; own != planner::none) word(own, batch) = by;
    return true;
  }
  /// What a node says of a batch.
  void say(std::size_t node, std::size_t batch, verdict v) {
    const std::size_t own = of_.places[node];
    const bool kept = v == verdict::keep;
    word(own, batch) = kept ? 0 : static_cast<said>(own) + 1;
    if (!kept) logs_[own].note(batch);
  }
  /// Whether a node that has run for a batch dropped it.
  bool dropped(std::size_t node, std::size_t batch) const {
    const std::size_t own = of_.places[node];
    return own != planner::none && table_.word(own, batch) != 0;
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

 private:
  said& word(std::size_t dropper, std::size_t batch) {
    return words_[word_at(dropper, batch, table_.words_each)];
  }

  planner::verdicts of_;
  std::vector<said> words_;
  std::vector<drop_log> logs_;
  verdict_table table_;
  std::size_t withheld_ = 0;  ///< of the calling thread
};

}  // namespace stretto::runner
