// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <optional>
#include <stretto/declare/address_of.hpp>
#include <stretto/observe/observer.hpp>
#include <stretto/run/accounting.hpp>
#include <stretto/run/active_run.hpp>
#include <stretto/run/backend.hpp>
#include <stretto/run/device_outcome.hpp>
#include <stretto/run/error.hpp>
#include <stretto/run/options_misuse.hpp>
#include <stretto/run/pace.hpp>
#include <stretto/run/report.hpp>
#include <stretto/run/result.hpp>
#include <stretto/run/run.hpp>
#include <stretto/run/source.hpp>
#include <stretto/run/source_misuse.hpp>
#include <stretto/run/stop.hpp>
#include <stretto/run/temporary_misuse.hpp>
#include <stretto/run/threads/affinity.hpp>
#include <stretto/run/threads/hosted_threads.hpp>
#include <stretto/run/threads/thread_team.hpp>
#include <stretto/static/execute/machine.hpp>
#include <stretto/static/execute/not_a_pipeline.hpp>
#include <stretto/static/execute/runnable.hpp>
#include <stretto/static/execute/task_arguments.hpp>
#include <stretto/static/execute/team_work.hpp>
#include <stretto/static/query/plan_of.hpp>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

namespace stretto {

namespace detail {

/// The stream of each node, for people; empty: none.
template <class Schedule>
inline constexpr auto streams_of = [] {
  std::array<std::string_view, plan_of<Schedule>.nodes> streams{};
  std::size_t n = 0;
  for (const planner::task& t : declared<Schedule>::value.tasks) streams[n++] = t.stream;
  return streams;
}();

/// By node: where it is in its chain.
template <class Schedule>
inline constexpr auto places_of = [] {
  std::array<std::size_t, std::remove_cvref_t<decltype(plan_of<Schedule>)>::nodes> places{};
  find_places(plan_of<Schedule>.chained, plan_of<Schedule>.chains, places.data());
  return places;
}();

// Stand where the calling thread is alone.
struct no_crew {};
struct no_work {
  template <class Machine>
  explicit no_work(Machine&) {}
};

}  // namespace detail

/// Runs a schedule on the host.
///
/// `Options` are how threads keep pace with each other (`run_ahead`, the default, or `barrier`), a
/// wait strategy (`spin`, `spin_then_sleep<N>`), an observer (`timeline`, or one of your own),
/// `pinned`, which gives each thread a core, a device that the streams are on (stretto/cuda.hpp)
/// and collectives (stretto/mpi.hpp, stretto/nccl.hpp). Objects of task types are passed to the
/// constructor in any order, along with `cores` if thread groups are to have their own and
/// `hosted` if threads of yours are to run some; tasks that are not passed are default-constructed.
/// Threads, one per thread group but the caller's and those hosted, start with the first run and
/// live as long as the pipeline. A pipeline stays where it is made.
template <class Schedule, class... Options>
class pipeline {
  // Whatever it says: the error is the diagnostic's.
  static_assert(
      detail::emit_error<decltype(detail::options_diagnostic<Schedule, Options...>())>::value ||
      true);
  using pace = detail::first<tag::pace, pack<Options...>, run_ahead>;
  using waiting = detail::first<tag::waiting, pack<Options...>, spin_then_sleep<>>;
  using watcher = detail::first<tag::observer, pack<Options...>, no_observer>;
  using affinity = detail::first<tag::affinity, pack<Options...>, unpinned>;
  using device_option = detail::first<tag::device, pack<Options...>, no_device>;
  using collectives_option = detail::first<tag::collectives, pack<Options...>, no_collectives>;
  using settings = typename detail::joined<typename device_option::settings,
                                           typename collectives_option::settings>::type;
  using machine =
      detail::machine<Schedule, pace, waiting, watcher, device_option, collectives_option>;
  using position = typename machine::position;
  using hosts = typename machine::hosts;
  static constexpr const auto& plan = machine::plan;
  using slot_list = typename detail::declared<Schedule>::results;

 public:
  using schedule = Schedule;
  using source_value = typename detail::declared<Schedule>::source_part::slot::value_type;
  using reference = decltype(detail::result_of(slot_list{}));

 private:
  template <class Source, class Stop>
  using run_with = run_of<pipeline, Source, Stop, source_value>;

 public:
  /// Throws `usage_error` if `cores` or `hosted` ask for what there is not.
  template <class... Task>
  explicit pipeline(Task&&... tasks)
      : machine_(detail::make_tasks<Schedule, settings>(
                     typename detail::declared<Schedule>::tasks{}, std::forward<Task>(tasks)...),
                 std::tuple<const std::remove_reference_t<Task>&...>(tasks...)),
        cores_of_groups_(
            detail::cores_of_groups(detail::setting<cores>(tasks...), plan.thread_names)),
        hosted_(detail::setting<hosted>(tasks...), plan.thread_names, plan.workers) {
    using diagnostic = decltype(detail::objects_diagnostic<Schedule, settings>(
        typename detail::declared<Schedule>::tasks{}, pack<Task...>{}));
    static_cast<void>(detail::emit_error<diagnostic>::value);
    if constexpr (machine::observed) {
      if constexpr (detail::observes_streams<watcher>) {
        machine_.observer.attached(machine::hosts::names, plan.names, detail::streams_of<Schedule>);
      } else {
        machine_.observer.attached(machine::hosts::names, plan.names);
      }
      if constexpr (detail::observes_device<watcher, typename machine::device_type>)
        for (const std::string_view name : detail::declared<Schedule>::value.streams)
          machine_.observer.stream_made(name, machine_.device.stream(name));
    }
  }
  pipeline(const pipeline&) = delete;
  pipeline& operator=(const pipeline&) = delete;
  /// Ends a run that is still there, as leaving it does.
  ~pipeline() {
    if (active_ != nullptr) hosted_.end_run_of_dying(*active_);
  }

  /// Starts a run over \p source: an input range, a callable returning `std::optional`, or a
  /// callable `bool(T&)` that fills the slot. Pulls nothing yet. The run yields one result per
  /// batch, in order; an lvalue source is referred to, an rvalue is kept in the run.
  ///
  /// Throws `usage_error` while another run of this pipeline exists, and after a task failed until
  /// `reset()`. Leaving a run early abandons the batches in flight; the next run starts afresh.
  template <source_of<source_value> Source>
  [[nodiscard]] run_with<Source, detail::unstoppable> run(Source&& source) & {
    return {*this, std::forward<Source>(source), {}};
  }
  /// Runs until a stop is requested by \p token, a `std::stop_token` or the like. It is asked
  /// before each batch is pulled; once it says so nothing more is pulled, and what is in flight
  /// goes through. The run then ends as if the source had; `report()` tells the difference. An
  /// lvalue token is referred to, an rvalue is kept in the run.
  template <source_of<source_value> Source, stoppable_token Token>
  [[nodiscard]] run_with<Source, Token> run(Source&& source, Token&& token) & {
    return {*this, std::forward<Source>(source), std::forward<Token>(token)};
  }
  /// Runs with `cancel_on(token)`: every thread asks before each task. Once a stop is
  /// requested no more tasks start; tasks that are running run to their end. Results that are
  /// complete by then are handed out, then the run ends; `report()` says what was in flight.
  template <source_of<source_value> Source, class Token>
  [[nodiscard]] run_with<Source, detail::cancelling<Token>> run(Source&& source,
                                                                detail::cancelling<Token> stop) & {
    return {*this, std::forward<Source>(source), std::move(stop)};
  }
  /// Of what is not a source: a compile error that says what it yields and what the slot takes.
  template <class Source>
  [[nodiscard]] detail::no_run_of<Schedule> run(Source&&) & {
    using slot = typename detail::declared<Schedule>::source_part::slot;
    static_cast<void>(
        detail::emit_error<decltype(detail::source_diagnostic<Source, slot>())>::value);
    return {};
  }
  template <class Source, class Stop>
  [[nodiscard]] detail::no_run_of<Schedule> run(Source&&, Stop&&) & {
    using slot = typename detail::declared<Schedule>::source_part::slot;
    static_cast<void>(detail::emit_error<
                      decltype(detail::run_arguments_diagnostic<Source, slot, Stop>())>::value);
    return {};
  }

  /// Of a pipeline that is gone before its run is: a compile error.
  template <class... Given>
  [[nodiscard]] detail::no_run_of<Schedule> run(Given&&...) && {
    static_cast<void>(detail::emit_error<detail::temporary_pipeline<pipeline>>::value);
    return {};
  }

  /// Runs the tasks of thread group \p group, which was named in `hosted`, on the calling thread
  /// for one run: waits until a run begins, and returns true when the group has nothing left to do
  /// in it, however it ends. A group with workers wants as many threads. No batch is pulled before
  /// all hosts are there. False if the pipeline is destroyed before there is a run.
  ///
  /// May be called by several threads at once, and while a run is made and used by another. Throws
  /// `usage_error` if the pipeline has no such group or a thread of its own for it, if the group
  /// has its hosts already, and on the thread that made the run that is active.
  bool host(std::string_view group) { return host(group, detail::never_stopped()); }
  /// Lends the calling thread until a stop is requested by \p token; false if that happens before a
  /// run begins. In a run the thread stays to its end.
  template <stoppable_token Token>
  bool host(std::string_view group, const Token& token) {
    const std::size_t seat = hosted_.take(group);
    if (!hosted_.await_run(seat, token)) return false;
    run_on_caller(seat);
    hosted_.leave(seat);
    return true;
  }

  /// Makes the pipeline usable again after a failure, and releases what the slots hold of batches
  /// that did not get through: their values are destroyed, and made anew by the next run. (Those
  /// that a device made stay.) Tasks keep the state they have.
  /// Throws `usage_error` while a run exists.
  void reset() {
    if (active_ != nullptr)
      throw usage_error("a run of this pipeline is still there: end it before reset()");
    machine_.release_slots();
    failed_ = false;
  }

  /// What became of the batches of the latest run that stopped: ended, was left or failed.
  const run_report& report() const { return report_; }

  /// The value that a slot holds of a batch that was pulled and not handed out, once its run has
  /// stopped and until the next one begins or `reset()` releases it: a promise to break, a handle
  /// to give back. Null if no task had filled the slot for that batch, or if a later batch has its
  /// copy by now. Throws `usage_error` while a run exists.
  template <class Slot>
  typename Slot::value_type* recover(std::size_t batch) {
    constexpr std::size_t s = detail::number_of_slot<Schedule, Slot>;
    static_assert(s < detail::slots_of<Schedule>::type::size, "no slot of this schedule");
    if (active_ != nullptr)
      throw usage_error("a run of this pipeline is still there: end it before recover()");
    if (!report_.holds(batch) || !accounting().holds(plan.fillers[s], batch, plan.copies[s]))
      return nullptr;
    return detail::address_of(
        detail::copy_in<Slot, plan.copies[s], Schedule>(machine_.memory, batch).value);
  }

  /// A task of the pipeline.
  template <class Task>
  Task& task() {
    return [&]<class... Type>(pack<Type...>) -> Task& {
      constexpr std::size_t node =
          detail::first_true(std::array<bool, sizeof...(Type)>{std::is_same_v<Task, Type>...});
      static_assert(node < sizeof...(Type), "no task of this schedule");
      return machine_.template task<node>();
    }(typename detail::declared<Schedule>::tasks{});
  }

  watcher& observer() { return machine_.observer; }

  /// The device that the pipeline's streams are on.
  auto& device() { return machine_.device; }

 private:
  template <class, class, class, class>
  friend class run_of;
  using chain = detail::chain<machine, 0>;
  using pull = detail::erased_pull<source_value>;
  static constexpr bool caller_pulls = plan.thread_of[plan.pull] == 0;
  /// Whether the user's work on a result is in the order of a stream, and so goes on when the user
  /// asks for the next.
  static constexpr bool results_on_stream = [] {
    if constexpr (machine::submits) {
      return machine::device_type::results_on_stream;
    } else {
      return false;
    }
  }();

  /// Refuses a run, if need be, before its source is touched.
  pipeline& admit() {
    if (active_ != nullptr)
      throw usage_error("a second run was started while one is active: end or leave the first one");
    if (failed_)
      throw usage_error("the pipeline stopped on an error (see report()): call reset() first");
    return *this;
  }

  /// For the run that \p by stands for.
  void begin(detail::active_run& by) {
    detail::restart(report_, machine::hosts::count);
    if constexpr (results_on_stream) settle_results();  // of a run whose end nobody waited for
    machine_.restart();
    if (cores_.empty())
      cores_ = detail::cores_of_hosts(cores_of_groups_, plan.workers, affinity::pins);
    if constexpr (!machine::alone)
      if (!team_) team_.emplace(work_.job(), hosts::names, cores_, hosted_);
    // Behind what may not be had here: other ranks count on this one from now on.
    if constexpr (machine::collects) machine_.collectives.begin_run();
    at_.restart(machine_.memory);
    if (!cores_.empty()) detail::pinned_threads::hold(&by, cores_[0]);
    hosted_.run_made();
    active_ = &by;
  }

  /// Has the calling thread take part in a run.
  // NOLINTBEGIN(bugprone-unchecked-optional-access)
  void run_on_caller([[maybe_unused]] std::size_t seat) {
    if constexpr (machine::submits && !machine::alone) {
      [[maybe_unused]] const auto device = machine_.device.keep_current_device();
      team_->run_on_caller(seat);
    } else if constexpr (!machine::alone) {
      team_->run_on_caller(seat);
    }
  }
  // NOLINTEND(bugprone-unchecked-optional-access)

  static constexpr std::size_t deliver_lag() { return plan.lag[plan.deliver]; }

  // What a run asks for. The team is there from the first run on.
  // NOLINTBEGIN(bugprone-unchecked-optional-access)

  /// Has whoever pulls take batches from \p source.
  template <class Value, class Source>
  void pull_from(Source& source) {
    if constexpr (!caller_pulls)
      work_.pull_from({detail::address_of(source), [](void* from, Value& slot) {
                         return (*static_cast<Source*>(from))(slot);
                       }});
  }
  /// Sets the threads going on a run, when all user threads are there. False if a stop is
  /// requested before: \p stop is what to ask.
  template <class Stop>
  bool set_going([[maybe_unused]] Stop& stop) {
    if constexpr (!machine::alone) {
      if (!hosted_.fill(stop)) return false;
      team_->begin();
      hosted_.begin();
    }
    return true;
  }
  /// The run is over. Its thread runs where it did before.
  void end_run(const detail::active_run& run) {
    active_ = nullptr;
    hosted_.run_gone();
    if (!cores_.empty()) detail::pinned_threads::release(&run);
  }
  /// Waits until every thread has left the run, and what they submitted is done.
  void join_run() {
    if constexpr (!machine::alone) team_->join_run();
    if constexpr (machine::submits) outcome_.settle_tasks(machine_.device, results_on_stream);
    if constexpr (machine::submits && machine::collects)
      if constexpr (requires { machine_.collectives.lost(); })
        if (std::exception_ptr aborted = machine_.collectives.lost())
          outcome_.ended_by(std::move(aborted));
  }
  // NOLINTEND(bugprone-unchecked-optional-access)

  /// Waits for what the user has put on the stream of the results.
  void settle_results()
    requires results_on_stream
  {
    outcome_.settle_results(machine_.device);
  }
  /// Settles the last result of a run. Whether something of it failed; then the report says so.
  bool settle_last_result()
    requires results_on_stream
  {
    if (!outcome_.settle_last_result(machine_.device, report_)) return false;
    return failed_ = true;
  }

  /// Waits, if another thread pulls, until it is known whether the source ended with the pull of
  /// the batch that would be through next.
  void await_earlier_pulls() {
    if constexpr (!caller_pulls && plan.max_lookahead > 0)
      machine_.signal_of(plan.pull, 0)
          .await(at_.epoch() + 1 - static_cast<std::uint32_t>(plan.max_lookahead));
  }

  /// What the batch yields that got through last; \p number tells its number.
  template <class Number>
  reference yielded(Number number) {
    return result_as(number, slot_list{});
  }
  template <class Number, class... Slot>
  reference result_as([[maybe_unused]] Number number, pack<Slot...>) {
    if constexpr (sizeof...(Slot) == 0) {
      return number();
    } else if constexpr (sizeof...(Slot) == 1) {
      return (at_.now().template value<Slot, deliver_lag()>(machine_.memory), ...);
    } else {
      return reference{at_.now().template value<Slot, deliver_lag()>(machine_.memory)...};
    }
  }

  /// The run's threads have left it.
  [[gnu::noinline, gnu::cold]] void write_report(const detail::ending& how) noexcept {
    detail::tell(report_, accounting(), how);
    if constexpr (machine::submits) outcome_.tell(report_, how.delivered);
    if constexpr (machine::collects) tell_peers();
    failed_ = !report_.failures.empty();
  }
  void tell_peers() noexcept {
    try {
      if (report_.end != run_end::completed && report_.end != run_end::drained)
        return machine_.collectives.failed(report_);
      if (std::exception_ptr apart = machine_.collectives.finished(report_.finished))
        detail::fail_at_end(report_, std::move(apart));
    } catch (...) {
      detail::fail_at_end(report_, std::current_exception());
    }
  }
  detail::run_accounting accounting() const {
    // A variable, because nvcc cannot print it as an argument.
    const detail::run_accounting all{
        plan.names,        plan.order,       plan.lag,
        plan.thread_of,    plan.chained,     plan.chains,
        plan.workers,      machine_.stopped, detail::places_of<Schedule>,
        machine_.batches()};
    return all;
  }

  machine machine_;
  position at_;  ///< of the calling thread
  planner::list<detail::core_set> cores_of_groups_;
  planner::list<detail::core_set> cores_;  ///< by host thread, from the first run on
  [[no_unique_address]] std::conditional_t<machine::alone, detail::no_work,
                                           detail::team_work<machine, pull>>
      work_{machine_};
  std::optional<std::conditional_t<machine::alone, detail::no_crew, detail::thread_team>> team_;
  detail::hosted_threads hosted_;  ///< after all that whoever sits there uses
  run_report report_;
  detail::device_outcome outcome_;
  detail::active_run* active_ = nullptr;
  bool failed_ = false;
};

/// A schedule that cannot be run: a compile error that says why, and no other.
template <class Schedule, class... Options>
  requires(!detail::runnable<Schedule, detail::first<tag::device, pack<Options...>, no_device>,
                             detail::first<tag::collectives, pack<Options...>, no_collectives>>)
class pipeline<Schedule, Options...>
    : public detail::not_a_pipeline<Schedule,
                                    detail::first<tag::observer, pack<Options...>, no_observer>> {
  using diagnostic = decltype(detail::run_diagnostic<
                              Schedule, detail::first<tag::device, pack<Options...>, no_device>,
                              detail::first<tag::collectives, pack<Options...>, no_collectives>>());
  static_assert(!detail::emit_error<diagnostic>::value);

 public:
  using pipeline::not_a_pipeline::not_a_pipeline;
};

}  // namespace stretto
