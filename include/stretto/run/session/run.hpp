// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <span>  // what iterators are, without the streams of <iterator>
#include <stretto/declare/address_of.hpp>
#include <stretto/errors/emit.hpp>
#include <stretto/plan/model/firing.hpp>
#include <stretto/run/active_run.hpp>
#include <stretto/run/error.hpp>
#include <stretto/run/for_each_misuse.hpp>
#include <stretto/run/not_a_run.hpp>
#include <stretto/run/progress_result.hpp>
#include <stretto/run/report.hpp>
#include <stretto/run/session/run_phase.hpp>
#include <stretto/run/stop.hpp>
#include <stretto/run/temporary_misuse.hpp>
#include <stretto/run/wait/signal.hpp>
#include <string_view>
#include <type_traits>
#include <utility>

namespace stretto {

template <class Run>
class results_of;

/// One pass of a pipeline over a source, made by `pipeline::run`. Either loop over it, or step:
/// `while (run.next()) use(run.result());`. Not thread-safe; stays where it is made. A pipeline
/// that is destroyed before its run ends it, as leaving it does.
template <class Session, class Source, class Stop, class Value>
class run_of : runner::detail::active_run {
  template <class Run>
  friend class results_of;
  using session = Session;
  using machine = typename Session::machine_type;
  using chain = typename Session::chain;
  using phase = runner::detail::run_phase;
  static constexpr bool may_drop = Session::may_drop;
  using plain_pull = runner::detail::stoppable_puller<Source, Value, Stop>;
  /// On cache lines of its own: next to it the loop over the run has its variables.
  struct alignas(runner::cache_line) pull_apart : plain_pull {
    using plain_pull::plain_pull;
  };
  using pull = std::conditional_t<Session::others_may_pull, pull_apart, plain_pull>;
  template <class Use>
  using unfit = decltype(runner::detail::use_diagnostic<Use, typename Session::reference>());
  /// What `next` can call for a batch that a task dropped.
  template <class Dropped>
  static constexpr bool tells_drop =
      requires(Dropped& dropped) { dropped(std::size_t{}, std::string_view{}); };
  template <class Dropped>
  static constexpr bool tells_why = requires(Dropped& dropped) {
    dropped(std::size_t{}, std::string_view{}, std::exception_ptr{});
  };
  /// What `for_each` can call.
  template <class Use>
  static constexpr bool is_use = errors::is_no_error<unfit<Use>>;

 public:
  /// What a batch yields: a reference to the value of the result slot, a tuple of references if
  /// there are several, the batch's number if there is none. Valid until the run goes on.
  using reference = typename Session::reference;
  /// Why `for_each` cannot call a function, for who makes runs of any pipeline; or
  /// `errors::no_error`.
  template <class Use>
  using why_no_use = unfit<Use>;
  /// Whether the pipeline was destroyed, which ended the run; for who keeps runs.
  bool lost_pipeline() const { return outlived(); }

  // Not inlined: what is done once is to leave the loop its registers.
  // first: the number of the first batch.
  [[gnu::noinline]] run_of(Session& s, Source&& source, Stop&& stop, std::size_t first = 0)
      : active_run([](active_run& run) { static_cast<run_of&>(run).close(left_by_user); }),
        session_(s.admit()),
        pull_(std::forward<Source>(source), std::forward<Stop>(stop)),
        first_(first),
        delivered_(first) {
    if constexpr (pull::may_pause) s.refuse_pauses();
    s.begin(*this, first);
    if constexpr (pull::abandons) s.machine().poll(pull_.token());
    s.machine().source_stop = {};
    if constexpr (requires { pull_.request_stop(); })
      s.machine().source_stop = {declare::address_of(pull_), [](void* puller) noexcept {
                                   static_cast<pull*>(puller)->request_stop();
                                 }};
    s.machine().source_pause = {};
    if constexpr (pull::may_pause)
      s.machine().source_pause = {declare::address_of(pull_), [](const void* puller) noexcept {
                                    return static_cast<const pull*>(puller)->paused();
                                  }};
    s.template pull_from<Value>(pull_);
  }
  ~run_of() {
    if (outlived() || superseded()) return;
    close(left_by_user);
    static_cast<void>(release_result());
    session_.forget_latest();
  }
  run_of(const run_of&) = delete;
  run_of& operator=(const run_of&) = delete;

  /// Runs until the next batch is through that no task dropped. False when all are, or no more will
  /// be because a stop was requested, and from then on.
  /// Throws `task_error` if a task or the source threw; results that were complete by then come
  /// first. Throws `usage_error` if the pipeline is gone, or if a task or the source of this run
  /// asks (except within a steady progress of a loop, where looking would cost something).
  bool next() { return next_through() || goes_on(); }
  /// Likewise, and calls \p dropped with each batch that gets through without a result before that,
  /// because a task dropped it: with its number, the name of the task and, if it takes that, what
  /// the task threw, a `std::exception_ptr`, which is null if the task returned its verdict. The
  /// run is asked for nothing there.
  template <class Dropped>
    requires(tells_drop<Dropped> || tells_why<Dropped>)
  bool next(Dropped&& dropped) {
    while (true) {
      if (next_through()) return true;
      if (take_drop()) {
        if constexpr (tells_why<Dropped>) {
          dropped(delivered() - 1, session_.dropped_by(), session_.why_dropped());
        } else {
          dropped(delivered() - 1, session_.dropped_by());
        }
      } else if (!paused()) {
        return false;
      }
    }
  }

  /// Runs one progress of the calling thread, each of its tasks at most once; with a barrier, of
  /// all threads. Returns whether a batch got through, so that `result()` may be used. In prefill
  /// none does, and of one that a task dropped there is no result.
  bool progress() {
    const bool through = steady() ? advance_steady_apart(false) : progress_unsteady();
    take_drop();
    return through;
  }

  /// Whether a progress is left to run, if only to throw what went wrong. Waits, if another thread
  /// pulls, until it is known. Where nothing is left, the run has ended.
  bool has_more() {
    if (phase_ == phase::lent) refuse_in_use();
    if (phase_ == phase::stopped) return session_.failed() || delivered_ < session_.finished();
    if (phase_ == phase::failed) return false;
    if (!closed()) {
      if (paused() || phase_ == phase::failing || !over()) return true;
      end_or_pause();
      if (paused() || phase_ == phase::failing) return true;
      if (release_result()) owes_failure_ = true;
    }
    return owes_failure_ && !superseded();
  }

  /// The result of the batch that got through last. Throws `usage_error` if none has yet, the
  /// pipeline is gone, or another run of it has begun since, or its `reset()`.
  reference result() {
    if (!steady() || withholds()) [[unlikely]]
      refuse_result();
    return result_of(session_);
  }

  /// The number of the batch that got through last. Throws as `result` does, but of a run that has
  /// ended still tells it when the pipeline has begun another one.
  std::size_t batch() const {
    if (!steady() || withholds()) [[unlikely]]
      refuse_batch();
    return delivered() - 1;
  }

  /// As `dropped_failures` of the pipeline: how many batches were dropped in this run because tasks
  /// failed, and the first of them.
  [[nodiscard]] failure_list dropped_failures() const {
    refuse_if_cut_off();
    return session_.dropped_failures();
  }

  /// Runs what is left and calls \p use with the result of each batch, in order, as a loop over the
  /// run would; with its number, too, if it takes that. What \p use returns is not looked at.
  /// Where one thread runs all tasks, the loop is one function, in which values of slots and what
  /// counts progresses stay in registers.
  ///
  /// Throws as `next` does, and what \p use throws: then the run can go on with the next batch.
  /// Throws `usage_error` if \p use asks this run for anything.
  /// Another function is an error.
  template <class Use>
    requires(is_use<Use>)
  [[gnu::always_inline]] void for_each(Use&& use) {
    Session& s = session_;
    while (steady() ? each_steady(s, use) : next_unsteady() || goes_on()) {
      const lending lent(*this);
      const auto number = [this] { return delivered_of(held_) - 1; };
      call(use, s.yielded(number), number);
    }
  }
  template <class Use, auto Why = errors::why<unfit<Use>>>
    requires(!is_use<Use>)
  STRETTO_REFUSED void for_each(Use&&) {
    static_cast<void>(errors::emit_in_body<unfit<Use>>::value);
  }

  /// Single-pass iterator over results.
  class iterator {
   public:
    using difference_type = std::ptrdiff_t;
    using value_type = std::remove_cvref_t<reference>;
    using iterator_concept = std::input_iterator_tag;

    iterator() = default;
    explicit iterator(run_of* run)
        : run_(run->next_unsteady() || run->goes_on() ? run : nullptr),
          session_(declare::address_of(run->session_)) {}
    reference operator*() const {
      if (run_ == nullptr) [[unlikely]]
        refuse_past_the_end();
      return run_->result_of(*session_);
    }
    // The one place where steady progresses are always inlined: the usual loop.
    [[gnu::always_inline]] iterator& operator++() {
      if (run_ == nullptr) [[unlikely]]
        refuse_past_the_end();
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

  /// Of a run that has no name, through views: a compile error that says so. (A member, because GCC
  /// says twice that another function is refused.)
  template <class View, auto Why = errors::why<runner::unnamed_run<reference>>>
  STRETTO_REFUSED runner::not_a_run<> operator|(View&&) && {
    static_cast<void>(errors::emit_in_body<runner::unnamed_run<reference>>::value);
    return {};
  }

 private:
  /// Why a run closes: nothing is left to run, or it is left before.
  enum closing : bool { at_its_end, left_by_user };

  reference result_of(Session& s) {
    return s.yielded([this] { return delivered() - 1; });
  }

  template <class Use, class Number>
  [[gnu::always_inline]] static void call(Use& use, reference&& result,
                                          [[maybe_unused]] const Number& number) {
    if constexpr (runner::detail::is_called_with<Use, reference>) {
      static_cast<void>(use(std::forward<reference>(result)));
    } else {
      static_cast<void>(use(std::forward<reference>(result), number()));
    }
  }

  /// While it exists, the user's code is called: a function that has what the run yields, or, where
  /// looking costs nothing that counts, the tasks and the source.
  class lending {
   public:
    explicit lending(run_of& run) : run_(run) {
      run.held_ = run.phase_;
      run.phase_ = phase::lent;
    }
    lending(const lending&) = delete;
    lending& operator=(const lending&) = delete;
    ~lending() { take_back(); }
    /// False if the run was closed meanwhile.
    bool take_back() {
      if (run_.phase_ != phase::lent) return false;
      run_.phase_ = run_.held_;
      return true;
    }

   private:
    run_of& run_;
  };

  /// Runs steady progresses as long as there are, and hands out their results. Whether one more
  /// batch got through behind them.
  template <class Use>
  [[gnu::always_inline]] bool each_steady(Session& s, Use& use) {
    lending lent(*this);
    const runner::progress_result w = loop_steady(s, use);
    if (!lent.take_back()) return next_unsteady();
    return after_last_steady(w) || goes_on();
  }
  template <class Use>
  [[gnu::always_inline]] runner::progress_result loop_steady(Session& s, Use& use) {
    const auto goes_on = [this] { return phase_ == phase::lent; };
    const auto yield = [&](auto&& result, const auto& number) {
      if constexpr (may_drop) drops_.last = drops_.untold = false;
      call(use, std::forward<decltype(result)>(result), number);
    };
    if constexpr (Session::template loops<pull>) {
      return s.loop(pull_, yield, goes_on);
    } else {
      runner::progress_result w = chain::steady(s.machine(), s.at(), pull_);
      while (w == runner::progress_result::complete) {
        const auto number = [&s] { return s.at().progress() - s.deliver_lag(); };
        if (hands_out(s)) yield(s.yielded(number), number);
        if (!goes_on()) break;
        w = chain::steady(s.machine(), s.at(), pull_);
      }
      return w;
    }
  }

  [[noreturn, gnu::noinline, gnu::cold]] static void refuse_in_use() {
    runner::detail::throw_usage_error(
        "a run is asked for something by what it has just called: a task, the source, or the "
        "function of its for_each, which gets each result, and the number of its batch if it takes "
        "two arguments");
  }

  [[noreturn, gnu::noinline, gnu::cold]] static void refuse_gone() {
    runner::detail::throw_usage_error(
        "the pipeline of this run is gone: a run ends when its pipeline does");
  }
  /// The pipeline has nothing of this run any more.
  void refuse_if_cut_off() const {
    if (outlived()) refuse_gone();
    if (superseded())
      runner::detail::throw_usage_error(
          "a run that has ended is asked for what its pipeline has of it, and that has begun "
          "another run since, or was reset: ask before");
  }
  [[noreturn, gnu::noinline, gnu::cold]] static void refuse_past_the_end() {
    runner::detail::throw_usage_error(
        "an iterator of a run is behind the last result: compare it with end() first");
  }

  [[gnu::noinline, gnu::cold]] void refuse_result() const {
    refuse_if_cut_off();
    // Behind a gap there are progresses in which none gets through, though others have.
    if (delivered() == first_ ||
        session_.at().next_progress() != delivered() + session_.deliver_lag())
      runner::detail::throw_usage_error(
          "a result is asked for, but no batch has got through: ask where next() or progress() "
          "says true");
    if (withholds())
      runner::detail::throw_usage_error(
          "a result is asked for, but a task dropped the batch that got through last: ask where "
          "next() or progress() says true");
  }

  [[gnu::noinline, gnu::cold]] void refuse_batch() const {
    const bool known = superseded() && !outlived() && delivered() != first_ && !withholds();
    if (!known) refuse_result();
  }

  bool steady() const { return phase_ == phase::steady; }
  bool closed() const { return phase_ >= phase::closed; }
  bool paused() const { return pull::may_pause && phase_ == phase::paused; }

  [[gnu::always_inline]] bool step(Session& s) {
    if (!steady()) [[unlikely]]
      return next_unsteady() || goes_on();
    return advance_steady(s) || goes_on();
  }
  /// Runs until a batch is through, with a result or not, or none will be; or until the source has
  /// said that there is nothing yet, and no batch was in flight.
  bool next_through() { return steady() ? advance_steady_apart() : next_unsteady(); }
  /// Runs on where it stood without a result for a reason that goes away.
  bool goes_on() {
    if constexpr (may_drop) {
      while (take_drop() || paused())
        if (next_through()) return true;
      return false;
    } else {
      return paused() && next_unsteady();
    }
  }

  /// Whether the batch that just got through has a result.
  [[gnu::always_inline]] bool hands_out([[maybe_unused]] Session& s) {
    if constexpr (may_drop) drops_.last = drops_.untold = s.withholds();
    return !withholds();
  }
  bool withholds() const {
    if constexpr (may_drop) return drops_.last;
    return false;
  }
  bool has_untold_drop() const {
    if constexpr (may_drop) return drops_.untold;
    return false;
  }
  bool take_drop() {
    if constexpr (may_drop) return std::exchange(drops_.untold, false);
    return false;
  }

  /// The batch after the last one that got through. Steady progresses do not count them.
  std::size_t delivered() const {
    if (steady()) return delivered_of(phase::steady);
    if (phase_ == phase::lent) refuse_in_use();
    return delivered_;
  }
  std::size_t delivered_of(phase now) const {
    return now == phase::steady ? session_.at().next_progress() - session_.deliver_lag()
                                : delivered_;
  }
  void leave_steady() {
    if (!steady()) return;
    delivered_ = delivered();
    phase_ = phase::unsteady;
  }

  [[gnu::always_inline]] bool advance_steady(Session& s) {
    return after_steady(s, chain::steady(s.machine(), s.at(), pull_));
  }
  [[gnu::always_inline]] bool after_steady(Session& s, runner::progress_result w) {
    if (w != runner::progress_result::complete) [[unlikely]]
      return after_last_steady(w);
    return hands_out(s);
  }

  /// Not inlined for those who step: every copy of a long chain takes its time to compile.
  [[gnu::noinline]] bool advance_steady_apart(bool as_far_as_needed = true) {
    lending lent(*this);
    const runner::progress_result w = chain::steady(session_.machine(), session_.at(), pull_);
    if (!lent.take_back()) return next_unsteady();
    if (w != runner::progress_result::complete) return after_last_steady(w, as_far_as_needed);
    return hands_out(session_);
  }

  [[gnu::noinline]] bool after_last_steady(runner::progress_result w,
                                           bool as_far_as_needed = true) {
    delivered_ = session_.at().progress() - session_.deliver_lag();
    phase_ = phase::unsteady;
    if constexpr (machine::drains)
      if (w == runner::progress_result::stopped) {
        lending lent(*this);
        w = chain::rest(session_.machine(), session_.at(), pull_);
        if (!lent.take_back()) return nothing_more();
      }
    if (after_unsteady(w)) return true;
    // Where no batch is in flight when the source ends, this was the end.
    if (closed()) return without_result();
    // With one batch in flight there may be something left to run, without a result.
    const bool more =
        session_.machine().may_end_groups() || (machine::drains && session_.machine().has_failed());
    if (as_far_as_needed && more && !has_untold_drop() && !paused()) return next_unsteady();
    return without_result();
  }

  /// Where a progress brought no result: throws what the run owes if that was the last one.
  bool without_result() {
    if (has_untold_drop()) return false;
    if (phase_ == phase::failing) tell_failure();
    return closed() && nothing_more();
  }

  /// After the last result: tells if something turned out to have gone wrong when all was done.
  [[gnu::noinline, gnu::cold]] bool nothing_more() {
    if (outlived()) refuse_gone();
    if (superseded()) return false;
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
    while (!closed() && phase_ != phase::failed) {
      if (progress_unsteady()) return true;
      if (has_untold_drop()) return false;
    }
    return nothing_more();
  }

  [[gnu::noinline]] bool progress_unsteady() {
    if (closed()) return nothing_more();
    if (phase_ == phase::lent) refuse_in_use();
    if (phase_ == phase::stopped) return next_complete();
    if (phase_ == phase::failing) tell_failure();
    if (phase_ == phase::failed) return false;
    if constexpr (pull::may_pause) {
      if (paused()) {
        resume();
        // The device knows of the other threads, which begin anew, and has to of this one.
        if constexpr (machine::submits)
          if (!chain::prepare(session_.machine(), session_.at())) return stopped_early();
      }
    }
    if (phase_ == phase::ready) {
      if (!session_.set_going(pull_)) return stopped_before();
      phase_ = phase::unsteady;
      if (!chain::prepare(session_.machine(), session_.at())) return stopped_early();
    }
    // A progress in which every task fires may be run in this way, too: the first one is.
    leave_steady();
    lending lent(*this);
    const runner::progress_result w = chain::masked(session_.machine(), session_.at(), pull_);
    if (!lent.take_back()) return nothing_more();
    return after_unsteady(w) || without_result();
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
    bool through = m.delivers(ran);
    if (through) {
      ++delivered_;
      through = hands_out(session_);
    }
    if (m.over(ran + 1)) {
      end_or_pause();
    } else if (delivered_ > first_ && chain::can_be_steady(m, session_.at())) {
      // In a steady progress there is a result: `result()` need not ask.
      phase_ = phase::steady;
    }
    return through;
  }

  /// A task failed, or no more tasks are to start.
  [[gnu::noinline, gnu::cold]] bool stopped_early() {
    phase_ = phase::stopped;
    session_.machine().ask_source_to_stop();
    session_.join_run(true);
    run_end through = run_end::completed;
    if constexpr (pull::may_pause)
      if (pull_.paused()) through = run_end::cancelled;  // there might have been more
    session_.write_report({run_end::cancelled, through, delivered_});
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
    ++delivered_;
    const bool through = hands_out(session_);
    session_.tell_delivered(delivered_);
    return through;
  }

  /// The source may be in the user's function for long: the run ends when it is left.
  [[noreturn, gnu::noinline, gnu::cold]] void tell_failure() {
    phase_ = phase::failed;
    session_.throw_failure_ahead();
  }

  /// Nothing is left to run of what was pulled, or of what lies before a failure.
  void end_or_pause() {
    if constexpr (machine::drains)
      if (session_.machine().has_failed()) {
        if (!session_.machine().pulls_apart) return close(at_its_end);
        leave_steady();
        chain::leave(session_.machine(), session_.at());
        phase_ = phase::failing;
        return look_back();
      }
    if constexpr (pull::may_pause) {
      leave_steady();
      chain::leave(session_.machine(), session_.at());
      session_.join_threads();
      phase_ = phase::paused;
      // A thread may have seen on its way out that the run is cancelled.
      if (pull_.paused() && !session_.machine().told_to_stop()) return look_back();
    }
    close(at_its_end);
  }

  /// What got through last stays to be asked for.
  void look_back() {
    if (delivered_ != first_) session_.look_back_at(delivered_ - 1 + session_.deliver_lag());
  }

  /// Goes on with the batch after the last one, as a run begins with the first: no thread is at
  /// work, and all earlier batches are through.
  [[gnu::noinline]] void resume()
    requires pull::may_pause
  {
    pull_.resume();
    session_.resume();
    if constexpr (pull::abandons) session_.machine().poll(pull_.token());
    session_.set_going_again();
    phase_ = phase::unsteady;
  }

  /// Ends the run: whatever is in flight is abandoned and reported. Throws nothing, so that the
  /// pipeline is free for another run whatever happens.
  void close(closing how) noexcept {
    if (phase_ == phase::lent) phase_ = held_;
    if (closed()) return;
    leave_steady();
    const phase before = phase_;
    phase_ = phase::closed;
    if (before != phase::stopped) leave(before, how);
    look_back();
    session_.end_run(*this);
    session_.tell_delivered(delivered_);
  }

  [[gnu::cold]] void leave(phase before, closing how) {
    machine& m = session_.machine();
    const bool unbegun = before == phase::ready;
    if (how == left_by_user) {
      m.tell_to_stop();  // published by the signals that follow
      m.ask_source_to_stop();
    }
    const bool has_left = before == phase::failing || before == phase::failed ||
                          (pull::may_pause && before == phase::paused);
    if (!has_left) chain::leave(m, session_.at());
    if (!unbegun) session_.join_run(how == left_by_user || m.has_failed());
    run_end through = pull_.drained() ? run_end::drained : run_end::completed;
    if constexpr (pull::may_pause)
      if (pull_.paused()) through = how == left_by_user ? run_end::left_early : run_end::cancelled;
    session_.write_report({how == left_by_user         ? run_end::left_early
                           : unbegun && pull::abandons ? run_end::cancelled
                                                       : through,
                           through, delivered_, 0, 0,
                           how == left_by_user && before != phase::failed && machine::drains});
    owes_failure_ =
        how == at_its_end &&
        (session_.failed() || (through == run_end::completed && session_.lacks_given_batches()));
  }

  /// What is known of the batch that got through last.
  struct no_drops {};
  struct last_drop {
    bool last = false;    ///< a task dropped it
    bool untold = false;  ///< and whoever asked for a result has not been told that there is none
  };

  Session& session_;
  pull pull_;
  [[no_unique_address]] std::conditional_t<may_drop, last_drop, no_drops> drops_;
  std::size_t first_;      ///< the number of its first batch
  std::size_t delivered_;  ///< the batch after the last one that got through
  phase phase_ = phase::ready;
  phase held_ = phase::ready;  ///< while it is lent: what it was before
  bool owes_failure_ = false;  ///< closed, and what went wrong is still to be thrown
};

}  // namespace stretto
