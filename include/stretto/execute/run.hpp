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
      p.crew().pull_from({&pull_, [](void* pull, typename Pipeline::source_value& slot) {
                            return (*static_cast<decltype(pull_)*>(pull))(slot);
                          }});
  }
  ~run_of() { close(); }
  run_of(const run_of&) = delete;
  run_of& operator=(const run_of&) = delete;

  /// Runs until the next batch is through. False when all are, and from then on.
  /// Throws `task_error` if a task or the source threw; results that were complete by then come
  /// first.
  bool next() { return step(pipeline_); }

  /// Runs one progress: every task at most once. Returns whether a batch got through, so that
  /// `result()` may be used. In prefill none does.
  bool progress() {
    if (!steady()) [[unlikely]]
      return progress_unsteady();
    return advance_steady(pipeline_);
  }

  /// Whether a progress is left to run.
  bool has_more() const { return !closed_ && !done_; }

  /// The result of the batch that got through last.
  reference result() { return result_of(pipeline_); }

  /// The number of the batch that got through last.
  std::size_t batch() const { return delivered() - 1; }

  /// Single-pass iterator over results.
  class iterator {
   public:
    using difference_type = std::ptrdiff_t;
    using value_type = std::remove_cvref_t<reference>;
    using iterator_concept = std::input_iterator_tag;

    iterator() = default;
    explicit iterator(run_of* run)
        : run_(run->next() ? run : nullptr), pipeline_(&run->pipeline_) {}
    reference operator*() const { return run_->result_of(*pipeline_); }
    // The one place where steady progresses are always inlined: the usual loop.
    [[gnu::always_inline]] iterator& operator++() {
      if (!run_->step(*pipeline_)) run_ = nullptr;
      return *this;
    }
    void operator++(int) { ++*this; }
    friend bool operator==(const iterator& i, std::default_sentinel_t) { return i.run_ == nullptr; }

   private:
    run_of* run_ = nullptr;
    Pipeline* pipeline_ = nullptr;  ///< the run's: not read again each time
  };

  iterator begin() { return iterator(this); }
  static std::default_sentinel_t end() { return {}; }

 private:
  reference result_of(Pipeline& p) { return result_as<reference>(p, slots{}); }

  template <class Result, class... Slot>
  Result result_as(Pipeline& p, pack<Slot...>) {
    if constexpr (sizeof...(Slot) == 0) {
      return batch();
    } else if constexpr (sizeof...(Slot) == 1) {
      return (p.at_.now().template value<Slot, Pipeline::deliver_lag>(p.machine_.memory), ...);
    } else {
      return Result{p.at_.now().template value<Slot, Pipeline::deliver_lag>(p.machine_.memory)...};
    }
  }

  /// Whether it is this run whose next progress is a steady one. (The pipeline may be at another
  /// run, if this one has ended.)
  bool steady() const { return pipeline_.machine_.steady_run == this; }

  [[gnu::always_inline]] bool step(Pipeline& p) {
    if (p.machine_.steady_run != this) [[unlikely]]
      return next_unsteady();
    return advance_steady(p);
  }

  /// Results handed out so far. Steady progresses do not count them.
  std::size_t delivered() const {
    return steady() ? pipeline_.at_.progress() + 1 - Pipeline::deliver_lag : delivered_;
  }

  [[gnu::always_inline]] bool advance_steady(Pipeline& p) {
    if (!run_steady(p)) [[unlikely]]
      return after_last_steady();
    return true;
  }

  [[gnu::always_inline]] bool run_steady(Pipeline& p) {
    if constexpr (machine::alone) {
      return detail::chain<machine, 0>::run_steady(p.machine_, p.at_, pull_);
    } else {
      return p.crew().steady_progress(p.at_, pull_);
    }
  }

  [[gnu::noinline]] bool after_last_steady() {
    const std::size_t ran = pipeline_.at_.progress();
    delivered_ = ran - Pipeline::deliver_lag;
    pipeline_.machine_.count_pulled(ran);
    pipeline_.machine_.steady_run = nullptr;
    return after_unsteady();
  }

  bool advance() {
    machine& m = pipeline_.machine_;
    m.known = m.pulled;
    m.steady_run = nullptr;  // all threads ask the fire rule, in the first steady progress too
    if constexpr (machine::alone) {
      detail::chain<machine, 0>::run_masked(m, pipeline_.at_, pull_);
    } else {
      pipeline_.crew().progress(pipeline_.at_, pull_);
    }
    return after_unsteady();
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
    if (m.stop.load(std::memory_order_relaxed)) return fail();  // the barrier published it
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
    const bool filled = plan::filled(plan.max_lookahead, ran + 1);
    m.steady_run = filled && !m.ended ? this : nullptr;
    m.now = m.ended ? phase::drain : filled ? phase::steady : phase::prefill;
    return through;
  }

  [[gnu::noinline, gnu::cold]] bool fail() {
    pipeline_.failed_ = true;
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
    if (steady()) {  // left early
      delivered_ = delivered();
      pipeline_.machine_.count_pulled(pipeline_.at_.progress());
      pipeline_.machine_.steady_run = nullptr;
    }
    closed_ = true;
    pipeline_.active_ = false;
    pipeline_.caller_.release();
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
