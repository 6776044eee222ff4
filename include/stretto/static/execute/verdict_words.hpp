// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <atomic>
#include <cstddef>
#include <exception>
#include <stretto/plan/model/graph.hpp>
#include <stretto/run/failure_log.hpp>
#include <stretto/run/verdicts.hpp>
#include <stretto/static/query/plan_of.hpp>
#include <stretto/static/query/verdicts_of.hpp>
#include <type_traits>

namespace stretto::typed::detail {

/// What a machine has of verdicts where no task may drop batches.
struct no_verdict_words {
  static runner::verdict_table table() { return {}; }
};

/// What tasks threw in this run for batches that were dropped because of it; each has \p Words.
template <std::size_t Droppers, std::size_t Words>
struct failure_words {
  void forget() {
    for (runner::failure_log& log : logs) log.forget();
    for (std::exception_ptr& error : errors) error = nullptr;
  }
  void tell(runner::verdict_table& to) const {
    to.failures = logs;
    to.errors = errors;
  }

  // NOLINTBEGIN(modernize-avoid-c-arrays): see signals
  runner::failure_log logs[Droppers];
  std::exception_ptr errors[Droppers * Words];
  // NOLINTEND(modernize-avoid-c-arrays)
};
struct no_failure_words {
  static void forget() {}
  static void tell(runner::verdict_table& /*to*/) {}
};

/// What tasks said in this run of the batches in flight.
template <class Schedule>
class verdict_words {
  static constexpr const auto& plan = plan_of<Schedule>;
  static constexpr const auto& of = verdicts_of<Schedule>;
  static constexpr std::size_t each = runner::words_for(plan.in_flight() + of.looked_back);

 public:
  /// Before a run.
  void forget() {
    withheld_ = 0;
    for (runner::drop_log& log : logs_) log.count.store(0, std::memory_order_relaxed);
    failures_.forget();
  }

  /// Whether a task before a node has dropped the batch. If so, a node that might have, too, says
  /// it has.
  template <std::size_t Node>
  [[gnu::always_inline]] bool skips(std::size_t batch) {
    const runner::said by = culprit<Node>(batch);
    if (by == 0) [[likely]]
      return false;
    if constexpr (of.places[Node] != planner::none) word(of.places[Node], batch) = by;
    return true;
  }
  /// As `skips`, of a node that only the running program knows. If not, it keeps the batch.
  bool is_dropped_before(std::size_t node, std::size_t batch) {
    const runner::said by = table().culprit(node, batch);
    if (of.places[node] != planner::none) word(of.places[node], batch) = by;
    return by != 0;
  }
  /// Whether a slot was not written for a batch because it was dropped.
  template <std::size_t Slot>
  [[gnu::always_inline]] bool unwritten(std::size_t batch) const {
    for (std::size_t i = of.unwritten_of[Slot].first; i < of.unwritten_of[Slot].last; ++i)
      if (words_[runner::word_at(of.unwritten[i], batch, each)] != 0) return true;
    return false;
  }
  /// What a node says of a batch.
  template <std::size_t Node>
  [[gnu::always_inline]] void say(std::size_t batch, verdict v) {
    constexpr std::size_t own = of.places[Node];
    const bool kept = v == verdict::keep;
    word(own, batch) = kept ? 0 : static_cast<runner::said>(own) + 1;
    if (kept) return;
    logs_[own].note(batch);
    if constexpr (of.failures[own] != 0)
      failures_.errors[runner::word_at(own, batch, each)] = nullptr;
  }
  /// A node has thrown. Drops its batch; throws that on if no more are to be dropped.
  template <std::size_t Node>
  [[gnu::cold, gnu::noinline]] void fail(std::size_t batch, const std::exception_ptr& error) {
    constexpr std::size_t own = of.places[Node];
    if (!failures_.logs[own].note(batch, error, of.failures[own])) std::rethrow_exception(error);
    failures_.errors[runner::word_at(own, batch, each)] = error;
    word(own, batch) = static_cast<runner::said>(own) + 1;
  }

  /// Likewise of a slot that only the running program knows.
  bool is_unwritten(std::size_t slot, std::size_t batch) const {
    bool found = false;
    for (std::size_t i = of.unwritten_of[slot].first; i < of.unwritten_of[slot].last; ++i)
      found = found || words_[runner::word_at(of.unwritten[i], batch, each)] != 0;
    return found;
  }
  /// Says of a batch before the run whether a slot was written for it.
  void tell_unwritten(std::size_t slot, std::size_t batch, bool unwritten) {
    for (std::size_t i = of.unwritten_of[slot].first; i < of.unwritten_of[slot].last; ++i)
      word(of.unwritten[i], batch) = unwritten ? 1 : 0;
  }

  /// Whether a node that has run for a batch dropped it.
  template <std::size_t Node>
  bool dropped(std::size_t batch) const {
    if constexpr (of.places[Node] != planner::none)
      return words_[runner::word_at(of.places[Node], batch, each)] != 0;
    return false;
  }

  /// Whether the result of a batch that got through is not to be handed out; asked once for each.
  [[gnu::always_inline]] bool withholds(std::size_t batch) {
    if (culprit<plan.deliver>(batch) == 0) [[likely]]
      return false;
    ++withheld_;
    return true;
  }
  /// How many are not.
  std::size_t withheld() const { return withheld_; }
  /// Who dropped such a batch: a node.
  std::size_t dropped_by(std::size_t batch) const {
    return of.droppers[culprit<plan.deliver>(batch) - 1];
  }
  /// What it threw; null: it did not throw.
  std::exception_ptr why_dropped(std::size_t batch) const {
    return table().error(culprit<plan.deliver>(batch) - 1, batch);
  }

  runner::verdict_table table() const {
    runner::verdict_table all;
    all.droppers = of.droppers;
    all.asked = of.asked;
    all.asked_by = of.asked_by;
    all.words = words_;
    all.words_each = each;
    all.logs = logs_;
    all.most = of.failures;
    failures_.tell(all);
    return all;
  }

 private:
  template <std::size_t Node>
  [[gnu::always_inline]] runner::said culprit(std::size_t batch) const {
    constexpr planner::range from = of.asked_by[Node];
    for (std::size_t i = from.first; i < from.last; ++i)
      if (const runner::said by = words_[runner::word_at(of.asked[i], batch, each)]; by != 0)
        return by;
    return 0;
  }
  runner::said& word(std::size_t dropper, std::size_t batch) {
    return words_[runner::word_at(dropper, batch, each)];
  }

  // NOLINTBEGIN(modernize-avoid-c-arrays): see signals
  alignas(runner::cache_line) runner::said words_[of.droppers.size() * each]{};
  runner::drop_log logs_[of.droppers.size()]{};
  // NOLINTEND(modernize-avoid-c-arrays)
  [[no_unique_address]] std::conditional_t<
      of.drop_failures, failure_words<of.droppers.size(), each>, no_failure_words>
      failures_;
  std::size_t withheld_ = 0;  ///< of the calling thread
};

template <class Schedule>
consteval auto verdict_words_for() {
  if constexpr (plan_of<Schedule>.drops) {
    return std::type_identity<verdict_words<Schedule>>{};
  } else {
    return std::type_identity<no_verdict_words>{};
  }
}

/// A task whose verdict is kept when it is called.
template <class Task>
struct recorded_task {
  Task& task;
  verdict said = verdict::keep;

  // NOLINTNEXTLINE(google-explicit-constructor,hicpp-explicit-conversions): stands for the task
  recorded_task(Task& called) : task(called) {}
  template <class... Given>
  [[gnu::always_inline]] void operator()(Given&&... given) {
    said = task(static_cast<Given&&>(given)...);
  }
};

/// Likewise one of which is kept, too, what it throws, in place of a verdict.
template <class Task>
struct caught_task {
  Task& task;
  verdict said = verdict::keep;
  std::exception_ptr error{};

  // NOLINTNEXTLINE(google-explicit-constructor,hicpp-explicit-conversions): stands for the task
  caught_task(Task& called) : task(called) {}
  template <class... Given>
  [[gnu::always_inline]] void operator()(Given&&... given) {
    try {
      if constexpr (std::is_void_v<decltype(task(static_cast<Given&&>(given)...))>) {
        task(static_cast<Given&&>(given)...);
      } else {
        said = task(static_cast<Given&&>(given)...);
      }
    } catch (...) {
      error = std::current_exception();
    }
  }
};

/// What is called: the task itself, or one whose verdict is kept. (An alias costs a compiler no
/// template for each task.)
template <bool Drops, bool Catches>
struct called_task {
  template <class Task>
  using type = Task&;
};
template <>
struct called_task<true, false> {
  template <class Task>
  using type = recorded_task<Task>;
};
template <>
struct called_task<true, true> {
  template <class Task>
  using type = caught_task<Task>;
};

}  // namespace stretto::typed::detail
