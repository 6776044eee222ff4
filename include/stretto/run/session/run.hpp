// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>  // what iterators are, without the streams of <iterator>
#include <stretto/declare/address_of.hpp>
#include <stretto/plan/model/firing.hpp>
#include <stretto/run/active_run.hpp>
#include <stretto/run/error.hpp>
#include <stretto/run/progress_result.hpp>
#include <stretto/run/report.hpp>
#include <stretto/run/session/run_phase.hpp>
#include <stretto/run/stop.hpp>
#include <type_traits>
#include <utility>

namespace stretto {

/// One pass of a pipeline over a source, made by `pipeline::run`. Either loop over it, or step:
/// `while (run.next()) use(run.result());`. Not thread-safe; stays where it is made. A pipeline
/// that is destroyed before its run ends it, as leaving it does.
template <class Session, class Source, class Stop, class Value>
class run_of : runner::detail::active_run {
  using machine = typename Session::machine_type;
  using chain = typename Session::chain;
  using phase = runner::detail::run_phase;
  using pull = runner::detail::stoppable_puller<Source, Value, Stop>;

 public:
  /// What a batch yields: a reference to the value of the result slot, a tuple of references if
  /// there are several, the batch's number if there is none. Valid until the run goes on.
  using reference = typename Session::reference;

  // Not inlined: what is done once is to leave the loop its registers.
  [[gnu::noinline]] run_of(Session& s, Source&& source, Stop&& stop)
      : active_run([](active_run& run) { static_cast<run_of&>(run).close(left_by_user); }),
        session_(s.admit()),
        pull_(std::forward<Source>(source), std::forward<Stop>(stop)) {
    s.begin(*this);
    if constexpr (pull::abandons) s.machine().poll(pull_.token());
    s.template pull_from<Value>(pull_);
  }
  ~run_of() {
    if (outlived()) return;
    close(left_by_user);
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
    if (phase_ == phase::stopped) return session_.failed() || delivered_ < session_.finished();
    if (!closed()) {
      if (!over()) return true;
      close(at_its_end);
      if (release_result()) owes_failure_ = true;
    }
    return owes_failure_;
  }

  /// The result of the batch that got through last.
  reference result() { return result_of(session_); }

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
          session_(declare::address_of(run->session_)) {}
    reference operator*() const { return run_->result_of(*session_); }
    // The one place where steady progresses are always inlined: the usual loop.
    [[gnu::always_inline]] iterator& operator++() {
      if (!run_->step(*session_)) run_ = nullptr;
      return *this;
    }
    void operator++(int) { ++*this; }
    friend bool operator==(const iterator& i, std::default_sentinel_t) { return i.run_ == nullptr; }

   private:
    run_of* run_ = nullptr;
    Session* session_ = nullptr;  ///< the run's: not read again each time
  };

  iterator begin() { return iterator(this); }
  static std::default_sentinel_t end() { return {}; }

 private:
  /// Why a run closes: nothing is left to run, or it is left before.
  enum closing : bool { at_its_end, left_by_user };

  reference result_of(Session& s) {
    return s.yielded([this] { return batch(); });
  }

  bool steady() const { return phase_ == phase::steady; }
  bool closed() const { return phase_ >= phase::closed; }

  [[gnu::always_inline]] bool step(Session& s) {
    if (!steady()) [[unlikely]]
      return next_unsteady();
    return advance_steady(s);
  }

  /// Results handed out so far. Steady progresses do not count them.
  std::size_t delivered() const {
    return steady() ? session_.at().next_progress() - session_.deliver_lag() : delivered_;
  }
  void leave_steady() {
    if (!steady()) return;
    delivered_ = delivered();
    phase_ = phase::unsteady;
  }

  [[gnu::always_inline]] bool advance_steady(Session& s) {
    const runner::progress_result w = chain::steady(s.machine(), s.at(), pull_);
    if (w != runner::progress_result::complete) [[unlikely]]
      return after_last_steady(w);
    return true;
  }

  /// Not inlined for those who step: every copy of a long chain takes its time to compile.
  [[gnu::noinline]] bool advance_steady_apart() { return advance_steady(session_); }

  [[gnu::noinline]] bool after_last_steady(runner::progress_result w) {
    delivered_ = session_.at().progress() - session_.deliver_lag();
    phase_ = phase::unsteady;
    // Where no batch is in flight when the source ends, this was the end.
    return after_unsteady(w) || (closed() && nothing_more());
  }

  /// After the last result: tells if something turned out to have gone wrong when all was done.
  [[gnu::noinline, gnu::cold]] bool nothing_more() {
    if (outlived())
      runner::detail::throw_usage_error(
          "the pipeline of this run is gone: a run ends when its pipeline does");
    if (release_result()) owes_failure_ = true;
    if (!owes_failure_) return false;
    owes_failure_ = false;
    session_.throw_failure();
  }
  /// The user is done with the last result, too. Whether the device failed at what was done with
  /// it.
  bool release_result() {
    if constexpr (requires { session_.synchronize_last_result(); }) {
      if (phase_ == phase::closed) {
        phase_ = phase::released;
        return session_.synchronize_last_result();
      }
    }
    return false;
  }

  bool over() const {
    // Not for the latest pull: it may be a slow one, with many batches left to run before it.
    if (phase_ != phase::ready) session_.await_earlier_pulls();
    return session_.machine().over(session_.at().next_progress());
  }

  [[gnu::noinline]] bool next_unsteady() {
    while (!closed())
      if (progress_unsteady()) return true;
    return nothing_more();
  }

  [[gnu::noinline]] bool progress_unsteady() {
    if (closed()) return nothing_more();
    if (phase_ == phase::stopped) return next_complete();
    if (phase_ == phase::ready) {
      if (!session_.set_going(pull_)) return stopped_before();
      phase_ = phase::unsteady;
      if (!chain::prepare(session_.machine(), session_.at())) return stopped_early();
    }
    // A progress in which every task fires may be run in this way, too: the first one is.
    leave_steady();
    return after_unsteady(chain::masked(session_.machine(), session_.at(), pull_));
  }

  /// A stop was requested before all threads were there.
  [[gnu::noinline, gnu::cold]] bool stopped_before() {
    close(at_its_end);
    return false;
  }

  /// The bookkeeping that steady progresses do without.
  [[gnu::noinline]] bool after_unsteady(runner::progress_result w) {
    if (w == runner::progress_result::stopped) return stopped_early();
    const machine& m = session_.machine();
    const std::size_t ran = session_.at().progress();
    const bool through = planner::fires(session_.deliver_lag(), ran, m.batches());
    if (through) ++delivered_;
    if (m.over(ran + 1)) {
      close(at_its_end);
    } else if (chain::can_be_steady(m, session_.at())) {
      phase_ = phase::steady;
    }
    return through;
  }

  /// A task failed, or no more tasks are to start.
  [[gnu::noinline, gnu::cold]] bool stopped_early() {
    phase_ = phase::stopped;
    session_.join_run();
    session_.write_report({run_end::cancelled, run_end::completed, delivered_});
    return next_complete();
  }

  /// The next of the results that were complete when the run stopped; after them, the failure.
  [[gnu::noinline, gnu::cold]] bool next_complete() {
    if constexpr (requires { session_.synchronize_results(); }) session_.synchronize_results();
    if (delivered_ >= session_.finished()) {
      close(at_its_end);
      if (session_.failed()) session_.throw_failure();
      return false;
    }
    while (session_.at().progress() != delivered_ + session_.deliver_lag()) session_.at().advance();
    session_.tell_delivered(++delivered_);
    return true;
  }

  /// Ends the run: whatever is in flight is abandoned and reported. Throws nothing, so that the
  /// pipeline is free for another run whatever happens.
  void close(closing how) noexcept {
    if (closed()) return;
    leave_steady();
    const phase before = phase_;
    phase_ = phase::closed;
    if (before != phase::stopped) leave(before == phase::ready, how);
    session_.end_run(*this);
    session_.tell_delivered(delivered_);
  }

  [[gnu::cold]] void leave(bool unbegun, closing how) {
    machine& m = session_.machine();
    if (how == left_by_user) m.tell_to_stop();  // published by the signals that follow
    chain::leave(m, session_.at());
    if (!unbegun) session_.join_run();
    const run_end through = pull_.drained() ? run_end::drained : run_end::completed;
    session_.write_report({how == left_by_user         ? run_end::left_early
                           : unbegun && pull::abandons ? run_end::cancelled
                                                       : through,
                           through, delivered_});
    owes_failure_ = how == at_its_end && session_.failed();
  }

  Session& session_;
  pull pull_;
  std::size_t delivered_ = 0;
  phase phase_ = phase::ready;
  bool owes_failure_ = false;  ///< closed, and what went wrong is still to be thrown
};

}  // namespace stretto
