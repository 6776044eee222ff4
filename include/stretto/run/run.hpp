// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <stretto/declare/address_of.hpp>
#include <stretto/plan/model/firing.hpp>
#include <stretto/run/active_run.hpp>
#include <stretto/run/error.hpp>
#include <stretto/run/progress_result.hpp>
#include <stretto/run/report.hpp>
#include <stretto/run/stop.hpp>
#include <type_traits>
#include <utility>

namespace stretto {

/// One pass of a pipeline over a source, made by `pipeline::run`. Either loop over it, or step:
/// `while (run.next()) use(run.result());`. Not thread-safe; stays where it is made. A pipeline
/// that is destroyed before its run ends it, as leaving it does.
template <class Pipeline, class Source, class Stop, class Value>
class run_of : detail::active_run {
  using machine = typename Pipeline::machine;
  using chain = typename Pipeline::chain;
  using pull = detail::stoppable_puller<Source, Value, Stop>;

 public:
  /// What a batch yields: a reference to the value of the result slot, a tuple of references if
  /// there are several, the batch's number if there is none. Valid until the run goes on.
  using reference = typename Pipeline::reference;

  run_of(Pipeline& p, Source&& source, Stop&& stop)
      : active_run([](active_run& run) { static_cast<run_of&>(run).close(); }),
        pipeline_(p.admit()),
        pull_(std::forward<Source>(source), std::forward<Stop>(stop)) {
    p.begin(*this);
    if constexpr (pull::abandons) p.machine_.heed(pull_.token());
    p.template pull_from<Value>(pull_);
  }
  ~run_of() {
    if (outlived()) return;
    close();
    static_cast<void>(release_result());
  }
  run_of(const run_of&) = delete;
  run_of& operator=(const run_of&) = delete;

  /// Runs until the next batch is through. False when all are, or no more will be because a stop
  /// was requested, and from then on.
  /// Throws `task_error` if a task or the source threw; results that were complete by then come
  /// first. Throws `usage_error` if the pipeline is gone.
  bool next() { return steady() ? advance_steady_apart() : next_unsteady(); }

  /// Runs one progress of the calling thread, each of its tasks at most once; with a barrier, of
  /// all threads. Returns whether a batch got through, so that `result()` may be used. In prefill
  /// none does.
  bool progress() { return steady() ? advance_steady_apart() : progress_unsteady(); }

  /// Whether a progress is left to run, if only to throw what went wrong. Waits, if another thread
  /// pulls, until it is known. Where nothing is left, the run has ended.
  bool has_more() {
    if (running()) {
      if (stopped_) return pipeline_.failed_ || delivered_ < pipeline_.report_.finished;
      if (!over()) return true;
      done_ = true;
      close();
      if (release_result()) failed_at_end_ = true;
    }
    return failed_at_end_;
  }

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
        : run_(run->next_unsteady() ? run : nullptr),
          pipeline_(detail::address_of(run->pipeline_)) {}
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
  reference result_of(Pipeline& p) {
    return p.yielded([this] { return batch(); });
  }

  bool steady() const { return steady_; }

  [[gnu::always_inline]] bool step(Pipeline& p) {
    if (!steady_) [[unlikely]]
      return next_unsteady();
    return advance_steady(p);
  }

  /// Results handed out so far. Steady progresses do not count them.
  std::size_t delivered() const {
    return steady() ? pipeline_.at_.next_progress() - pipeline_.deliver_lag() : delivered_;
  }

  [[gnu::always_inline]] bool advance_steady(Pipeline& p) {
    const detail::progress_result w = chain::steady(p.machine_, p.at_, pull_);
    if (w != detail::progress_result::complete) [[unlikely]]
      return after_last_steady(w);
    return true;
  }

  /// Not inlined for those who step: every copy of a long chain takes its time to compile.
  [[gnu::noinline]] bool advance_steady_apart() { return advance_steady(pipeline_); }

  [[gnu::noinline]] bool after_last_steady(detail::progress_result w) {
    delivered_ = pipeline_.at_.progress() - pipeline_.deliver_lag();
    steady_ = false;
    // Where no batch is in flight when the source ends, this was the end.
    return after_unsteady(w) || (!running() && nothing_more());
  }

  bool running() const { return !closed_ && !done_; }

  /// After the last result: tells if something turned out to have gone wrong when all was done.
  bool nothing_more() {
    if (outlived())
      throw usage_error("the pipeline of this run is gone: a run ends when its pipeline does");
    if (release_result()) failed_at_end_ = true;
    if (std::exchange(failed_at_end_, false)) raise();
    return false;
  }
  /// The user is done with the last result, too. Whether the device failed at what was done with
  /// it.
  bool release_result() {
    if constexpr (requires { pipeline_.settle_last_result(); }) {
      if (closed_ && !std::exchange(let_go_, true)) return pipeline_.settle_last_result();
    }
    return false;
  }

  bool over() const {
    // Not for the latest pull: it may be a slow one, with many batches left to run before it.
    if (begun_) pipeline_.await_earlier_pulls();
    return pipeline_.machine_.over(pipeline_.at_.next_progress());
  }

  [[gnu::noinline]] bool next_unsteady() {
    while (running())
      if (progress_unsteady()) return true;
    return nothing_more();
  }

  [[gnu::noinline]] bool progress_unsteady() {
    if (!running()) return nothing_more();
    if (stopped_) return next_complete();
    if (!begun_) {
      if (!pipeline_.set_going(pull_)) return stopped_before();
      begun_ = true;
      if (!chain::prepare(pipeline_.machine_, pipeline_.at_)) return stopped_early();
    }
    // A progress in which every task fires may be run in this way, too: the first one is.
    if (steady()) delivered_ = delivered();
    steady_ = false;
    return after_unsteady(chain::masked(pipeline_.machine_, pipeline_.at_, pull_));
  }

  /// A stop was requested before all threads were there.
  [[gnu::noinline, gnu::cold]] bool stopped_before() {
    done_ = true;
    close();
    return false;
  }

  /// The bookkeeping that steady progresses do without.
  [[gnu::noinline]] bool after_unsteady(detail::progress_result w) {
    if (w == detail::progress_result::stopped) return stopped_early();
    const machine& m = pipeline_.machine_;
    const std::size_t ran = pipeline_.at_.progress();
    const bool through = planner::fires(pipeline_.deliver_lag(), ran, m.batches());
    if (through) ++delivered_;
    if (m.over(ran + 1)) {
      done_ = true;
      close();
    } else if (chain::can_be_steady(m, ran + 1)) {
      steady_ = true;
    }
    return through;
  }

  /// A task failed, or no more tasks are to start.
  [[gnu::noinline, gnu::cold]] bool stopped_early() {
    stopped_ = true;
    pipeline_.join_run();
    pipeline_.write_report({run_end::cancelled, run_end::completed, delivered_});
    return next_complete();
  }

  /// The next of the results that were complete when the run stopped; after them, the failure.
  bool next_complete() {
    if constexpr (requires { pipeline_.settle_results(); }) pipeline_.settle_results();
    if (delivered_ >= pipeline_.report_.finished) {
      done_ = true;
      close();
      if (pipeline_.failed_) raise();
      return false;
    }
    while (pipeline_.at_.progress() != delivered_ + pipeline_.deliver_lag())
      pipeline_.at_.advance();
    pipeline_.report_.delivered = ++delivered_;
    return true;
  }

  [[noreturn]] void raise() {
    const auto& first = pipeline_.report_.failures.front();
    detail::throw_task_error(first.task, first.batch, first.progress, first.error);
  }

  /// Ends the run: whatever is in flight is abandoned and reported. Throws nothing, so that the
  /// pipeline is free for another run whatever happens.
  void close() noexcept {
    if (closed_) return;
    if (steady()) {  // left early
      delivered_ = delivered();
      steady_ = false;
    }
    closed_ = true;
    if (!stopped_) leave();
    pipeline_.end_run(*this);
    pipeline_.report_.delivered = delivered_;
  }

  void leave() {
    machine& m = pipeline_.machine_;
    if (!done_) m.tell_to_stop();  // published by the signals that follow
    chain::leave(m, pipeline_.at_);
    if (begun_) pipeline_.join_run();
    const run_end through = pull_.drained() ? run_end::drained : run_end::completed;
    pipeline_.write_report({!done_                      ? run_end::left_early
                            : !begun_ && pull::abandons ? run_end::cancelled
                                                        : through,
                            through, delivered_});
    failed_at_end_ = done_ && pipeline_.failed_;
  }

  Pipeline& pipeline_;
  pull pull_;
  std::size_t delivered_ = 0;
  bool steady_ =
      false;  ///< every task of the calling thread fires next, if there is one more batch
  bool begun_ = false;
  bool done_ = false;
  bool closed_ = false;
  bool failed_at_end_ = false;
  bool let_go_ = false;
  bool stopped_ = false;  ///< early, by itself: all threads have left the run
};

}  // namespace stretto
