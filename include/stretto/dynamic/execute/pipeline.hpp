// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <stretto/declare/pack.hpp>
#include <stretto/dynamic/execute/chain.hpp>
#include <stretto/dynamic/execute/machine.hpp>
#include <stretto/dynamic/values/concat.hpp>
#include <stretto/dynamic/values/result.hpp>
#include <stretto/dynamic/values/schedule.hpp>
#include <stretto/dynamic/values/source.hpp>
#include <stretto/observe/observer.hpp>
#include <stretto/run/accounting.hpp>
#include <stretto/run/active_run.hpp>
#include <stretto/run/backend.hpp>
#include <stretto/run/device_outcome.hpp>
#include <stretto/run/error.hpp>
#include <stretto/run/not_a_run.hpp>
#include <stretto/run/options_misuse.hpp>
#include <stretto/run/pace.hpp>
#include <stretto/run/report.hpp>
#include <stretto/run/run.hpp>
#include <stretto/run/source.hpp>
#include <stretto/run/source_misuse.hpp>
#include <stretto/run/stop.hpp>
#include <stretto/run/temporary_misuse.hpp>
#include <stretto/run/threads/affinity.hpp>
#include <stretto/run/threads/hosted_threads.hpp>
#include <stretto/run/threads/thread_team.hpp>
#include <string>
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
/// an observer, `pinned`, a device that the streams are on; and `cores` and `hosted` as arguments
/// before them. The pipeline keeps the schedule with its bodies. Threads start with the first run
/// and live as long as the pipeline, which stays where it is made.
template <class... Options>
class pipeline {
  // Whatever it says: the error is the diagnostic's.
  static_assert(stretto::detail::emit_error<
                    decltype(stretto::detail::options_diagnostic<void, Options...>())>::value ||
                true);
  using pace = stretto::detail::first<tag::pace, pack<Options...>, run_ahead>;
  using waiting = stretto::detail::first<tag::waiting, pack<Options...>, spin_then_sleep<>>;
  using watcher = stretto::detail::first<tag::observer, pack<Options...>, no_observer>;
  using affinity = stretto::detail::first<tag::affinity, pack<Options...>, unpinned>;
  using device_option = stretto::detail::first<tag::device, pack<Options...>, no_device>;
  using settings = typename device_option::settings;
  using all_settings = typename stretto::detail::joined<settings, pack<cores, hosted>>::type;
  static_assert(!device_option::replays,
                "the runtime version calls bodies in every progress: graphs are for pipelines of "
                "types, this one takes the device without them");
  static_assert(
      std::is_same_v<stretto::detail::first<tag::collectives, pack<Options...>, void>, void>,
      "collectives are for pipelines of types: in the runtime version bodies call them");
  using machine = detail::machine<pace, waiting, watcher, device_option>;
  using chain = detail::chain<machine>;
  using position = typename machine::position;

  template <class Source, class Stop, class Value>
  using run_with = run_of<pipeline, Source, Stop, Value>;
  template <class Type, class Source>
  using value_from = detail::value_from<Type, Source>;

 public:
  using reference = result;

  /// Checks and plans \p s, and lays out its tables. Throws `schedule_error` if anything is wrong
  /// with it: a rule that it breaks, a task without a body, a slot that is of two types; and
  /// `usage_error` if \p where asks for cores that there are not, or \p lent for groups.
  explicit pipeline(schedule s, cores where = {}, const hosted& lent = {})
      : pipeline(std::move(s), std::tuple<const cores&, const hosted&>(where, lent)) {}
  /// Makes a pipeline with settings of the device, in any order, `cores` and `hosted` among them.
  /// Throws `device::error` if the device refuses, `usage_error` if they ask for what there is not.
  template <class... Given>
    requires((stretto::detail::one_of_pack<Given, settings> || ...) &&
             (stretto::detail::one_of_pack<Given, all_settings> && ...))
  explicit pipeline(schedule s, const Given&... given)
      : pipeline(std::move(s), std::tuple<const Given&...>(given...)) {}
  template <class... Given>
    requires(sizeof...(Given) > 0 && (stretto::detail::is_part<Given> && ...))
  pipeline(schedule s, cores where, const hosted& lent, const Given&...)
      : pipeline(std::move(s), std::move(where), lent) {
    static_assert(std::is_same_v<pack<Given...>, pack<Options...>>,
                  "say the options as types or as arguments, not both");
  }
  template <class... Given>
    requires(sizeof...(Given) > 0 && (stretto::detail::is_part<Given> && ...))
  pipeline(schedule s, cores where, const Given&... given)
      : pipeline(std::move(s), std::move(where), hosted(), given...) {}
  template <class... Given>
    requires(stretto::detail::is_part<Given> && ...)
  pipeline(schedule s, const hosted& lent, const Given&... given)
      : pipeline(std::move(s), cores(), lent, given...) {}
  template <class... Given>
    requires(sizeof...(Given) > 0 && (stretto::detail::is_part<Given> && ...))
  pipeline(schedule s, const Given&... given)
      : pipeline(std::move(s), cores(), hosted(), given...) {}
  pipeline(const pipeline&) = delete;
  pipeline& operator=(const pipeline&) = delete;
  /// Ends a run that is still there, as leaving it does.
  ~pipeline() {
    if (active_ != nullptr) hosted_.end_run_of_dying(*active_);
  }

  /// Starts a run over \p source, as `stretto::pipeline::run` does: a range, a callable returning
  /// `std::optional`, or a callable `bool(T&)` that fills the slot. The batches' type is the source
  /// slot's; where the source tells another, or none, say it: `run<T>(source)`. The run yields a
  /// `result` for each batch, in order.
  ///
  /// Throws `usage_error` if the slot is of another type, while another run of this pipeline
  /// exists, and after a task failed until `reset()`.
  template <class Type = detail::told_by_source, class Source>
    requires source_of<Source, value_from<Type, Source>>
  [[nodiscard]] run_with<Source, stretto::detail::unstoppable, value_from<Type, Source>> run(
      Source&& source) & {
    check_source(type_of<value_from<Type, Source>>());
    return {*this, std::forward<Source>(source), {}};
  }
  /// Runs until a stop is requested by \p token: nothing more is pulled then, and what is in
  /// flight goes through.
  template <class Type = detail::told_by_source, class Source, stoppable_token Token>
    requires source_of<Source, value_from<Type, Source>>
  [[nodiscard]] run_with<Source, Token, value_from<Type, Source>> run(Source&& source,
                                                                      Token&& token) & {
    check_source(type_of<value_from<Type, Source>>());
    return {*this, std::forward<Source>(source), std::forward<Token>(token)};
  }
  /// Runs with `cancel_on(token)`: no more tasks start once a stop is requested.
  template <class Type = detail::told_by_source, class Source, class Token>
    requires source_of<Source, value_from<Type, Source>>
  [[nodiscard]] run_with<Source, stretto::detail::cancelling<Token>, value_from<Type, Source>> run(
      Source&& source, stretto::detail::cancelling<Token> stop) & {
    check_source(type_of<value_from<Type, Source>>());
    return {*this, std::forward<Source>(source), std::move(stop)};
  }

  /// Of what cannot be put into the slot: a compile error that says what it yields.
  template <class Type = detail::told_by_source, class Source, class... Stop>
    requires(!source_of<Source, value_from<Type, Source>>)
  [[nodiscard]] stretto::detail::not_a_run<> run(Source&&, Stop&&...) & {
    using slot = detail::source_slot<value_from<Type, Source>>;
    static_cast<void>(stretto::detail::emit_error<
                      decltype(stretto::detail::source_diagnostic<Source, slot>())>::value);
    return {};
  }
  /// Of a pipeline that is gone before its run is: a compile error.
  template <class Type = detail::told_by_source, class Source, class... Stop>
  [[nodiscard]] auto run(Source&& source, Stop&&... stop) && {
    using diagnostic = stretto::detail::temporary_pipeline<pipeline>;
    static_cast<void>(stretto::detail::emit_error<diagnostic>::value);
    return this->template run<Type>(std::forward<Source>(source), std::forward<Stop>(stop)...);
  }

  /// Runs the tasks of thread group \p group, which was named in `hosted`, on the calling thread
  /// for one run, as `stretto::pipeline::host` does.
  bool host(std::string_view group) { return host(group, stretto::detail::never_stopped()); }
  /// Lends the calling thread until a stop is requested by \p token; false if that happens before a
  /// run begins.
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

  /// The plan that it runs by, and the schedule that it was made of.
  const planned_schedule& plan() const { return machine_.plan; }

  /// The callable of a task. Throws `usage_error` if there is no such task, or if its callable is
  /// of another type.
  template <class Function>
  Function& body(std::string_view task) {
    const std::size_t n = machine_.plan.node(task);
    const planner::graph& g = machine_.plan.plan().resolved;
    Function* const found =
        n < g.tasks ? machine_.plan.input().tasks[n].body.template target<Function>() : nullptr;
    if (found == nullptr)
      throw usage_error(detail::joined(
          "the body of task `", task, "` is not of type `",
          stretto::detail::qualified_name<Function>(),
          "`: ask for the type that it was made of (two types may be spelled alike)"));
    return *found;
  }

  /// The value that a slot holds of a batch that was pulled and not handed out, once its run has
  /// stopped and until the next one begins or `reset()` releases it. Null if no task had filled the
  /// slot for that batch, or if a later batch has its copy by now. Throws `usage_error` while a run
  /// exists, if there is no such slot, and if it is of another type.
  template <class Type>
  Type* recover(std::string_view slot, std::size_t batch) {
    if (active_ != nullptr)
      throw usage_error("a run of this pipeline is still there: end it before recover()");
    const std::size_t s = machine_.slot_named(slot, type_of<Type>());
    if (!report_.holds(batch)) return nullptr;
    if (!accounting().holds(machine_.plan.plan().fillers[s], batch, machine_.slot_list[s].size()))
      return nullptr;
    return static_cast<Type*>(machine_.slot_list[s].of_batch(batch));
  }

  /// How many bytes it holds for its slots, every copy and the cache lines around it counted; not
  /// what slots own elsewhere.
  std::size_t memory_bytes() const {
    std::size_t bytes = 0;
    for (const detail::slot_copies& s : machine_.slot_list) bytes += s.bytes();
    return bytes;
  }

  watcher& observer() { return machine_.observer; }

  /// The device that the pipeline's streams are on.
  auto& device()
    requires(machine::submits)
  {
    return machine_.device;
  }

 private:
  template <class, class, class, class>
  friend class stretto::run_of;

  template <class... Given>
  pipeline(schedule s, const std::tuple<const Given&...>& given)
      : machine_(std::move(s), given),
        cores_of_groups_(stretto::detail::cores_of_groups(
            stretto::detail::setting_or_default<cores>(given), machine_.plan.plan().threads.names)),
        hosted_(stretto::detail::setting_or_default<hosted>(given),
                machine_.plan.plan().threads.names, machine_.plan.plan().threads.workers) {
    for (const std::string& host : machine_.names) host_names_.push_back(host);
    const planner::graph& g = machine_.plan.plan().resolved;
    for (std::size_t n = 0; n < g.nodes.size(); ++n)
      node_names_.push_back(machine_.plan.name_of(n));
    results_.owner = "the result of a batch";
    for (std::size_t i = g.nodes[g.deliver()].reads.first; i < g.nodes[g.deliver()].reads.last;
         ++i) {
      const std::size_t slot = g.reads[i].slot;
      result_slots_.push_back(&machine_.slot_list[slot]);
      results_.named.push_back({g.slot_list[slot].text, &machine_.slot_list[slot].type(), true});
    }
    result_row_.resize(result_slots_.size());
    if constexpr (stretto::detail::observes_streams<watcher>) {
      std::vector<std::string_view> streams(g.nodes.size());
      for (std::size_t n = 0; n < g.tasks; ++n)
        streams[n] = machine_.plan.declaration().tasks[n].stream;
      machine_.observer.attached(host_names_, node_names_, streams);
    } else if constexpr (machine::observed) {
      machine_.observer.attached(host_names_, node_names_);
    }
    if constexpr (stretto::detail::observes_device<watcher, typename machine::device_type>)
      for (const std::string_view name : g.streams)
        machine_.observer.stream_made(name, machine_.device.stream(name));
  }

  void check_source(const slot_type& given) const {
    const detail::slot_copies& slot = machine_.slot_list[machine_.plan.plan().resolved.source_slot];
    if (given == slot.type()) return;
    throw usage_error(detail::joined(
        "the source yields `", given.name, "`, but slot `", machine_.plan.input().source.slot,
        "` holds ", given.name == slot.type().name ? "another type spelled `" : "`",
        slot.type().name,
        "`, as the tasks take it; let them take what the source yields, or, where it "
        "can be put into that, name the slot's type: run<T>(source)"));
  }

  // What a run asks for: see run/run.hpp.

  /// Refuses a run, if need be, before its source is touched.
  pipeline& admit() {
    if (active_ != nullptr)
      throw usage_error("a second run was started while one is active: end or leave the first one");
    if (failed_)
      throw usage_error("the pipeline stopped on an error (see report()): call reset() first");
    return *this;
  }
  /// For the run that \p by stands for.
  void begin(stretto::detail::active_run& by) {
    stretto::detail::restart(report_, machine_.hosts.size());
    if constexpr (machine::submits) settle_results();  // of a run whose end nobody waited for
    machine_.restart();
    at_.restart(machine_.hosts.front());
    if (cores_.empty())
      cores_ = stretto::detail::cores_of_hosts(
          cores_of_groups_, machine_.plan.plan().threads.workers, affinity::pins);
    if (!machine_.alone && !team_)
      team_.emplace(stretto::detail::thread_team::job{&machine_, &work}, host_names_, cores_,
                    hosted_);
    if (!cores_.empty()) stretto::detail::pinned_threads::hold(&by, cores_[0]);
    hosted_.run_made();
    active_ = &by;
  }
  /// A host thread's part of a run.
  static void work(void* owner, std::size_t host) {
    machine& m = *static_cast<machine*>(owner);
    position at;
    at.restart(m.hosts[host]);
    at.skip(m.hosts[host].worker);
    chain::run(m, at);
  }

  template <class Value, class Source>
  void pull_from(Source& source) {
    machine_.feed = {std::addressof(source), [](void* from, void* slot) {
                       return (*static_cast<Source*>(from))(*static_cast<Value*>(slot));
                     }};
  }
  template <class Stop>
  bool set_going(Stop& stop) {
    if (!team_) return true;
    if (!hosted_.fill(stop)) return false;
    team_->begin();
    hosted_.begin();
    return true;
  }
  void end_run(const stretto::detail::active_run& run) {
    active_ = nullptr;
    hosted_.run_gone();
    if (!cores_.empty()) stretto::detail::pinned_threads::release(&run);
  }
  void join_run() {
    if (team_) team_->join_run();
    if constexpr (machine::submits) outcome_.settle_tasks(machine_.device, results_on_stream());
  }

  /// Has the calling thread take part in a run.
  void run_on_caller(std::size_t seat) {
    if constexpr (machine::submits) {
      [[maybe_unused]] const auto device = machine_.device.keep_current_device();
      team_->run_on_caller(seat);
    } else {
      team_->run_on_caller(seat);
    }
  }

  /// Whether the user's work on a result is in the order of a stream, and so goes on when the user
  /// asks for the next.
  bool results_on_stream() const { return machine_.device.on_stream(machine_.deliver()); }
  /// Waits for what the user has put on the stream of the results.
  void settle_results()
    requires machine::submits
  {
    if (!results_on_stream()) return;
    outcome_.settle_results(machine_.device);
  }
  /// Settles the last result of a run. Whether something of it failed; then the report says so.
  bool settle_last_result()
    requires machine::submits
  {
    if (!results_on_stream()) return false;
    if (!outcome_.settle_last_result(machine_.device, report_)) return false;
    return failed_ = true;
  }

  void await_earlier_pulls() {
    const int deepest = machine_.plan.plan().resolved.max_lookahead;
    if (machine_.pulled != nullptr && deepest > 0)
      machine_.pulled->await(at_.epoch() + 1 - static_cast<std::uint32_t>(deepest));
  }
  std::size_t deliver_lag() const { return machine_.deliver_lag(); }

  template <class Number>
  result yielded(Number) {
    const std::size_t batch = at_.progress() - deliver_lag();
    const std::vector<void*>& rows = machine_.hosts.front().results;
    if (!rows.empty()) [[likely]]
      return {results_, rows.data() + at_.turn() * result_slots_.size(), batch};
    for (std::size_t i = 0; i < result_slots_.size(); ++i)
      result_row_[i] = result_slots_[i]->of_batch(batch);
    return {results_, result_row_.data(), batch};
  }

  /// The run's threads have left it.
  void write_report(const stretto::detail::ending& how) noexcept {
    stretto::detail::tell(report_, accounting(), how);
    if constexpr (machine::submits) outcome_.tell(report_, how.delivered);
    failed_ = !report_.failures.empty();
  }
  stretto::detail::run_accounting accounting() const {
    const planner::plan& p = machine_.plan.plan();
    return {node_names_,       p.order,           machine_.plan.lag(), p.threads.thread_of,
            p.threads.chained, p.threads.chains,  p.threads.workers,   machine_.stopped,
            machine_.places(), machine_.batches()};
  }

  machine machine_;
  position at_;  ///< of the calling thread
  std::vector<std::string_view> host_names_;
  std::vector<std::string_view> node_names_;
  detail::slot_names results_;
  std::vector<const detail::slot_copies*> result_slots_;
  std::vector<void*> result_row_;
  planner::list<stretto::detail::core_set> cores_of_groups_;
  planner::list<stretto::detail::core_set> cores_;  ///< by host thread, from the first run on
  std::optional<stretto::detail::thread_team> team_;
  stretto::detail::hosted_threads hosted_;  ///< after all that whoever sits there uses
  run_report report_;
  stretto::detail::device_outcome outcome_;
  stretto::detail::active_run* active_ = nullptr;
  bool failed_ = false;
};

template <class... Given>
  requires(stretto::detail::is_part<Given> && ...)
pipeline(schedule, Given...) -> pipeline<Given...>;
template <class... Given>
  requires(stretto::detail::is_part<Given> && ...)
pipeline(schedule, cores, Given...) -> pipeline<Given...>;
template <class... Given>
  requires(stretto::detail::is_part<Given> && ...)
pipeline(schedule, hosted, Given...) -> pipeline<Given...>;
template <class... Given>
  requires(stretto::detail::is_part<Given> && ...)
pipeline(schedule, cores, hosted, Given...) -> pipeline<Given...>;

}  // namespace stretto::dynamic
