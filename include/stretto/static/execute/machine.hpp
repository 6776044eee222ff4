// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <stretto/plan/model/ends.hpp>
#include <stretto/run/backend.hpp>
#include <stretto/run/first_failure.hpp>
#include <stretto/run/pace.hpp>
#include <stretto/run/run_state.hpp>
#include <stretto/run/stand_in.hpp>
#include <stretto/run/wait/signal.hpp>
#include <stretto/static/execute/begun_calls.hpp>
#include <stretto/static/execute/hosts.hpp>
#include <stretto/static/execute/ring.hpp>
#include <stretto/static/execute/slot_signals.hpp>
#include <stretto/static/execute/slot_values.hpp>
#include <stretto/static/execute/task_objects.hpp>
#include <stretto/static/execute/verdict_words.hpp>
#include <stretto/static/query/plan_of.hpp>
#include <tuple>
#include <utility>

namespace stretto::typed::detail {

/// The waits between threads, which meet after every progress or run ahead of each other.
template <class Schedule, bool Meets>
constexpr const auto& waits_between() {
  if constexpr (Meets)
    return plan_of<Schedule>.barrier;
  else
    return plan_of<Schedule>.run_ahead;
}

/// Where a device replays tasks: the copies of slots that others use, which threads follow. (Where
/// there are several threads, signals lie in the copies of all.)
template <class Schedule, class Device>
struct followed_copies {
  template <std::size_t Copies>
  static constexpr bool has = [] {
    const auto& plan = plan_of<Schedule>;
    const auto& d = declared<Schedule>::value;
    const auto is = [&](const name& slot) {
      for (std::size_t s = 0; s < plan.slot_list.size(); ++s)
        if (plan.slot_list[s] == slot) return plan.copies[s] == Copies;
      return false;
    };
    bool any = plan.host_threads() > 1 || is(d.from.slot);
    for (const name& slot : d.results) any = any || is(slot);
    for (std::size_t n = 0; n < plan.tasks; ++n) {
      if (Device::captures(n)) continue;
      for (const planner::access& a : d.tasks[n].reads) any = any || is(a.slot);
      for (const planner::access& a : d.tasks[n].writes) any = any || is(a.slot);
    }
    return any;
  }();
};

/// What all threads of a running pipeline share.
template <class Schedule, class Pace, class Waiting, class Observer, class Device,
          class Collectives>
struct machine : runner::run_state<Waiting> {
  using state = runner::run_state<Waiting>;
  using schedule = Schedule;
  using waiting = Waiting;
  using signal = runner::signal_word<Waiting>;
  static constexpr const auto& plan = plan_of<Schedule>;
  static constexpr std::size_t threads = plan.threads;
  using hosts = detail::hosts<Schedule>;
  static constexpr bool alone = hosts::count == 1;
  static constexpr bool meets = Pace::meets && !alone;
  static constexpr bool may_meet = meets;
  static constexpr bool observed = Observer::observes;
  /// The waits between threads: with a barrier, or running ahead of each other.
  static constexpr const auto& waits = waits_between<Schedule, meets>();
  using context = context_of<Device, Collectives>;
  using device_type = typename Device::template binding<Schedule>;
  static constexpr bool submits = Device::submits;
  /// Whether the device does what bodies put on streams without having them called.
  static constexpr bool replays = Device::replays;
  using position = ring_position<
      Schedule, std::conditional_t<replays, followed_copies<Schedule, device_type>, all_followed>>;
  static constexpr bool collects = Collectives::submits && !plan.tickets.empty();
  /// Whether no collective is to begin before all slots' values are there.
  static constexpr bool collects_behind_values =
      collects && requires(typename Collectives::template binding<Schedule> c, bool (*question)()) {
        c.come_after(question);
      };
  static constexpr bool counts_prepared = replays || collects_behind_values;

  /// Whether \p Asked says yes of a task that puts work on a stream of a device.
  template <bool (*Asked)(const planner::task&)>
  static constexpr bool any_on_stream = [] {
    if constexpr (submits) {
      constexpr auto on_streams = declared<Schedule>::on_streams();
      for (std::size_t n = 0; n < plan.tasks; ++n)
        if (on_streams[n] && Asked(declared<Schedule>::value.tasks[n])) return true;
    }
    return false;
  }();
  static constexpr bool uses_items(const planner::task& t) { return planner::has_items({&t, 1}); }
  static constexpr bool is_coroutine(const planner::task& t) { return t.suspends; }

  // A body on a stream returns before anything is done that it could judge by.
  static_assert(
      !any_on_stream<planner::may_drop>,
      "a task on a stream may drop batches, but the pipeline has its streams on a device: "
      "its body returns before the stream has done what it put there; let a task without "
      "a stream, which waits for that, drop the batch");
  static_assert(!any_on_stream<uses_items>,
                "a task on a stream consumes or produces items of slots, but the pipeline has its "
                "streams on a device: let it work on all items of a batch at once, as one value "
                "of a slot, and tasks without a stream cut that up or put it together");
  static_assert(!slot_values<Schedule, Device>::device_makes_items(),
                "tasks of this schedule consume or produce items of a slot whose values the device "
                "makes, which do not lie side by side: let items be of a type that the host makes, "
                "and a task put them into one value of a slot on the device");

  static_assert(
      begun_calls<Schedule>::count == 0 || !meets,
      "a task of this schedule is a coroutine, but threads meet after every progress: leave "
      "`stretto::barrier` out, so that the others go on while it is suspended");
  static_assert(
      !any_on_stream<is_coroutine>,
      "a task on a stream is a coroutine, but the pipeline has its streams on a device: what its "
      "body puts there once it has been suspended would come in no order with what others put "
      "there; let a task without a stream await, and one on the stream come after it");
  static_assert(
      begun_calls<Schedule>::count == 0 || !Collectives::submits,
      "a task of this schedule is a coroutine, but the pipeline has collectives, whose order is "
      "kept by the threads of the pipeline, and whoever resumes it is none of them: let a task on "
      "a thread of its own wait for what it awaits");
  static_assert(
      begun_calls<Schedule>::count == 0 ||
          (!plan.drops && !declared<Schedule>::has_items && !hosts::has_workers),
      "a task of this schedule is a coroutine, but others drop batches, consume or produce items, "
      "or share their thread with workers, which do not go together: let a task on a thread of its "
      "own wait for what the coroutine awaits");
  static_assert(begun_calls<Schedule>::count == 0 || !runner::replaces_bodies<Observer>,
                "a task of this schedule is a coroutine, which cannot be recorded or replayed");

  static constexpr detail::slot_signals<Schedule> slot_signals{};

  task_objects<Schedule> tasks;
  Observer observer{};
  [[no_unique_address]] device_type device;
  [[no_unique_address]] typename Collectives::template binding<Schedule> collectives;
  kept_ring<Schedule> memory{};
  slot_values<Schedule, Device> values{memory, device};
  [[no_unique_address]] typename decltype(verdict_words_for<Schedule>())::type verdicts;

  runner::signal_array<Waiting, alone ? 0 : hosts::signal_count> signal_list{};
  /// Barrier only: each thread except the calling one has finished the progress.
  runner::signal_array<Waiting, meets ? hosts::count - 1 : 0> closed{};

  /// By node: which of the signals that threads remember is its own; none: they look each time,
  /// because it comes with a value, or is said by workers in turn, or nobody runs ahead.
  static constexpr auto remembered = [] {
    std::array<std::size_t, plan.nodes + 1> places{};
    for (std::size_t n = 0; n < plan.nodes; ++n) {
      const bool is = !alone && !meets && waits.awaited[n] && !slot_signals.are_of(n) &&
                      hosts::workers(plan.thread_of[n]) == 1;
      places[n] = is ? places[plan.nodes]++ : planner::none;
    }
    return places;
  }();
  // By thread; those of workers do not remember.
  // NOLINTNEXTLINE(modernize-avoid-c-arrays): as signals
  runner::seen_epochs<remembered[plan.nodes]> seen[threads];

  using begun = begun_calls<Schedule>;
  using call_of_coroutine = call_at<machine, typename position::moment>;
  [[no_unique_address]] calls_under_way<call_of_coroutine, begun::count> calls;

  runner::stopping_point stopped[hosts::count]{};  // NOLINT(modernize-avoid-c-arrays): as signals
  /// By node, for each of its workers. Written by who runs the node.
  std::array<runner::passed_over, hosts::signal_count> passed{};
  /// How many host threads there are: of a coroutine there is none.
  static constexpr std::size_t team = hosts::count - begun::count;
  /// How many of them have yet to make their slots' values in this run.
  std::atomic<std::size_t> unprepared{team};

  template <class... Given>
  machine(task_objects<Schedule> all, const std::tuple<const Given&...>& settings)
      : tasks(std::move(all)), device(settings), collectives(settings) {
    if constexpr (collects)
      if constexpr (requires { collectives.attach(device); }) collectives.attach(device);
    if constexpr (collects_behind_values) collectives.come_after([this] { return prepared(); });
    if constexpr (!alone) slot_signals.make(memory);
  }
  machine(const machine&) = delete;
  machine& operator=(const machine&) = delete;
  ~machine() {
    // Before values and tasks go that streams may still be at work on.
    if constexpr (submits) static_cast<void>(device.synchronize());
  }

  // What run/session/protocol.hpp asks for.
  static constexpr std::size_t lag_of(std::size_t node) { return plan.lag[node]; }
  /// Whether what lies before a failure goes through. Not between ranks: what the others have begun
  /// needs this one.
  static constexpr bool drains = !collects && !submits;
  static constexpr auto ranks = [] {
    std::array<std::size_t, plan.nodes> all{};
    runner::find_ranks(plan.order, plan.lag, all);
    return all;
  }();
  /// Where a node's run for a batch lies in the order of all.
  static constexpr std::size_t place_of(std::size_t node, std::size_t batch) {
    return batch * plan.nodes + ranks[node];
  }
  runner::passed_over& passed_by(std::size_t node, std::size_t progress) {
    return passed[hosts::signal(node, progress)];
  }
  /// Whether the batch that a progress hands out lies before the first failure.
  bool delivers(std::size_t progress) const {
    return state::fires(plan.lag[plan.deliver], progress) &&
           !state::failure.ends_before(place_of(plan.deliver, progress - plan.lag[plan.deliver]));
  }
  bool make_values(std::size_t host, runner::caught& failure) {
    if constexpr (begun::count > 0)
      for (std::size_t k = 0; k < begun::count; ++k)
        if (begun::all[k].by == host && !values.make(begun::groups + k, failure)) return false;
    return values.make(host, failure);
  }
  bool may_run_steady() const {
    if constexpr (submits) return device.may_run_steady();
    return true;
  }
  /// The user has come back for the next result, in progress \p progress.
  void release_result(std::size_t progress) noexcept
    requires submits
  {
    device.release_result(progress);
  }
  /// Tells who waits for the deliveries before epoch \p epoch.
  [[gnu::always_inline]] void publish_delivery([[maybe_unused]] std::uint32_t epoch) {
    if constexpr (!alone && waits.awaited[plan.deliver]) signal_of(plan.deliver, 0).publish(epoch);
  }

  /// The signal that a node has run: of whoever runs it in this progress.
  signal& signal_of(std::size_t node, std::size_t progress) {
    if (node == plan.pull && plan.thread_of[plan.pull] == 0) return state::start.pulled;
    return signal_list[hosts::signal(node, progress)];
  }
  /// That of \c Back progresses before a moment, said early where it can be.
  template <std::size_t Node, std::size_t Back = 0>
  [[gnu::always_inline]] runner::early_signal<signal> signal_at(
      const typename position::moment& at) {
    return {early_word_of<Node, Back>(at), signal_of(Node, at.progress() - Back)};
  }

  /// With a barrier: whether a thread's first task waits for the pull of the same progress, which
  /// tells it that the progress has begun.
  template <std::size_t Thread>
  static constexpr bool opened_by_pull = [] {
    const planner::range first = waits.of[plan.chained[plan.chains[Thread].first]];
    for (std::size_t w = first.first; w < first.last; ++w)
      if (waits.edges[w].producer == plan.pull && waits.edges[w].delta == 0) return true;
    return false;
  }();
  /// Whether there is a thread that has to be told otherwise.
  static constexpr bool opens = []<std::size_t... Other>(std::index_sequence<Other...>) {
    return plan.thread_of[plan.pull] != 0 || (!opened_by_pull<Other + 1> || ...);
  }(std::make_index_sequence<threads - 1>());

  /// With a barrier: that a thread has finished its progress, said early next to the last value
  /// that the thread fills there and whose signal nobody waits for.
  template <std::size_t Thread>
  [[gnu::always_inline]] runner::early_signal<signal> closed_at(
      const typename position::moment& at) {
    return {early_word_of<closer<Thread>>(at), closed[hosts::at(Thread, at.progress()) - 1]};
  }
  /// Calls \p use with that of each thread except the calling one.
  template <class Use>
  [[gnu::always_inline]] void each_closed_at(const typename position::moment& at, Use use) {
    [&]<std::size_t... Other>(std::index_sequence<Other...>) {
      (use(closed_at<Other + 1>(at)), ...);
    }(std::make_index_sequence<threads - 1>());
  }

  /// Whether the source is alone on a thread of its own, so that nothing else waits while it is in
  /// the user's function.
  static constexpr bool pulls_apart =
      plan.thread_of[plan.pull] != 0 && hosts::workers(plan.thread_of[plan.pull]) == 1 &&
      plan.chains[plan.thread_of[plan.pull]].last - plan.chains[plan.thread_of[plan.pull]].first ==
          1;
  /// A task has failed: whoever waits for the pull of a batch that is none any more need not, as
  /// the source may be in the user's function for long.
  void release_pull([[maybe_unused]] std::uint32_t epoch) {
    if constexpr (!alone && pulls_apart) {
      // Either the source's thread has published its own epoch by now, or it sees what the run was
      // told before it asks the source again; else it would take this back, and nobody be woken.
      runner::heavy_fence();
      signal_of(plan.pull, 0).release(epoch);
      if constexpr (meets) closed[hosts::at(plan.thread_of[plan.pull], 0) - 1].release(epoch);
    }
  }

  /// Waits for what a node of a thread has to wait for.
  template <std::size_t Thread, std::size_t Producer, std::size_t Back>
  [[gnu::always_inline]] void await(const typename position::moment& at) {
    // Before progress 0 the epoch is one that every signal has reached, whosoever it is.
    const std::uint32_t epoch = at.epoch() - static_cast<std::uint32_t>(Back);
    if constexpr (remembered[Producer] != planner::none && hosts::workers(Thread) == 1) {
      signal_of(Producer, 0).await(epoch, seen[Thread].of[remembered[Producer]]);
    } else {
      signal_at<Producer, Back>(at).await(epoch);
    }
  }
  /// That of a node by number. Once per pipeline, as `publish` is: inlined, each thread's code
  /// would have it for each of its places.
  [[gnu::noinline]] void await_all([[maybe_unused]] const typename position::moment& at,
                                   [[maybe_unused]] std::size_t node) {
    if constexpr (!alone) {
      await_all_of(at.progress(), node);
      if constexpr (pulls_apart)
        if (state::is_ending_early()) [[unlikely]]
          await_before_pull(at.progress(), node);
    }
  }
  /// Tells who waits for a node.
  [[gnu::noinline]] void publish([[maybe_unused]] const typename position::moment& at,
                                 [[maybe_unused]] std::size_t node) {
    if constexpr (!alone) signal_of(node, at.progress()).publish(at.epoch());
  }

  /// Whether a run is over before this progress, as far as is known. With one batch in flight it
  /// takes a progress to find out that the source has ended.
  bool over(std::size_t progress) const {
    if constexpr (ends_groups) return is_behind_batches(progress) && is_behind_groups(progress);
    return is_behind_batches(progress);
  }
  /// Whether some task runs at the end, too, for what is left of a group.
  static constexpr bool ends_groups = plan.ends_groups;
  static constexpr bool may_end_groups() { return ends_groups; }
  /// Whether a node does in a progress, for a batch behind the end of the stream.
  bool ends_group(std::size_t node, std::size_t progress) const {
    if (!plan.runs[node].at_end || progress < plan.lag[node] + state::batches()) return false;
    const std::size_t batches = state::stream_end(plan.nodes);
    return batches > 0 && planner::runs_at_end(plan.runs[node], progress - plan.lag[node], batches);
  }
  /// Whether a progress of a node that was found to run in it is such a one.
  bool is_behind_stream(std::size_t node, std::size_t progress) const {
    return progress - plan.lag[node] >= state::source_end.load(std::memory_order_relaxed);
  }

  /// Whether all host threads have made their slots' values. acquire: what they did for it on the
  /// device's streams comes before what the device is asked for then.
  bool prepared() const { return unprepared.load(std::memory_order_acquire) == 0; }
  /// One more has. release: see `prepared`.
  void values_made()
    requires counts_prepared
  {
    unprepared.fetch_sub(1, std::memory_order_release);
  }

  /// Destroys the values of slots, while no run is on: nothing is in flight any more.
  void release_slots() {
    if constexpr (submits) static_cast<void>(device.synchronize());
    if constexpr (replays) device.forget_graphs();  // they work on those values
    values.release();
    runner::nobody_stopped(stopped, hosts::count);
  }

  /// Before a progress, while no other thread runs.
  void restart(std::size_t progress) {
    if (state::failure.is_known()) passed = {};
    state::restart(progress);
    const std::uint32_t epoch = state::epoch_before();
    if constexpr (counts_prepared) unprepared.store(team, std::memory_order_relaxed);
    signal_list.restart(epoch);
    if constexpr (!alone)
      for (std::size_t n = 0; n < plan.nodes; ++n)
        if (slot_signals.are_of(n))
          slot_signals.each_of(memory, n, [epoch](runner::early_word& w) { w.restart(epoch); });
    closed.restart(epoch);
    for (auto& of_thread : seen) of_thread.restart(epoch);
    calls.restart(progress);
    runner::nobody_stopped(stopped, hosts::count);
  }
  void sleep_soon() {
    state::sleep_soon();
    signal_list.sleep_soon();
    closed.sleep_soon();
  }
  /// Of a node that is not called: if that is because it is given what it writes, puts it there,
  /// unless its batch was dropped.
  [[gnu::noinline]] void put_given(std::size_t node, std::size_t progress) {
    if (!state::is_given(node, plan.lag[node], progress)) return;
    const std::size_t batch = progress - plan.lag[node];
    if constexpr (plan.drops)
      if (verdicts.is_dropped_before(node, batch)) return;
    state::given.put(node, batch);
  }
  /// Before a run.
  void forget_drops() {
    if constexpr (plan.drops) verdicts.forget();
  }

 private:
  bool is_behind_batches(std::size_t progress) const {
    if constexpr (plan.max_lookahead > 0) return progress >= state::batches() + plan.max_lookahead;
    return progress > state::batches() || (progress == state::batches() && state::has_failed());
  }
  /// Whether no task runs from a progress on for what is left of a group.
  bool is_behind_groups(std::size_t progress) const {
    return progress >=
           planner::last_run_at_end(plan.runs, state::stream_end(plan.nodes)) + plan.max_lookahead;
  }
  void await_all_of(std::size_t progress, std::size_t node) {
    for (std::size_t w = waits.of[node].first; w < waits.of[node].last; ++w) {
      const auto back = static_cast<std::size_t>(waits.edges[w].delta);
      signal_of(waits.edges[w].producer, progress - back)
          .await(position::moment::epoch_of(progress) - static_cast<std::uint32_t>(back));
    }
  }
  /// Where a node has waited for the pull of a batch that is none, and need not have: waits for
  /// what that pull would have waited for, since others left out their waits for that.
  [[gnu::noinline, gnu::cold]] void await_before_pull(std::size_t progress, std::size_t node) {
    for (std::size_t w = waits.of[node].first; w < waits.of[node].last; ++w) {
      const auto back = static_cast<std::size_t>(waits.edges[w].delta);
      if (waits.edges[w].producer == plan.pull && progress >= state::first + back &&
          progress - back >= state::batches())
        await_all_of(progress - back, plan.pull);
    }
  }

  /// Where the signal of a node is said early; null: nowhere.
  template <std::size_t Node, std::size_t Back = 0>
  [[gnu::always_inline]] runner::early_word* early_word_of(
      [[maybe_unused]] const typename position::moment& at) {
    if constexpr (Node != planner::none) {
      if constexpr (slot_signals.are_of(Node))
        return &slot_signals.template of<Node, Back>(memory, at);
      else
        return nullptr;
    } else {
      return nullptr;
    }
  }
  template <std::size_t Thread>
  static constexpr std::size_t closer = [] {
    for (std::size_t i = plan.chains[Thread].last; i-- > plan.chains[Thread].first;)
      if (slot_signals.are_of(plan.chained[i]) && !waits.awaited[plan.chained[i]])
        return plan.chained[i];
    return planner::none;
  }();
};

}  // namespace stretto::typed::detail
