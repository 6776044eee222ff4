// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <iterator>
#include <stretto/execute/pipeline.hpp>
#include <stretto/execute/result.hpp>
#include <type_traits>
#include <utility>

namespace stretto {

/// One pass of a pipeline over a source, made by `pipeline::run`. Either loop over it, or step:
/// `while (run.next()) use(run.result());`. Not thread-safe; stays where it is made, and must not
/// outlive the pipeline.
template <class Pipeline, class Source>
class run_of {
  using schedule = typename Pipeline::schedule;
  using machine = typename Pipeline::machine;
  using slots = typename detail::declared<schedule>::results;
  static constexpr const auto& plan = machine::plan;

 public:
  /// What a batch yields: a reference to the value of the result slot, a tuple of references if
  /// there are several, the batch's number if there is none. Valid until the run goes on.
  using reference = decltype(detail::result_of(slots{}));

  run_of(Pipeline& p, Source&& source) : pipeline_(p.admit()), pull_(std::forward<Source>(source)) {
    p.begin();
    if constexpr (!Pipeline::caller_pulls)
      p.crew_->pull_from({&pull_, [](void* pull, typename Pipeline::source_value& slot) {
                            return (*static_cast<decltype(pull_)*>(pull))(slot);
                          }});
  }
  ~run_of() { close(); }
  run_of(const run_of&) = delete;
  run_of& operator=(const run_of&) = delete;

  /// Runs until the next batch is through. False when all are, and from then on.
  /// Throws `task_error` if a task or the source threw; results that were complete by then come
  /// first.
  bool next() {
    if (!steady()) [[unlikely]]
      return next_unsteady();
    return advance();
  }

  /// Runs one progress: every task at most once. Returns whether a batch got through, so that
  /// `result()` may be used. In prefill none does.
  bool progress() {
    if (!steady()) [[unlikely]]
      return progress_unsteady();
    return advance();
  }

  /// Whether a progress is left to run.
  bool has_more() const { return !closed_ && !done_; }

  /// The result of the batch that got through last.
  reference result() { return result_as<reference>(slots{}); }

  /// The number of the batch that got through last.
  std::size_t batch() const { return delivered_ - 1; }

  /// Single-pass iterator over results.
  class iterator {
   public:
    using difference_type = std::ptrdiff_t;
    using value_type = std::remove_cvref_t<reference>;
    using iterator_concept = std::input_iterator_tag;

    iterator() = default;
    explicit iterator(run_of* run) : run_(run->next() ? run : nullptr) {}
    reference operator*() const { return run_->result(); }
    iterator& operator++() {
      if (!run_->next()) run_ = nullptr;
      return *this;
    }
    void operator++(int) { ++*this; }
    friend bool operator==(const iterator& i, std::default_sentinel_t) { return i.run_ == nullptr; }

   private:
    run_of* run_ = nullptr;
  };

  iterator begin() { return iterator(this); }
  static std::default_sentinel_t end() { return {}; }

 private:
  template <class Slot>
  typename Slot::value_type& value() {
    return detail::slot_value<Slot, Pipeline::deliver_lag>(pipeline_.machine_.memory,
                                                           pipeline_.at_);
  }

  template <class Result, class... Slot>
  Result result_as(pack<Slot...>) {
    if constexpr (sizeof...(Slot) == 0) {
      return batch();
    } else if constexpr (sizeof...(Slot) == 1) {
      return (value<Slot>(), ...);
    } else {
      return Result{value<Slot>()...};
    }
  }

  /// Whether it is this run whose next progress is a steady one. (The pipeline may be at another
  /// run, if this one has ended.)
  bool steady() const { return pipeline_.machine_.steady_run == this; }

  bool advance() {
    machine& m = pipeline_.machine_;
    pipeline_.at_.advance();
    m.known = m.pulled;
    turn();
    if (m.stop.load(std::memory_order_relaxed)) [[unlikely]]  // the barrier published it
      return fail();
    if (m.ended || !m.steady()) [[unlikely]]
      return after_unsteady();
    ++delivered_;
    return true;
  }

  [[gnu::always_inline]] void turn() {
    machine& m = pipeline_.machine_;
    if constexpr (machine::alone) {
      detail::chain<machine, 0>::run(m, pipeline_.at_, pull_);
    } else {
      pipeline_.crew_->progress(pipeline_.at_, pull_);
    }
  }

  [[gnu::noinline]] bool next_unsteady() {
    while (has_more())
      if (progress_unsteady()) return true;
    return false;
  }

  [[gnu::noinline]] bool progress_unsteady() {
    if (failing_) raise();
    return has_more() && advance();
  }

  /// The bookkeeping that steady progresses do without.
  [[gnu::noinline]] bool after_unsteady() {
    machine& m = pipeline_.machine_;
    const std::size_t ran = pipeline_.at_.progress();
    const bool through = plan::fires(Pipeline::deliver_lag, ran, m.pulled);
    if (through) ++delivered_;
    m.fresh = false;
    if (!m.has_more(ran + 1)) {
      done_ = true;
      m.steady_run = nullptr;
      close();
      return through;
    }
    const bool filled = ran + 1 >= static_cast<std::size_t>(plan.max_lookahead);
    m.steady_run = filled && !m.ended ? this : nullptr;
    m.now = m.ended ? phase::drain : filled ? phase::steady : phase::prefill;
    return through;
  }

  [[gnu::noinline, gnu::cold]] bool fail() {
    pipeline_.failed_ = true;
    pipeline_.machine_.steady_run = nullptr;
    failing_ = true;
    pipeline_.write_report(pipeline_.at_.progress());
    if (pipeline_.report_.finished <= delivered_) raise();
    ++delivered_;
    pipeline_.report_.delivered = delivered_;
    return true;
  }

  [[noreturn]] void raise() {
    close();
    done_ = true;
    failing_ = false;
    const auto& first = pipeline_.report_.failures.front();
    detail::throw_task_error(first.task, first.batch, first.progress, first.error);
  }

  /// Ends the run: whatever is in flight is abandoned and reported.
  void close() {
    if (closed_) return;
    closed_ = true;
    pipeline_.active_ = false;
    // A run that never ran a progress has advanced nowhere.
    if (!pipeline_.failed_) pipeline_.write_report(pipeline_.at_.progress());
    pipeline_.report_.delivered = delivered_;
  }

  Pipeline& pipeline_;
  detail::puller<Source, typename Pipeline::source_value> pull_;
  std::size_t delivered_ = 0;
  bool done_ = false;
  bool closed_ = false;
  bool failing_ = false;
};

}  // namespace stretto
