// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <exception>
#include <stretto/observe/observer.hpp>
#include <stretto/run/accounting.hpp>
#include <stretto/run/active_run.hpp>
#include <stretto/run/backend.hpp>
#include <stretto/run/device_outcome.hpp>
#include <stretto/run/error.hpp>
#include <stretto/run/given_batches.hpp>
#include <stretto/run/owned.hpp>
#include <stretto/run/patience.hpp>
#include <stretto/run/progress_result.hpp>
#include <stretto/run/record.hpp>
#include <stretto/run/report.hpp>
#include <stretto/run/run_state.hpp>
#include <stretto/run/threads/affinity.hpp>
#include <stretto/run/threads/attached_threads.hpp>
#include <stretto/run/threads/attachments.hpp>
#include <stretto/run/threads/core_quota.hpp>
#include <stretto/run/threads/placement.hpp>
#include <stretto/run/threads/run_maker.hpp>
#include <stretto/run/threads/thread_team.hpp>
#include <stretto/run/verdicts.hpp>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace stretto::runner {

namespace detail {

/// Stands where the calling thread is alone.
struct no_team {};

}  // namespace detail

/// What a pipeline has between its runs and lends to the one that is active, whether its schedule
/// is made of types or of values: where the calling thread is, the team, threads that the user
/// lends, cores, the report. A run (run/session/run.hpp) knows a pipeline as its session.
///
/// `Executor` is what differs. It has the machine, and
///
///     machine, chain, reference, pins       what runs, what the calling thread does, what a batch
///                                           yields, whether threads are pinned
///     has_team, team()                      whether there may be other threads, and are
///     others_may_pull                       whether one of those may pull
///     host_names(), group_names(), workers(), job()
///     team_names()                          of the host threads that there are
///     restart(at), begin_run()              before a run
///     place(at, progress)                   where the calling thread was in that progress
///     pull_from<Value>(source)              where whoever pulls takes batches from
///     deliver_lag(), results_on_stream(), await_earlier_pulls(at)
///     yielded(at, number)                   the result of the batch that got through last
///     may_drop, withholds(at)               whether batches may be dropped, and that one was
///     withheld(), dropped_by(at)            how many were in this run; by which task
///     why_dropped(at)                       what that threw, if it did
///     verdicts(), node_names(), lag()       what tasks say of batches; by node
///     can_be_on_stream                      whether results may be handed out on a stream
///     accounting()                          where threads stopped
///     ended(outcome), reported(report)      what else there is to say when they have
template <class Executor>
class session {
  /// Whether results may be handed out on a stream.
  static constexpr bool can_be_on_stream = Executor::can_be_on_stream;
  /// Whether something may turn out to have failed when all threads have left a run.
  static constexpr bool fails_late =
      Executor::machine_type::submits || Executor::machine_type::collects;
  static constexpr bool tells_of_runs = requires(typename Executor::machine_type& m) {
    requires observe::observes_runs<decltype(m.observer)>;
  };
  static constexpr bool tells_of_beginnings = requires(typename Executor::machine_type& m) {
    requires observe::observes_beginnings<decltype(m.observer)>;
  };

 public:
  /// Whether a thread other than the calling one may pull.
  static constexpr bool others_may_pull = Executor::others_may_pull;
  using machine_type = typename Executor::machine_type;
  using chain = typename Executor::chain;
  using position = typename machine_type::position;
  using reference = typename Executor::reference;

  /// \p made: what the executor is made of. Throws what it does, and `usage_error` if \p where asks
  /// for cores that there are not, or \p attached for groups. Either may be
  /// `not_given`: then nothing of it is compiled.
  template <class Where, class Attached, class... Made>
  session([[maybe_unused]] const Where& where, [[maybe_unused]] const Attached& attached,
          Made&&... made)
      : executor_(std::forward<Made>(made)...) {
    if constexpr (std::is_same_v<Where, cores>) {
      placed_.set(detail::make_placement(where, executor_.group_names(), executor_.workers(),
                                         Executor::pins));
    } else if constexpr (Executor::pins) {
      placed_.set(detail::make_placement({}, executor_.group_names(), executor_.workers(), true));
    }
    if constexpr (std::is_same_v<Attached, attached_threads>)
      attached_.set(
          detail::make_attachments(attached, executor_.group_names(), executor_.workers()));
  }
  session(const session&) = delete;
  session& operator=(const session&) = delete;
  /// Ends a run that is still there, as leaving it does.
  ~session() {
    if (active_ != nullptr) maker_.end_run_of_dying(*active_);
    if (latest_ != nullptr) latest_->outlive_pipeline();
  }

  // For the pipeline.

  Executor& executor() { return executor_; }
  const Executor& executor() const { return executor_; }
  machine_type& machine() { return executor_.machine; }

  const run_report& report() const {
    run_report& told = record_.report(executor_.host_names().size(), executor_.accounting());
    if constexpr (machine_type::drains)
      if (has_thrown_ahead_) tell_failure_ahead(told);
    return told;
  }

  /// From any thread, at any time.
  failure_list dropped_failures() const {
    return detail::list_drops(executor_.verdicts(), executor_.node_names(), executor_.lag(), false);
  }

  /// Tells \p whom when the pipeline is gone.
  void tell_end(kept_reference& whom) { references_.add(whom); }

  /// Lends the calling thread to \p group until a run is over. False if there was none: the
  /// pipeline is being destroyed, or \p token asked to stop. Throws `usage_error` if the group is
  /// not to have.
  template <class Token>
  bool attach(std::string_view group, const Token& token) {
    detail::wait_question stop;
    if constexpr (!std::is_same_v<Token, never_stopped>) stop = detail::ask(token);
    const std::size_t host = detail::acquire_slot(attached_.get(), maker_, executor_.group_names(),
                                                  executor_.workers(), group);
    if (!attached_->await_run(host, stop)) return false;
    run_on_caller(host);
    attached_->release(host);
    return true;
  }

  void reset() {
    if (active_ != nullptr)
      detail::throw_usage_error("a run of this pipeline is still there: end it before reset()");
    static_cast<void>(report());  // it is made of where threads stopped, which is forgotten now
    supersede_latest();
    machine().release_slots();
    failed_ = false;
    kept_ = false;
  }

  /// Whether a slot that has \p copies copies, which \p filler fills first, holds the value of a
  /// batch of the run that stopped last.
  bool holds(std::size_t filler, std::size_t batch, std::size_t copies) const {
    return record_.numbers().holds(batch) && executor_.accounting().holds(filler, batch, copies);
  }
  /// Throws `usage_error` while a run exists.
  void refuse_recover_in_run() const {
    if (active_ != nullptr)
      detail::throw_usage_error("a run of this pipeline is still there: end it before recover()");
  }

  // For a run that goes on from earlier batches.

  static constexpr void refuse_positions() {
    static_assert(!machine_type::collects,
                  "a run that goes on from earlier batches, and the position of a pipeline, do not "
                  "go with collectives: where ranks work together, let one run have all batches");
  }
  /// The number of the batch after the last one of the latest run. Throws `usage_error` unless all
  /// that run had got through, so that slots hold what the next batches look back at. \p asked:
  /// who asks.
  std::size_t next_batch() const {
    refuse_positions();
    if (active_ != nullptr)
      detail::throw_usage_error(
          "a run of this pipeline is still there: let it come to its end before position()");
    detail::check_kept(record_.numbers(), failed_, kept_);
    detail::check_groups(executor_.accounting());
    const std::size_t next = first_ + record_.numbers().pulled;
    if constexpr (machine_type::submits)
      executor_.machine.device.refuse_if_gone(executor_.looked_back(next), executor_.all_slots());
    return next;
  }
  /// Slots are about to hold what the batches before another one left: they do when a run begins.
  /// Makes the values of all slots. Throws what that throws.
  void begin_keeping() {
    kept_ = false;
    caught failure;
    for (std::size_t host = 0; host < executor_.host_names().size(); ++host)
      if (!machine().make_values(host, failure)) std::rethrow_exception(failure.error);
  }

  // For the run.

  position& at() { return at_; }
  const position& at() const { return at_; }
  /// Whether the latest run failed, so that only `reset()` helps.
  bool failed() const { return failed_; }
  /// The first batch that did not go through every task.
  std::size_t finished() const { return first_ + record_.numbers().finished; }
  [[noreturn]] void throw_failure() const {
    if (!failed_)
      detail::throw_usage_error(
          "the source ended before batches of which the position has values: let it have those "
          "batches, or seed its slot for them, too");
    if constexpr (fails_late) {
      const auto& first = report().failures.front();
      detail::throw_task_error(first.task, first.batch, first.progress, first.error);
    } else {
      detail::throw_first_failure(executor_.accounting());
    }
  }

  /// Throws the first failure, which all batches before have got through to, while other threads
  /// may still be at work.
  [[noreturn, gnu::cold]] void throw_failure_ahead() {
    has_thrown_ahead_ = true;
    const caught first = executor_.machine.failure.get();
    detail::throw_task_error(executor_.node_names()[first.node],
                             first.progress - executor_.machine.lag_of(first.node), first.progress,
                             first.error);
  }
  /// Refuses a run, if need be, before its source is touched.
  session& admit() {
    if (active_ != nullptr)
      detail::throw_usage_error(
          "a second run was started while one is active: end or leave the first one");
    if (failed_)
      detail::throw_usage_error(
          "the pipeline stopped on an error (see report()): call reset() first");
    executor_.machine.given.take_from(to_be_given_);
    return *this;
  }

  /// What the run that is admitted next is given of its first batches.
  void give(given_values* values) { to_be_given_.take(values); }
  /// Whether the run was given values of batches that the source did not have.
  bool lacks_given_batches() const {
    return executor_.machine.given.behind() > executor_.machine.batches();
  }

  /// For the run that \p by stands for, whose first batch has number \p first.
  [[gnu::noinline]] void begin(detail::active_run& by, std::size_t first) {
    const auto& names = executor_.host_names();
    first_ = first;
    supersede_latest();
    if constexpr (fails_late) static_cast<void>(report());
    record_.restart(names.size());
    if constexpr (can_be_on_stream) synchronize_results();  // of a run whose end nobody waited for
    machine().restart(first);
    // Not where a run goes on behind a gap: what was recorded before that counts.
    if constexpr (machine_type::submits) machine().device.begin_run(first);
    machine().forget_drops();
    if (placed_) placed_->choose();
    if constexpr (Executor::has_team)
      if (executor_.team() && !team_) {
        if constexpr (machine_type::waiting::sleeps)
          if (detail::quota_is_short_for(executor_.team_names().size())) machine().sleep_soon();
        team_.set(new thread_team(executor_.job(), executor_.team_names(), placed_.get(),
                                  attached_.get()));
      }
    if constexpr (tells_of_beginnings) machine().observer.begins_at(first);
    if constexpr (tells_of_runs) machine().observer.run_begins();
    // Behind what may not be had here: other ranks count on this one from now on.
    executor_.begin_run();
    executor_.restart(at_);
    if (placed_) placed_->hold(&by, 0);
    maker_.set();
    active_ = latest_ = &by;
    kept_ = true;
  }

  template <class Value, class Source>
  void pull_from(Source& source) {
    executor_.template pull_from<Value>(source);
  }

  /// Sets the threads going on a run, when all user threads are there. False if a stop is
  /// requested before: \p stop is what to ask.
  template <class Stop>
  bool set_going([[maybe_unused]] Stop& stop) {
    if constexpr (Executor::has_team) {
      if (!team_) return true;
      if (attached_) {
        detail::wait_question asked;
        if constexpr (Stop::stops) asked = detail::ask(stop);
        if (!attached_->await_all(asked)) return false;
      }
      team_->begin();
      if (attached_) attached_->begin();
    }
    return true;
  }

  /// Refuses a run whose source may say that there is nothing yet.
  void refuse_pauses() const {
    static_assert(!machine_type::collects,
                  "a source that may say nothing_yet does not go with collectives: where ranks "
                  "work together, let the source wait for a batch");
    if (attached_)
      detail::throw_usage_error(
          "a source that may say nothing_yet does not go with attached threads, which would leave "
          "when there is nothing: let the source wait, or the pipeline have threads of its own");
  }
  /// Waits until every thread has left the run, which may go on.
  void join_threads() {
    if constexpr (Executor::has_team)
      if (team_) team_->join_run();
  }
  /// When they have: before the progress of the next batch, as `begin` is before that of batch 0.
  void resume() {
    machine().restart(machine().batches());
    executor_.restart(at_);
  }
  void set_going_again() {
    if constexpr (Executor::has_team)
      if (team_) team_->begin();
  }

  std::size_t deliver_lag() const { return executor_.deliver_lag(); }

  /// Whether a task may drop batches. Not only in runs of values, where it is asked each time.
  static constexpr bool may_drop = Executor::may_drop;
  /// Whether the batch that got through last, and has not been asked for, was dropped.
  bool withholds() { return executor_.withholds(at_); }
  /// The task that dropped it.
  std::string_view dropped_by() const { return executor_.dropped_by(at_); }
  /// What that threw; null: it did not throw.
  std::exception_ptr why_dropped() const { return executor_.why_dropped(at_); }

  /// What the batch yields that got through last; \p number tells its number.
  template <class Number>
  reference yielded(Number number) {
    return executor_.yielded(at_, number);
  }

  /// Whether the executor has a loop of its own for steady progresses, with batches of \p Source.
  template <class Source>
  static constexpr bool loops = [] {
    if constexpr (requires { requires Executor::template loops<Source>; }) return true;
    return false;
  }();
  template <class Source, class Use, class GoesOn>
  [[gnu::always_inline]] progress_result loop(Source& source, const Use& use,
                                              const GoesOn& goes_on) {
    return executor_.loop(at_, source, use, goes_on);
  }
  /// Such a loop for whoever asks for progresses one by one (run/session/results.hpp), its next
  /// result, and what that is.
  template <class Source>
  [[gnu::always_inline]] auto loop_from(Source& source) {
    return typename Executor::template steady_loop<Source>(executor_.machine, at_, source);
  }
  template <class Loop, class Source>
  [[gnu::always_inline]] progress_result next_of(Loop& loop, Source& source) {
    return executor_.next_of(loop, at_, source);
  }
  template <class Loop>
  [[gnu::always_inline]] reference yielded_of(Loop& loop) {
    return executor_.yielded_of(loop);
  }

  /// When no progress is left to run, or none before there is another batch: what is yielded is
  /// that of the batch that got through last, whose progress may not have been the last.
  void look_back_at(std::size_t progress) { executor_.place(at_, progress); }

  /// Waits, if another thread pulls, until it is known whether the source ended with the pull of
  /// the batch that would be through next.
  void await_earlier_pulls() { executor_.await_earlier_pulls(at_); }

  /// Waits until every thread has left the run, and what they submitted is done. \p early: they
  /// were told to, and may be in the user's code, which is said after a while.
  void join_run(bool early) {
    if constexpr (Executor::has_team)
      if (team_ && early) join_impatiently();
    join_threads();
    if constexpr (machine_type::submits)
      outcome_.synchronize_tasks(machine().device, executor_.results_on_stream());
    if constexpr (tells_of_runs) machine().observer.run_ended();
    executor_.ended(outcome_);
  }

  /// When the run's threads have left it.
  [[gnu::noinline, gnu::cold]] void write_report(const detail::ending& how) noexcept {
    has_thrown_ahead_ = false;
    detail::ending with_drops = how;
    with_drops.dropped = withheld();
    with_drops.first = first_;
    record_.tell(executor_.accounting(), with_drops, fails_late);
    failed_ = record_.numbers().end == run_end::failed;
    if constexpr (fails_late) {
      run_report& told = record_.report(0, executor_.accounting());
      if constexpr (machine_type::submits) outcome_.tell(told, how.delivered - first_);
      executor_.reported(told);
      failed_ = !told.failures.empty();
      record_.take_numbers();
    }
  }
  void tell_delivered(std::size_t through) { record_.tell_delivered(through, withheld()); }

  /// The run is over. Its thread runs where it did before.
  void end_run(const detail::active_run& run) {
    active_ = nullptr;
    maker_.clear();
    if (placed_) placed_->release(&run);
  }

  /// The run is destroyed that was the latest.
  void forget_latest() { latest_ = nullptr; }

  /// Waits for what the user has put on the stream of the results.
  void synchronize_results()
    requires can_be_on_stream
  {
    if (executor_.results_on_stream()) outcome_.synchronize_results(machine().device);
  }
  /// Waits for the last result of a run. Whether something of it failed; then the report says so.
  bool synchronize_last_result()
    requires can_be_on_stream
  {
    if (!executor_.results_on_stream()) return false;
    run_report& told = record_.report(0, executor_.accounting());
    if (!outcome_.synchronize_last_result(machine().device, told)) return false;
    return failed_ = true;
  }

 private:
  /// What is known of a run that has thrown its failure before it has ended.
  [[gnu::cold, gnu::noinline]] void tell_failure_ahead(run_report& to) const {
    const caught first = executor_.machine.failure.get();
    const std::size_t batch = first.progress - executor_.machine.lag_of(first.node);
    const std::string_view task = executor_.node_names()[first.node];
    to.end = run_end::failed;
    to.first = first_;
    // Behind the end of the stream a task may have failed for what was left of a group.
    const std::size_t there = executor_.machine.batches_of_source();
    to.pulled = to.finished = (batch < there ? batch : there) - first_;
    to.dropped = withheld();
    to.delivered = to.finished - to.dropped;
    to.incomplete = true;
    std::vector<run_report::failure> failures(1);
    failures.front() = {std::string(task), batch, first.progress, first.error};
    failures.swap(to.failures);
  }

  [[gnu::cold, gnu::noinline]] void join_impatiently() {
    const run_accounting all = executor_.accounting();
    const std::size_t pulling = all.first_host(all.thread_of[all.tasks()]);
    const std::size_t host = team_->join_run_for(
        detail::milliseconds_of_patience.load(std::memory_order_relaxed), pulling);
    if (host == 0) return;
    const caught first = executor_.machine.failure.get();
    const bool failed = first.node != planner::none;
    detail::tell_lost_patience(executor_.host_names()[host], host == pulling,
                               failed ? all.names[first.node] : std::string_view(),
                               failed ? first.progress - executor_.machine.lag_of(first.node) : 0);
  }

  /// The run that has ended says nothing more of what is in slots.
  void supersede_latest() {
    if (latest_ != nullptr) std::exchange(latest_, nullptr)->supersede();
  }
  std::size_t withheld() const {
    if constexpr (may_drop) return executor_.withheld();
    return 0;
  }

  /// Has the calling thread take part in a run.
  void run_on_caller([[maybe_unused]] std::size_t host) {
    if constexpr (Executor::has_team) {
      if constexpr (machine_type::submits) {
        [[maybe_unused]] const auto device = machine().device.keep_current_device();
        team_->run_on_caller(host);
      } else {
        team_->run_on_caller(host);
      }
    }
  }

  kept_references references_;
  Executor executor_;
  position at_;  ///< of the calling thread
  detail::owned<detail::placement> placed_;
  /// From the first run on.
  [[no_unique_address]] std::conditional_t<Executor::has_team, detail::owned<thread_team>,
                                           detail::no_team>
      team_;
  detail::owned<detail::attachments> attached_;  ///< after all that attached threads use
  detail::run_maker maker_;
  mutable detail::run_record record_;
  device_outcome outcome_;
  detail::active_run* active_ = nullptr;
  detail::active_run* latest_ = nullptr;  ///< also when it has ended, until there is another one
  given_batches to_be_given_;
  std::size_t first_ = 0;  ///< the first batch of the latest run
  bool failed_ = false;
  bool has_thrown_ahead_ = false;  ///< its failure, of the run that is active
  bool kept_ = true;               ///< slots hold what batches after the latest run look back at
};

}  // namespace stretto::runner
