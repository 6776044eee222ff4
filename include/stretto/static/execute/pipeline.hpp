// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <array>
#include <cstddef>
#include <stretto/declare/address_of.hpp>
#include <stretto/observe/observer.hpp>
#include <stretto/run/backend.hpp>
#include <stretto/run/error.hpp>
#include <stretto/run/onwards.hpp>
#include <stretto/run/options_misuse.hpp>
#include <stretto/run/pace.hpp>
#include <stretto/run/report.hpp>
#include <stretto/run/session/results.hpp>
#include <stretto/run/session/run.hpp>
#include <stretto/run/session/session.hpp>
#include <stretto/run/source.hpp>
#include <stretto/run/source_misuse.hpp>
#include <stretto/run/stand_in.hpp>
#include <stretto/run/stop.hpp>
#include <stretto/run/temporary_misuse.hpp>
#include <stretto/run/threads/affinity.hpp>
#include <stretto/run/threads/attached_threads.hpp>
#include <stretto/static/execute/executor.hpp>
#include <stretto/static/execute/machine.hpp>
#include <stretto/static/execute/not_a_pipeline.hpp>
#include <stretto/static/execute/replaceable_tasks.hpp>
#include <stretto/static/execute/runnable.hpp>
#include <stretto/static/execute/task_arguments.hpp>
#include <stretto/static/query/plan_of.hpp>
#include <stretto/static/query/plan_view.hpp>
#include <stretto/static/query/works_in_turn.hpp>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

namespace stretto {

namespace typed::detail {

/// The stream of each node, for people; empty: none.
template <class Schedule>
inline constexpr auto streams_of = [] {
  std::array<std::string_view, std::remove_cvref_t<decltype(plan_of<Schedule>)>::nodes> streams{};
  std::size_t n = 0;
  for (const planner::task& t : declared<Schedule>::value.tasks) streams[n++] = t.stream;
  return streams;
}();

/// By node: a number of its rate.
template <class Schedule, int planner::rate::*Number>
inline constexpr auto rates_of = [] {
  std::array<std::size_t, std::remove_cvref_t<decltype(plan_of<Schedule>)>::nodes> numbers{};
  for (std::size_t n = 0; n < numbers.size(); ++n)
    numbers[n] = static_cast<std::size_t>(plan_of<Schedule>.runs[n].*Number);
  return numbers;
}();

/// Why there is no pipeline of a schedule with options, or `no_error`.
template <class Schedule, class... Options>
consteval auto pipeline_diagnostic() {
  using options = decltype(runner::options_diagnostic<Schedule, Options...>());
  if constexpr (errors::is_no_error<options>) {
    return run_diagnostic<Schedule, declare::first<tag::device, pack<Options...>, no_device>,
                          declare::first<tag::collectives, pack<Options...>, no_collectives>>();
  } else {
    return options{};
  }
}

}  // namespace typed::detail

/// Runs a schedule on the host.
///
/// `Options` are how threads keep pace with each other (`run_ahead`, the default, or `barrier`), a
/// wait strategy (`spin`, `spin_then_sleep<N>`), an observer (`timeline`, or one of your own),
/// `pinned`, which gives each thread a core, a device that the streams are on (stretto/cuda.hpp)
/// and collectives (stretto/mpi.hpp, stretto/nccl.hpp). Objects of task types are passed to the
/// constructor in any order, along with `cores` if thread groups are to have their own and
/// `attached_threads` if threads of yours are to run some; tasks that are not passed are
/// default-constructed. Threads, one per thread group except the caller's and the attached ones,
/// start with the first run and live as long as the pipeline. A pipeline stays where it is made.
template <class Schedule, class... Options>
class pipeline {
  using pace = declare::first<tag::pace, pack<Options...>, run_ahead>;
  using waiting = declare::first<tag::waiting, pack<Options...>, spin_then_sleep<>>;
  using watcher = declare::first<tag::observer, pack<Options...>, no_observer>;
  using affinity = declare::first<tag::affinity, pack<Options...>, unpinned>;
  using device_option = declare::first<tag::device, pack<Options...>, no_device>;
  using collectives_option = declare::first<tag::collectives, pack<Options...>, no_collectives>;
  using settings = typename declare::joined<typename device_option::settings,
                                            typename collectives_option::settings>::type;
  using machine =
      typed::detail::machine<Schedule, pace, waiting, watcher, device_option, collectives_option>;
  using executor = typed::detail::executor<machine, affinity::pins>;
  using session = runner::session<executor>;
  static constexpr const auto& plan = machine::plan;

 public:
  using schedule = Schedule;
  using source_value = typename typed::declared<Schedule>::source_part::slot::value_type;
  using reference = typename executor::reference;
  /// Why there is no run over a source, for who makes runs of any pipeline; or `errors::no_error`.
  template <class Source>
  using why_no_run =
      decltype(runner::run_diagnostic<typename typed::declared<Schedule>::source_part::slot,
                                      Source>());

 private:
  template <class Source, class Stop>
  using run_with = run_of<session, Source, Stop, source_value>;
  using no_run = typed::detail::no_run_of<Schedule>;
  template <class Source, class... Stop>
  using unfit =
      decltype(runner::run_diagnostic<typename typed::declared<Schedule>::source_part::slot, Source,
                                      Stop...>());
  using turn_warning = typed::detail::turn_warning;
  static constexpr turn_warning warned =
      machine::submits ? turn_warning::none : typed::detail::turn_warning_of<Schedule>();
  /// Whether the schedule has a task, or a slot, that somebody asks for.
  template <class Task>
  static constexpr bool has_task =
      declare::one_of_pack<Task, typename typed::declared<Schedule>::tasks>;
  template <class Slot>
  static constexpr bool has_slot = typed::detail::number_of_slot<Schedule, Slot> != planner::none;
  template <class... Object>
  using unfit_objects = decltype(typed::objects_diagnostic<Schedule, settings>(
      typename typed::declared<Schedule>::tasks{}, pack<Object...>{}));

 public:
  /// Throws `usage_error` if `cores` or `attached_threads` ask for what there is not, or if a task
  /// is a `std::function` that holds none.
  template <class... Task>
    requires(errors::is_no_error<unfit_objects<Task...>> && warned == turn_warning::none)
  explicit pipeline(Task&&... tasks) : session_(made_with(std::forward<Task>(tasks)...)) {
    begin();
  }
  /// Of a schedule whose threads overlap nothing: a warning that says what to do.
  template <class... Task>
    requires(errors::is_no_error<unfit_objects<Task...>> &&
             warned == turn_warning::overlaps_nothing)
  [[deprecated(
      "the threads of this schedule overlap nothing: each batch passes one after the other "
      "before the next begins; `stretto::pipelined<>` among the schedule's parts lets them "
      "overlap, or if it is meant: `template <> inline constexpr bool "
      "stretto::works_in_turn<schedule> = true;`")]] explicit pipeline(Task&&... tasks)
      : session_(made_with(std::forward<Task>(tasks)...)) {
    begin();
  }
  /// Of such a schedule that `scheduled` found, and whose batches in flight nobody bounded.
  template <class... Task>
    requires(errors::is_no_error<unfit_objects<Task...>> &&
             warned == turn_warning::found_within_one_batch)
  [[deprecated(
      "this schedule, which `scheduled` found, has one batch in flight, as the schedule that it "
      "was found for, so that no tasks overlap; `max_in_flight<3>` among the options of "
      "`scheduled` lets it have more, or if one is meant: `max_in_flight<1>`")]] explicit pipeline(Task&&... tasks)
      : session_(made_with(std::forward<Task>(tasks)...)) {
    begin();
  }
  /// Of such a schedule that `scheduled` found within what it was told.
  template <class... Task>
    requires(errors::is_no_error<unfit_objects<Task...>> && warned == turn_warning::found_in_turn)
  [[deprecated(
      "the threads of this schedule, which `scheduled` found, overlap nothing: each batch passes "
      "one after the other before the next begins; more in flight would help if `max_in_flight` "
      "is 1, or shorter tasks if one, or a cycle of them, takes nearly all of a progress, which "
      "`least_of` tells; or if it is meant: `template <> inline constexpr bool "
      "stretto::works_in_turn<schedule> = true;`")]] explicit pipeline(Task&&... tasks)
      : session_(made_with(std::forward<Task>(tasks)...)) {
    begin();
  }
  /// Of objects that the schedule has no use for: a compile error that says why.
  template <class... Task, auto Why = errors::why<unfit_objects<Task...>>>
    requires(!errors::is_no_error<unfit_objects<Task...>>)
  STRETTO_REFUSED explicit pipeline(Task&&...) : session_(typed::detail::never<session>()) {
    static_cast<void>(errors::emit_in_body<unfit_objects<Task...>>::value);
  }
  pipeline(const pipeline&) = delete;
  pipeline& operator=(const pipeline&) = delete;
  /// Ends a run that is still there, as leaving it does.
  ~pipeline() = default;

  /// Starts a run over \p source: an input range, a callable returning `std::optional`, or a
  /// callable that fills the slot: `bool(T&)`, or `pulled(T&, bool)` where it may have nothing for
  /// a while. Pulls nothing yet. The run yields one result per batch, in order; an lvalue source is
  /// referred to, an rvalue is kept in the run.
  ///
  /// Throws `usage_error` while another run of this pipeline exists, and after a task failed until
  /// `reset()`. Leaving a run early abandons the batches in flight; the next run starts afresh.
  template <source_of<source_value> Source>
  [[nodiscard]] run_with<Source, runner::unstoppable> run(Source&& source) & {
    return {session_, std::forward<Source>(source), {}};
  }
  /// Runs until a stop is requested by \p token, a `std::stop_token` or the like. It is asked
  /// before each batch is pulled; once it says so nothing more is pulled, and what is in flight
  /// goes through. The run then ends as if the source had; `report()` tells the difference. An
  /// lvalue token is referred to, an rvalue is kept in the run.
  template <source_of<source_value> Source, stoppable_token Token>
  [[nodiscard]] run_with<Source, Token> run(Source&& source, Token&& token) & {
    return {session_, std::forward<Source>(source), std::forward<Token>(token)};
  }
  /// Runs with `cancel_on(token)`: every thread asks before each task. Once a stop is
  /// requested no more tasks start; tasks that are running run to their end. Results that are
  /// complete by then are handed out, then the run ends; `report()` says what was in flight.
  template <source_of<source_value> Source, class Token>
  [[nodiscard]] run_with<Source, runner::cancelling<Token>> run(Source&& source,
                                                                runner::cancelling<Token> stop) & {
    return {session_, std::forward<Source>(source), std::move(stop)};
  }
  /// Runs from where `onwards` or `from(position)` says, with or without a token as above, before
  /// it or behind it.
  template <source_of<source_value> Source, runner::beginning Where>
  [[nodiscard]] run_with<Source, runner::unstoppable> run(Source&& source, Where where) & {
    return {session_, std::forward<Source>(source), {}, where.first(session_)};
  }
  template <source_of<source_value> Source, runner::beginning Where, stoppable_token Token>
  [[nodiscard]] run_with<Source, Token> run(Source&& source, Where where, Token&& token) & {
    return {session_, std::forward<Source>(source), std::forward<Token>(token),
            where.first(session_)};
  }
  template <source_of<source_value> Source, runner::beginning Where, class Token>
  [[nodiscard]] run_with<Source, runner::cancelling<Token>> run(Source&& source, Where where,
                                                                runner::cancelling<Token> stop) & {
    return {session_, std::forward<Source>(source), std::move(stop), where.first(session_)};
  }
  template <source_of<source_value> Source, class Stop, runner::beginning Where>
    requires(!runner::beginning<std::remove_cvref_t<Stop>>)
  [[nodiscard]] auto run(Source&& source, Stop&& stop, Where where) & {
    return run(std::forward<Source>(source), std::move(where), std::forward<Stop>(stop));
  }
  /// Of what is not a source: a compile error that says what it yields and what the slot takes.
  template <class Source, auto Why = errors::why<unfit<Source>>>
    requires(!errors::is_no_error<unfit<Source>>)
  STRETTO_REFUSED [[nodiscard]] no_run run(Source&&) & {
    static_cast<void>(errors::emit_in_body<unfit<Source>>::value);
    return {};
  }
  template <class Source, class Stop, auto Why = errors::why<unfit<Source, Stop>>>
    requires(!errors::is_no_error<unfit<Source, Stop>>)
  STRETTO_REFUSED [[nodiscard]] no_run run(Source&&, Stop&&) & {
    static_cast<void>(errors::emit_in_body<unfit<Source, Stop>>::value);
    return {};
  }
  template <class Source, runner::beginning Where, class Stop,
            auto Why = errors::why<unfit<Source, Stop>>>
    requires(!errors::is_no_error<unfit<Source, Stop>>)
  STRETTO_REFUSED [[nodiscard]] no_run run(Source&&, Where, Stop&&) & {
    static_cast<void>(errors::emit_in_body<unfit<Source, Stop>>::value);
    return {};
  }

  /// The results of a run over \p source, to which \p how may add what it may for `run`: a range,
  /// for one loop, and nothing that can be asked of the run in between. On one thread such a loop
  /// takes what it would take by hand: see `results_of`. Throws as `run` does.
  template <class Source, class... How>
    requires(errors::is_no_error<unfit<Source, How...>>)
  [[nodiscard]] auto results(Source&& source, How&&... how) & {
    const auto make = [&] { return run(std::forward<Source>(source), std::forward<How>(how)...); };
    return results_of<decltype(make())>(make);
  }
  template <class Source, class... How, auto Why = errors::why<unfit<Source, How...>>>
    requires(!errors::is_no_error<unfit<Source, How...>>)
  STRETTO_REFUSED [[nodiscard]] no_run results(Source&&, How&&...) & {
    static_cast<void>(errors::emit_in_body<unfit<Source, How...>>::value);
    return {};
  }

  /// Of a pipeline that is gone before its run is: a compile error.
  template <class... Given, auto Why = errors::why<runner::temporary_pipeline<pipeline>>>
  STRETTO_REFUSED [[nodiscard]] no_run run(Given&&...) && {
    static_cast<void>(errors::emit_in_body<runner::temporary_pipeline<pipeline>>::value);
    return {};
  }
  template <class... Given, auto Why = errors::why<runner::temporary_pipeline<pipeline>>>
  STRETTO_REFUSED [[nodiscard]] no_run results(Given&&...) && {
    static_cast<void>(errors::emit_in_body<runner::temporary_pipeline<pipeline>>::value);
    return {};
  }

  /// Of one that is const, or without a source: likewise.
  template <class... Given, auto Why = errors::why<runner::unfit_call<pipeline>>>
  STRETTO_REFUSED [[nodiscard]] no_run run(Given&&...) const& {
    static_cast<void>(errors::emit_in_body<runner::unfit_call<pipeline>>::value);
    return {};
  }

  /// Runs the tasks of thread group \p group, which was named in `attached_threads`, on the calling
  /// thread for one run: waits until a run begins, and returns true when the group has nothing left
  /// to do in it, however it ends. A group with workers wants as many threads. No batch is pulled
  /// before all threads are there. False if the pipeline is destroyed before there is a run.
  ///
  /// May be called by several threads at once, and while a run is made and used by another. Throws
  /// `usage_error` if the pipeline has no such group or a thread of its own for it, if the group
  /// has its threads already, and on the thread that made the run that is active.
  bool attach(std::string_view group) { return attach(group, runner::never_stopped()); }
  /// Attaches the calling thread until a stop is requested by \p token; false if that happens
  /// before a run begins. In a run the thread stays to its end.
  template <stoppable_token Token>
  bool attach(std::string_view group, const Token& token) {
    return session_.attach(group, token);
  }

  /// For who watches the pipeline, on any thread: whether a run that is to begin waits for a thread
  /// to be attached as host thread \p host, and for which other ranks.
  bool lacks_thread(std::size_t host) const { return session_.lacks_thread(host); }
  runner::missing_ranks missing_ranks() const { return session_.missing_ranks(); }

  /// For who refers to the pipeline and may outlive it, such as `push_run`.
  void tell_end(runner::kept_reference& whom) { session_.tell_end(whom); }

  /// Makes the pipeline usable again after a failure, and releases what the slots hold of batches
  /// that did not get through: their values are destroyed, and made anew by the next run. (Those
  /// that a device made stay.) Tasks keep the state they have.
  /// Throws `usage_error` while a run exists.
  void reset() { session_.reset(); }

  /// What became of the batches of the latest run that stopped: ended, was left or failed.
  /// Throws `std::bad_alloc` if there is no memory for that when it is asked for the first time.
  const run_report& report() const { return session_.report(); }
  /// How many batches of the latest run, perhaps one that goes on, were dropped because a task
  /// failed that has `on_failure`; and of each task the first 16. From any thread, at any time.
  /// Throws `std::bad_alloc` if there is no memory for that.
  [[nodiscard]] failure_list dropped_failures() const { return session_.dropped_failures(); }

  /// The value that a slot holds of a batch that was pulled and not handed out, once its run has
  /// stopped and until the next one begins or `reset()` releases it: a promise to break, a handle
  /// to give back. Null if no task had filled the slot for that batch, if the one that fills it
  /// dropped the batch, or if a later batch has its copy by now. Of a slot of items, the first of
  /// them, with the others behind it. Throws `usage_error` while a run exists.
  template <class Slot>
    requires has_slot<Slot>
  typename Slot::value_type* recover(std::size_t batch) {
    constexpr std::size_t s = typed::detail::number_of_slot<Schedule, Slot>;
    session_.refuse_recover_in_run();
    constexpr std::size_t every = plan.every_of(s);
    if (!plan.runs_for(plan.fillers[s], batch) ||
        !session_.holds(plan.fillers[s], batch, plan.copies[s] * every))
      return nullptr;
    if constexpr (plan.drops)
      if (session_.machine().verdicts.template dropped<plan.fillers[s]>(batch)) return nullptr;
    return declare::address_of(typed::detail::value_in<Slot, plan.copies[s], Schedule>(
        session_.machine().memory, batch / every));
  }
  /// Of what is no slot of the schedule: a compile error that says so.
  template <class Slot, auto Why = errors::why<typed::detail::foreign_slot<Slot, Schedule>>>
    requires(!has_slot<Slot>)
  STRETTO_REFUSED typename Slot::value_type* recover(std::size_t) {
    static_cast<void>(errors::emit_in_body<typed::detail::foreign_slot<Slot, Schedule>>::value);
    return nullptr;
  }

  /// Where the pipeline is after its latest run: the number of the next batch, and copies of what
  /// slots hold that later batches look back at. Needs `<stretto/position.hpp>`.
  /// Throws `usage_error` while a run exists, and where `run(source, onwards)` would; and if what
  /// is looked back at points into another slot.
  template <class Position = stretto::position>
  Position position() {
    return session_.executor().template taken<Position>(session_.next_batch());
  }

  /// A task of the pipeline.
  template <class Task>
    requires has_task<Task>
  Task& task() {
    return [&]<class... Type>(pack<Type...>) -> Task& {
      constexpr std::size_t node = typed::detail::first_true(
          std::array<bool, sizeof...(Type)>{std::is_same_v<Task, Type>...});
      return session_.machine().tasks.template get<node>();
    }(typename typed::declared<Schedule>::tasks{});
  }
  /// Of what is no task of the schedule: a compile error that says so.
  template <class Task, auto Why = errors::why<typed::detail::foreign_task<Task, Schedule>>>
    requires(!has_task<Task>)
  STRETTO_REFUSED Task& task() {
    static_cast<void>(errors::emit_in_body<typed::detail::foreign_task<Task, Schedule>>::value);
    return typed::detail::never<Task&>();
  }

  /// The thread group that pulls batches; empty if the calling thread does.
  static constexpr std::string_view pulled_by() {
    constexpr std::size_t puller = plan.thread_of[plan.pull];
    return puller == 0 ? std::string_view() : plan.thread_names[puller];
  }

  watcher& observer() { return session_.machine().observer; }

  /// The device that the pipeline's streams are on.
  auto& device() { return session_.machine().device; }

 private:
  template <class... Task>
  static session made_with(Task&&... tasks) {
    return session(typed::detail::setting<cores>(tasks...),
                   typed::detail::setting<attached_threads>(tasks...),
                   typed::detail::make_tasks<Schedule>(std::forward<Task>(tasks)...),
                   std::tuple<const std::remove_reference_t<Task>&...>(tasks...));
  }
  void begin() {
    typed::detail::refuse_empty(session_.machine().tasks,
                                typename typed::declared<Schedule>::tasks{});
    tell_observer();
  }
  void tell_observer() {
    if constexpr (machine::observed) {
      if constexpr (observe::observes_streams<watcher>) {
        observer().attached(machine::hosts::names, plan.names, typed::detail::streams_of<Schedule>);
      } else {
        observer().attached(machine::hosts::names, plan.names);
      }
      if constexpr (observe::observes_rates<watcher>)
        observer().rates(typed::detail::rates_of<Schedule, &planner::rate::every>,
                         typed::detail::rates_of<Schedule, &planner::rate::phase>);
      if constexpr (observe::observes_plan<watcher, planner::plan_view>)
        observer().planned(typed::plan_view_of<Schedule>);
      if constexpr (runner::replaces_bodies<watcher>)
        typed::detail::tell_of_bodies<Schedule, typename machine::context>(
            observer(), session_.machine().tasks, typename typed::declared<Schedule>::tasks{});
      if constexpr (observe::observes_device<watcher, typename machine::device_type>)
        for (const std::string_view name : typed::declared<Schedule>::value.streams)
          observer().stream_made(name, device().stream(name));
      if constexpr (observe::works_on_device<watcher, typename machine::device_type>) {
        static_assert(
            !machine::replays,
            "this observer times tasks one by one, and graphs launch several of them at "
            "once: watch the pipeline without graphs (`st::on_cuda`), where tasks put the "
            "same work on the same streams");
        observer().device_made(device(), plan.in_flight());
      }
    }
  }

  session session_;
};

/// A schedule that cannot be run, or not with these options: a compile error that says why, and no
/// other.
template <class Schedule, class... Options>
  requires(
      !errors::is_no_error<decltype(typed::detail::pipeline_diagnostic<Schedule, Options...>())>)
class pipeline<Schedule, Options...>
    : public typed::detail::not_a_pipeline<
          Schedule, declare::first<tag::observer, pack<Options...>, no_observer>> {
  using diagnostic = decltype(typed::detail::pipeline_diagnostic<Schedule, Options...>());

 public:
#ifdef STRETTO_SHOWS_TEXT_AS_ARGUMENT
  template <auto Why = errors::why<diagnostic>, class... Task>
  STRETTO_REFUSED explicit pipeline(Task&&...) {}
#else
  static_assert(!errors::emit_error<diagnostic>::value);
  using pipeline::not_a_pipeline::not_a_pipeline;
#endif
};

}  // namespace stretto
