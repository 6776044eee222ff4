// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <stretto/declare/pack.hpp>
#include <stretto/dynamic/execute/executor.hpp>
#include <stretto/dynamic/execute/machine.hpp>
#include <stretto/dynamic/values/concat.hpp>
#include <stretto/dynamic/values/result.hpp>
#include <stretto/dynamic/values/schedule.hpp>
#include <stretto/dynamic/values/source.hpp>
#include <stretto/observe/observer.hpp>
#include <stretto/plan/derive/threads.hpp>
#include <stretto/plan/model/declaration.hpp>
#include <stretto/run/backend.hpp>
#include <stretto/run/error.hpp>
#include <stretto/run/not_a_run.hpp>
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
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace stretto::dynamic {

/// Runs a schedule that is a value: what `stretto::pipeline` does, with a table in place of code
/// that the compiler unrolls.
///
/// `Options` are those of `stretto::pipeline`, given as types (`pipeline<barrier, spin>`) or as
/// arguments (`pipeline p(schedule, barrier{}, spin{})`): how threads keep pace, a wait strategy,
/// an observer, `pinned`, a device that the streams are on, collectives; and `cores` and
/// `attached_threads` as arguments before them. The pipeline keeps the schedule with its bodies.
/// Threads start with the first run and live as long as the pipeline, which stays where it is made.
template <class... Options>
class pipeline {
  // Whatever it says: the error is the diagnostic's.
  static_assert(
      errors::emit_error<decltype(runner::options_diagnostic<void, Options...>())>::value || true);
  using pace = declare::first<tag::pace, pack<Options...>, run_ahead>;
  using waiting = declare::first<tag::waiting, pack<Options...>, spin_then_sleep<>>;
  using watcher = declare::first<tag::observer, pack<Options...>, no_observer>;
  using affinity = declare::first<tag::affinity, pack<Options...>, unpinned>;
  using device_option = declare::first<tag::device, pack<Options...>, no_device>;
  using collectives_option = declare::first<tag::collectives, pack<Options...>, no_collectives>;
  using settings = typename declare::joined<typename device_option::settings,
                                            typename collectives_option::settings>::type;
  using all_settings = typename declare::joined<settings, pack<cores, attached_threads>>::type;
  using machine = detail::machine<pace, waiting, watcher, device_option, collectives_option>;
  using executor = detail::executor<machine, affinity::pins>;
  using session = runner::session<executor>;

  template <class Source, class Stop, class Value>
  using run_with = run_of<session, Source, Stop, Value>;
  template <class Type, class Source>
  using value_from = detail::value_from<Type, Source>;
  template <class Type, class Source>
  using unfit =
      decltype(runner::run_diagnostic<detail::source_slot<value_from<Type, Source>>, Source>());

 public:
  using reference = result;
  /// Why there is no run over a source, for who makes runs of any pipeline; or `errors::no_error`.
  /// `Type` is that of the batches where it is named.
  template <class Source, class Type = detail::told_by_source>
  using why_no_run = unfit<Type, Source>;

  /// Checks and plans \p s, and lays out its tables. Throws `schedule_error` if anything is wrong
  /// with it: a rule that it breaks, a task without a body, a slot that is of two types; and
  /// `usage_error` if \p where asks for cores that there are not, or \p attached for groups.
  explicit pipeline(schedule&& s) : pipeline(std::move(s), std::tuple<>()) {}
  // A schedule that is kept is copied where it is planned, not by every file that has one.
  explicit pipeline(const schedule& s) : pipeline(s, std::tuple<>()) {}
  explicit pipeline(schedule s, const cores& where)
      : pipeline(std::move(s), std::tuple<const cores&>(where)) {}
  explicit pipeline(schedule s, const cores& where, const attached_threads& attached)
      : pipeline(std::move(s), std::tuple<const cores&, const attached_threads&>(where, attached)) {
  }
  /// Makes a pipeline with settings of the device and of collectives, in any order, `cores` and
  /// `attached_threads` among them. Throws `device::error` if the device refuses, `usage_error` if
  /// they ask for what there is not, and what the collectives throw.
  template <class... Given>
    requires((declare::one_of_pack<Given, settings> || ...) &&
             (declare::one_of_pack<Given, all_settings> && ...))
  explicit pipeline(schedule s, const Given&... given)
      : pipeline(std::move(s), std::tuple<const Given&...>(given...)) {}
  template <class... Given>
    requires(sizeof...(Given) > 0 && (declare::is_part<Given> && ...))
  pipeline(schedule s, const cores& where, const attached_threads& attached, const Given&...)
      : pipeline(std::move(s), where, attached) {
    check_options<Given...>();
  }
  template <class... Given>
    requires(sizeof...(Given) > 0 && (declare::is_part<Given> && ...))
  pipeline(schedule s, const cores& where, const Given&...) : pipeline(std::move(s), where) {
    check_options<Given...>();
  }
  template <class... Given>
    requires(declare::is_part<Given> && ...)
  pipeline(schedule s, const attached_threads& attached, const Given&...)
      : pipeline(std::move(s), std::tuple<const attached_threads&>(attached)) {
    if constexpr (sizeof...(Given) > 0) check_options<Given...>();
  }
  template <class... Given>
    requires(sizeof...(Given) > 0 && (declare::is_part<Given> && ...))
  pipeline(schedule s, const Given&...) : pipeline(std::move(s)) {
    check_options<Given...>();
  }
  pipeline(const pipeline&) = delete;
  pipeline& operator=(const pipeline&) = delete;
  /// Ends a run that is still there, as leaving it does.
  ~pipeline() = default;

  /// Starts a run over \p source, as `stretto::pipeline::run` does: a range, a callable returning
  /// `std::optional`, or a callable that fills the slot and returns `bool` or `pulled`. The
  /// batches' type is the source slot's; where the source tells another, or none, say it:
  /// `run<T>(source)`. The run yields a `result` for each batch, in order.
  ///
  /// Throws `usage_error` if the slot is of another type, while another run of this pipeline
  /// exists, and after a task failed until `reset()`.
  template <class Type = detail::told_by_source, class Source>
    requires source_of<Source, value_from<Type, Source>>
  [[nodiscard]] run_with<Source, runner::unstoppable, value_from<Type, Source>> run(
      Source&& source) & {
    check_source(type_of<value_from<Type, Source>>());
    return {session_, std::forward<Source>(source), {}};
  }
  /// Runs until a stop is requested by \p token: nothing more is pulled then, and what is in
  /// flight goes through.
  template <class Type = detail::told_by_source, class Source, stoppable_token Token>
    requires source_of<Source, value_from<Type, Source>>
  [[nodiscard]] run_with<Source, Token, value_from<Type, Source>> run(Source&& source,
                                                                      Token&& token) & {
    check_source(type_of<value_from<Type, Source>>());
    return {session_, std::forward<Source>(source), std::forward<Token>(token)};
  }
  /// Runs with `cancel_on(token)`: no more tasks start once a stop is requested.
  template <class Type = detail::told_by_source, class Source, class Token>
    requires source_of<Source, value_from<Type, Source>>
  [[nodiscard]] run_with<Source, runner::cancelling<Token>, value_from<Type, Source>> run(
      Source&& source, runner::cancelling<Token> stop) & {
    check_source(type_of<value_from<Type, Source>>());
    return {session_, std::forward<Source>(source), std::move(stop)};
  }

  /// Runs from where `onwards` or `from(position)` says, with or without a token as above, before
  /// it or behind it.
  template <class Type = detail::told_by_source, class Source, runner::beginning Where>
    requires source_of<Source, value_from<Type, Source>>
  [[nodiscard]] run_with<Source, runner::unstoppable, value_from<Type, Source>> run(Source&& source,
                                                                                    Where where) & {
    check_source(type_of<value_from<Type, Source>>());
    return {session_, std::forward<Source>(source), {}, where.first(session_)};
  }
  template <class Type = detail::told_by_source, class Source, runner::beginning Where,
            stoppable_token Token>
    requires source_of<Source, value_from<Type, Source>>
  [[nodiscard]] run_with<Source, Token, value_from<Type, Source>> run(Source&& source, Where where,
                                                                      Token&& token) & {
    check_source(type_of<value_from<Type, Source>>());
    return {session_, std::forward<Source>(source), std::forward<Token>(token),
            where.first(session_)};
  }
  template <class Type = detail::told_by_source, class Source, runner::beginning Where, class Token>
    requires source_of<Source, value_from<Type, Source>>
  [[nodiscard]] run_with<Source, runner::cancelling<Token>, value_from<Type, Source>> run(
      Source&& source, Where where, runner::cancelling<Token> stop) & {
    check_source(type_of<value_from<Type, Source>>());
    return {session_, std::forward<Source>(source), std::move(stop), where.first(session_)};
  }
  template <class Type = detail::told_by_source, class Source, class Stop, runner::beginning Where>
    requires(!runner::beginning<std::remove_cvref_t<Stop>> &&
             source_of<Source, value_from<Type, Source>>)
  [[nodiscard]] auto run(Source&& source, Stop&& stop, Where where) & {
    return this->template run<Type>(std::forward<Source>(source), std::move(where),
                                    std::forward<Stop>(stop));
  }

  /// Of what cannot be put into the slot: a compile error that says what it yields.
  template <class Type = detail::told_by_source, class Source, class... Stop,
            auto Why = errors::why<unfit<Type, Source>>>
    requires(!errors::is_no_error<unfit<Type, Source>>)
  STRETTO_REFUSED [[nodiscard]] runner::not_a_run<> run(Source&&, Stop&&...) & {
    static_cast<void>(errors::emit_in_body<unfit<Type, Source>>::value);
    return {};
  }
  /// The results of a run over \p source, to which \p how may add what it may for `run`: a range,
  /// for one loop, and nothing that can be asked of the run in between. Throws as `run` does.
  template <class Type = detail::told_by_source, class Source, class... How>
    requires source_of<Source, value_from<Type, Source>>
  [[nodiscard]] auto results(Source&& source, How&&... how) & {
    const auto make = [&] {
      return this->template run<Type>(std::forward<Source>(source), std::forward<How>(how)...);
    };
    return results_of<decltype(make())>(make);
  }
  template <class Type = detail::told_by_source, class Source, class... How,
            auto Why = errors::why<unfit<Type, Source>>>
    requires(!errors::is_no_error<unfit<Type, Source>>)
  STRETTO_REFUSED [[nodiscard]] runner::not_a_run<> results(Source&&, How&&...) & {
    static_cast<void>(errors::emit_in_body<unfit<Type, Source>>::value);
    return {};
  }

  /// Of a pipeline that is gone before its run is: a compile error.
  template <class Type = detail::told_by_source, class Source, class... Stop,
            auto Why = errors::why<runner::temporary_pipeline<pipeline>>>
  STRETTO_REFUSED [[nodiscard]] auto run(Source&& source, Stop&&... stop) && {
    static_cast<void>(errors::emit_in_body<runner::temporary_pipeline<pipeline>>::value);
    return this->template run<Type>(std::forward<Source>(source), std::forward<Stop>(stop)...);
  }
  /// Of one that is const, or without a source: likewise.
  template <class Type = detail::told_by_source, class... Given,
            auto Why = errors::why<runner::unfit_call<pipeline>>>
  STRETTO_REFUSED [[nodiscard]] runner::not_a_run<> run(Given&&...) const& {
    static_cast<void>(errors::emit_in_body<runner::unfit_call<pipeline>>::value);
    return {};
  }
  template <class Type = detail::told_by_source, class Source, class... How,
            auto Why = errors::why<runner::temporary_pipeline<pipeline>>>
  STRETTO_REFUSED [[nodiscard]] auto results(Source&& source, How&&... how) && {
    static_cast<void>(errors::emit_in_body<runner::temporary_pipeline<pipeline>>::value);
    return this->template results<Type>(std::forward<Source>(source), std::forward<How>(how)...);
  }

  /// Runs the tasks of thread group \p group, which was named in `attached_threads`, on the calling
  /// thread for one run, as `stretto::pipeline::attach` does.
  bool attach(std::string_view group) { return attach(group, runner::never_stopped()); }
  /// Attaches the calling thread until a stop is requested by \p token; false if that happens
  /// before a run begins.
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

  /// The plan that it runs by, and the schedule that it was made of.
  const planned_schedule& plan() const { return session_.executor().machine.plan; }

  /// The callable of a task. Throws `usage_error` if there is no such task, or if its callable is
  /// of another type.
  template <class Function>
  Function& body(std::string_view task) {
    const std::size_t n = plan().node(task);
    const planner::graph& g = plan().plan().resolved;
    Function* const found =
        n < g.tasks ? plan().input().tasks[n].body.template target<Function>() : nullptr;
    if (found == nullptr)
      throw usage_error(detail::joined(
          "the body of task `", task, "` is not of type `", declare::qualified_name<Function>(),
          "`: ask for the type that it was made of (two types may be spelled alike)"));
    return *found;
  }

  /// The value that a slot holds of a batch that was pulled and not handed out, once its run has
  /// stopped and until the next one begins or `reset()` releases it. Null if no task had filled the
  /// slot for that batch, if the one that fills it dropped the batch, or if a later batch has its
  /// copy by now. Throws `usage_error` while a run exists, if there is no such slot, and if it is
  /// of another type.
  template <class Type>
  Type* recover(std::string_view slot, std::size_t batch) {
    session_.refuse_recover_in_run();
    machine& m = session_.machine();
    const std::size_t s = m.slot_named(slot, type_of<Type>());
    const std::size_t filler = plan().plan().fillers[s];
    const std::size_t every = m.slot_list[s].every();
    if (!planner::runs_for(plan().plan().resolved.nodes[filler].runs, batch) ||
        !session_.holds(filler, batch, m.slot_list[s].size() * every) ||
        m.verdicts.dropped(filler, batch))
      return nullptr;
    return static_cast<Type*>(m.slot_list[s].of_batch(batch));
  }

  /// Where the pipeline is after its latest run, as of `stretto::pipeline::position`. Also throws
  /// `usage_error` if a slot that is looked back at is not of one of the types `Type`.
  template <class... Type>
  auto position() {
    using taken = typename runner::position_for<Type...>::type;
    return session_.executor().template taken<taken, Type...>(session_.next_batch());
  }

  /// How many bytes it holds for its slots, every copy and the cache lines around it counted; not
  /// what slots own elsewhere.
  std::size_t memory_bytes() const {
    std::size_t bytes = 0;
    for (const detail::slot_copies& s : session_.executor().machine.slot_list) bytes += s.bytes();
    return bytes;
  }

  /// The thread group that pulls batches; empty if the calling thread does.
  std::string_view pulled_by() const {
    const planner::plan& p = plan().plan();
    const std::size_t puller = p.threads.thread_of[p.resolved.pull()];
    return puller == 0 ? std::string_view() : std::string_view(p.threads.names[puller]);
  }

  watcher& observer() { return session_.machine().observer; }

  /// The device that the pipeline's streams are on.
  auto& device()
    requires(machine::submits)
  {
    return session_.machine().device;
  }

 private:
  template <class Schedule, class... Given>
  pipeline(Schedule&& s, const std::tuple<const Given&...>& given)
      : session_(runner::setting_if_given<cores>(given),
                 runner::setting_if_given<attached_threads>(given), std::forward<Schedule>(s),
                 given) {
    if constexpr (machine::observed) {
      const executor& e = session_.executor();
      const planner::graph& g = plan().plan().resolved;
      if constexpr (observe::observes_streams<watcher>) {
        std::vector<std::string_view> streams(g.nodes.size());
        for (std::size_t n = 0; n < g.tasks; ++n) streams[n] = plan().declaration().tasks[n].stream;
        observer().attached(e.host_names(), e.node_names(), streams);
      } else {
        observer().attached(e.host_names(), e.node_names());
      }
      if constexpr (observe::observes_rates<watcher>) {
        std::vector<std::size_t> every;
        std::vector<std::size_t> phase;
        for (const planner::node& n : g.nodes) {
          every.push_back(static_cast<std::size_t>(n.runs.every));
          phase.push_back(static_cast<std::size_t>(n.runs.phase));
        }
        observer().rates(every, phase);
      }
      if constexpr (observe::observes_plan<watcher, std::remove_cvref_t<decltype(plan())>>)
        observer().planned(plan());
      if constexpr (runner::replaces_bodies<watcher>) tell_of_bodies(e.machine);
      if constexpr (observe::observes_device<watcher, typename machine::device_type>)
        for (const std::string_view name : g.streams)
          observer().stream_made(name, device().stream(name));
      if constexpr (observe::works_on_device<watcher, typename machine::device_type>) {
        static_assert(
            !machine::replays,
            "this observer times tasks one by one, and graphs launch several of them at "
            "once: watch the pipeline without graphs (`st::on_cuda`), where tasks put the "
            "same work on the same streams");
        observer().device_made(device(), plan().plan().in_flight());
      }
    }
  }

  /// Tells an observer that may stand in for bodies of all tasks.
  void tell_of_bodies(const machine& of) {
    const planner::declaration& d = plan().declaration();
    const planner::graph& g = plan().plan().resolved;
    for (std::size_t n = 0; n < g.tasks; ++n) {
      const auto& called = plan().input().tasks[n].body;
      runner::replaceable_task task;
      task.number = n;
      task.declared = &d.tasks[n];
      task.type = {called.callable().address(), {}};
      task.object = called.object();
      task.is_const = called.shareable();
      task.is_shared = planner::shared_by_workers(d, n);
      for (std::size_t w = g.nodes[n].writes.first; w < g.nodes[n].writes.last; ++w) {
        const std::size_t slot = g.writes[w].slot;
        const slot_type& held = of.slot_list[slot].type();
        task.writes.push_back({g.slot_list[slot].text, {held.identity.address(), held.name}});
      }
      observer().replaces(task, d);
    }
  }

  template <class... Given>
  static void check_options() {
    static_assert(std::is_same_v<pack<Given...>, pack<Options...>>,
                  "say the options as types or as arguments, not both");
  }

  void check_source(const slot_type& yielded) const {
    session_.executor().machine.check_source(yielded);
  }

  session session_;
};

template <class... Given>
  requires(declare::is_part<Given> && ...)
pipeline(schedule, Given...) -> pipeline<Given...>;
template <class... Given>
  requires(declare::is_part<Given> && ...)
pipeline(schedule, cores, Given...) -> pipeline<Given...>;
template <class... Given>
  requires(declare::is_part<Given> && ...)
pipeline(schedule, attached_threads, Given...) -> pipeline<Given...>;
template <class... Given>
  requires(declare::is_part<Given> && ...)
pipeline(schedule, cores, attached_threads, Given...) -> pipeline<Given...>;

}  // namespace stretto::dynamic
