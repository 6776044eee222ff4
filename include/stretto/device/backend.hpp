// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <new>
#include <optional>
#include <stretto/declare/name.hpp>
#include <stretto/declare/pack.hpp>
#include <stretto/declare/tag.hpp>
#include <stretto/device/across_streams.hpp>
#include <stretto/device/asked.hpp>
#include <stretto/device/capture.hpp>
#include <stretto/device/context.hpp>
#include <stretto/device/driver.hpp>
#include <stretto/device/error.hpp>
#include <stretto/device/graphs.hpp>
#include <stretto/device/graphs_in_turn.hpp>
#include <stretto/device/grouping.hpp>
#include <stretto/device/handle.hpp>
#include <stretto/device/handles.hpp>
#include <stretto/device/inquiry.hpp>
#include <stretto/device/kept.hpp>
#include <stretto/device/launches.hpp>
#include <stretto/device/memory.hpp>
#include <stretto/device/obstacle.hpp>
#include <stretto/device/ordering.hpp>
#include <stretto/device/resources.hpp>
#include <stretto/device/stream_marks.hpp>
#include <stretto/device/streams.hpp>
#include <stretto/device/table_backend.hpp>
#include <stretto/device/transient.hpp>
#include <stretto/device/transient_slots.hpp>
#include <stretto/run/backend.hpp>
#include <stretto/run/slot_storage.hpp>
#include <stretto/run/wait/signal.hpp>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace stretto::device {

namespace detail {

template <class Schedule, class Driver, bool Replays>
class binding;

}  // namespace detail

/// An option of `pipeline`: streams are streams of a device. A task on a stream puts its work there
/// and returns; between streams there are events, as few waits as keep the plan's order. Host tasks
/// (pulling from the source and handing out results among them) wait for what they need of streams.
/// In addition to tasks, a pipeline then takes `streams` (what each is), `usage`, `memory` (where
/// slots' device memory comes from) and a `Driver`, if that holds something. Its constructor throws
/// `error` if the device refuses, `usage_error` if a setting asks for what there is not.
///
/// While a run is on, the device of the streams is current on the calling thread; a loop over the
/// results that makes another one current puts it back before it goes on.
///
/// With `Replays`, what tasks put on streams is captured as graphs in the first steady progresses,
/// one for each place in the turn of their slots' copies, and launched from then on instead of
/// calling their bodies (capture.hpp says which can be, launches.hpp which together). Results are
/// the same.
template <driver Driver, bool Replays = false>
struct backend {
  using stretto_tag = tag::device;
  static constexpr bool submits = true;
  using settings = pack<streams<Driver>, usage, memory<Driver>, Driver>;
  using context = device::context<Driver>;
  /// What the body of a task on a stream gets if it asks for something: the context, or a handle.
  template <class Task>
  using context_for = typename detail::asked<Task, Driver>::context;
  /// The least that it is content with, for a body that is a value.
  template <class Task>
  using least_context_for =
      std::conditional_t<typed::body<Task, detail::stream_only<Driver>>::ok &&
                             !typed::body<Task, detail::anything_else>::wants_context &&
                             detail::asked<Task, Driver>::kept::size == 0,
                         detail::stream_only<Driver>, context_for<Task>>;
  /// (What can be made of anything, as `std::any` can, is not made of a location.)
  template <class Type>
  static constexpr bool makes = std::is_constructible_v<Type, const slot_location<Driver>&> &&
                                !std::is_constructible_v<Type, const usage&>;

  template <class Schedule>
  using binding = detail::binding<Schedule, Driver, Replays>;
  /// What a pipeline of the runtime version holds of the device.
  using table_binding = detail::table_binding<Driver, Replays>;
  static constexpr bool replays = Replays;
  /// Whom bodies that are values may ask for their stream, and what it is called.
  using asked_driver = Driver;
  static constexpr std::string_view driver_name = declare::qualified_name<Driver>();
};

namespace detail {

/// Whether the body of a task asks for what only a task on a stream has: the stream itself, or the
/// device's context by name.
template <class Task, class Driver>
consteval bool asks_for_stream() {
  if (typed::body<Task, anything_else>::wants_context || typed::body<Task>::ok) return false;
  return typed::body<Task, stream_only<Driver>>::wants_context ||
         typed::body<Task, context<Driver>>::wants_context;
}

template <class Schedule, class Driver, std::size_t Node>
consteval auto asked_by_node() {
  using tasks = typename typed::declared<Schedule>::tasks;
  if constexpr (Node < tasks::size &&
                ordering<Schedule>::stream_of[Node] != ordering<Schedule>::none)
    return asked<declare::nth<Node, tasks>, Driver>{};
  else
    return asked_by<void, Driver>{};
}

/// Those on the device of the nodes of a schedule whose bodies ask for a handle, and where what it
/// refers to is put down.
template <class Schedule, class Driver>
class keeping {
  static constexpr std::size_t count = typed::declared<Schedule>::tasks::size;

 public:
  template <std::size_t Node>
  using by = decltype(detail::asked_by_node<Schedule, Driver, Node>());

  /// By task, and behind them of all.
  static constexpr std::array<std::size_t, count + 1> first =
      []<std::size_t... Node>(std::index_sequence<Node...>) {
        std::array<std::size_t, count + 1> places{};
        const std::array<std::size_t, count> sizes{by<Node>::kept::size...};
        for (std::size_t n = 0; n < count; ++n) places[n + 1] = places[n] + sizes[n];
        return places;
      }(std::make_index_sequence<count>{});
  static constexpr std::size_t size = first[count];
};

template <class Driver, class... Kept>
constexpr kept_list<Driver> types_of(pack<Kept...>) {
  return kept_types<Driver, Kept...>;
}

template <class Schedule, class Driver, class Task, std::size_t Node>
consteval bool asks_in_vain() {
  if constexpr (ordering<Schedule>::stream_of[Node] == ordering<Schedule>::none)
    return asks_for_stream<Task, Driver>();
  else
    return false;
}

template <class Schedule, class Driver>
consteval bool host_tasks_ask_for_no_stream() {
  using tasks = typename typed::declared<Schedule>::tasks;
  return []<class... Task, std::size_t... Node>(pack<Task...>, std::index_sequence<Node...>) {
    return (!asks_in_vain<Schedule, Driver, Task, Node>() && ...);
  }(tasks{}, std::make_index_sequence<tasks::size>{});
}

/// Whether there are no transient slots, or they are used on streams only.
template <class Transient>
consteval bool transients_on_streams() {
  if constexpr (Transient::any)
    return Transient::on_streams_only;
  else
    return true;
}

/// Whether tasks use transient slots that run at the end for what is left of a group.
template <class Transient>
consteval bool transients_at_end() {
  if constexpr (Transient::any)
    return Transient::used_at_end;
  else
    return false;
}

/// What a pipeline of `Schedule` holds of the device.
template <class Schedule, class Driver, bool Replays>
class binding : public device_resources<Driver> {
  static constexpr const auto& plan = plan_of<Schedule>;
  using order = ordering<Schedule>;
  using grouped = detail::launches<Schedule, Driver>;
  using keeps = keeping<Schedule, Driver>;
  using transient = transient_slots<Schedule>;
  static constexpr std::size_t none = order::none;
  using device_resources<Driver>::driver_;
  using device_resources<Driver>::handles_;
  using device_resources<Driver>::on_several_;
  using device_resources<Driver>::wait_for_all;
  template <class, class, class, std::size_t...>
  friend class across_streams;
  static_assert(host_tasks_ask_for_no_stream<Schedule, Driver>(),
                "a task without a stream asks for one: let its body take "
                "`stretto::context auto&`, or give the task `using stream = st::stream<...>`");
  static_assert(transients_on_streams<transient>(),
                "a slot whose memory is transient is used by a task without a stream, or is the "
                "source's or a result: it is given back in the order of streams; use `buffer`");
  static_assert(
      !transients_at_end<transient>(),
      "a slot whose memory is transient is used by a task that runs at the end, too, for "
      "what is left of a group (`and_at_end`), when the memory of the last batch may have "
      "been given back: use `buffer`");

 public:
  template <class... Given>
  explicit binding(const std::tuple<const Given&...>& settings)
      : device_resources<Driver>(settings), graphs_(driver_), marks_(driver_) {
    std::array<std::string_view, order::streams> names{};
    for (std::size_t s = 0; s < names.size(); ++s) names[s] = order::stream_name(s);
    this->make_streams({names.data(), names.size()}, &order::stream_named, settings);
    for (std::size_t n = 0; n < order::nodes; ++n)
      if (order::event_count[n] > 0)
        this->make_events(order::event_count[n], order::stream_of[n],
                          order::blocking_waits.awaited[n]);
    for (std::size_t s = 0; s < order::streams; ++s) streams_[s] = handles_.streams[s].stream;
    if constexpr (transient::any) this->transients_.assign(transient::copies, {});
    if constexpr (order::events > 0)  // GCC 12 warns of copying to an array of none
      std::copy(handles_.events.begin(), handles_.events.end(), events_.begin());
    if constexpr (Replays)
      marks_.make(grouped::grouped, streams_, [this](std::size_t stream) {
        this->make_events(1, stream, false);
        return handles_.events.back();
      });
    if constexpr (keeps::size > 0) keep_each(std::make_index_sequence<plan.tasks>{});
  }

  /// A stream by name, to put work on it between runs or to give it to a library. Throws
  /// `usage_error` if the schedule has none of that name.
  typename Driver::stream stream(std::string_view name) const {
    return this->numbered(order::stream_named(name), name);
  }

  /// The tasks whose bodies are called in every progress although graphs were asked for, with the
  /// reason; what the runtime refuses to capture shows in the first steady progresses. While no run
  /// is on.
  std::vector<uncaptured> left_out() const
    requires Replays
  {
    return graphs_.left_out();
  }
  /// Destroys all graphs; they are captured anew. While no run is on.
  void forget_graphs()
    requires Replays
  {
    graphs_.forget();
  }
  /// What is launched in a steady progress when all that can be is captured: which tasks at once,
  /// on which stream, and why so.
  static std::vector<launch_group> launches()
    requires Replays
  {
    return graphs<Schedule, Driver>::each_launch();
  }
  /// How many graphs there are. While no run is on.
  std::size_t graph_count() const
    requires Replays
  {
    return graphs_.size();
  }

  /// Whether a task puts work on its stream: in a serial plan, host tasks do not.
  static constexpr bool on_stream(std::size_t task) { return order::stream_of[task] != none; }

  // What a watchdog asks for, on a thread of its own and at any time: constants, and events, which
  // are what they are from the constructor's end on.

  /// The number of the stream that a node's work is put on; none: it is the host's.
  static constexpr std::size_t stream_of(std::size_t node) { return order::stream_of[node]; }
  /// Whether host tasks wait for all that was put on streams, without events.
  static constexpr bool host_waits_for_all() { return order::serial; }
  /// Whether a node is in graphs that span streams.
  static constexpr bool in_wide_graph([[maybe_unused]] std::size_t node) {
    if constexpr (Replays) return grouped::grouped.spans(node);
    return false;
  }
  /// How many events a node records in turn, one in each progress. None: nobody waits for it, or
  /// only who is in its graph, and what launches would leave in them is old.
  static constexpr std::size_t events_of(std::size_t node) {
    if constexpr (Replays)
      if (grouped::grouped.spans(node) && !grouped::grouped.is_awaited_outside(node)) return 0;
    return order::event_count[node];
  }
  /// Whether the device is through with a node of one of the latest progresses, in which it has
  /// recorded its event; none: the device does not say.
  std::optional<bool> has_done(const inquiry<Driver>& by, std::size_t node,
                               std::size_t progress) const {
    if constexpr (order::events > 0)
      return by.has_come_to(events_[order::event(node, progress)]);
    else
      return {};
  }
  /// Calls `use(producer, back)` for each node that is waited for before a node runs, by its stream
  /// or by the host, with how many progresses back that is.
  template <class Use>
  static void each_awaited(std::size_t node, Use use) {
    const auto each = [&](const auto& waits) {
      const stretto::planner::range of = waits.of[node];
      for (std::size_t w = of.first; w < of.last; ++w)
        use(waits.edges[w].producer, static_cast<std::size_t>(waits.edges[w].delta));
    };
    if (order::stream_of[node] != none) return each(plan.streams);
    each(order::blocking_waits);
  }

  // What the executor asks for.

  /// Whether a node is replayed; whether it can be together with the one right before it.
  static constexpr bool captures(std::size_t node) { return capture<Schedule, Driver>::can(node); }
  static constexpr bool captures_after(std::size_t before, std::size_t node) {
    return grouped::grouped.follows(before, node);
  }
  /// Whether the graph that a node is in spans streams.
  static constexpr bool spans(std::size_t node) { return grouped::grouped.spans(node); }

  static constexpr std::size_t farthest_wait(std::size_t node) {
    return order::farthest_wait(node);
  }

  /// Whether progresses may be run by code that takes for granted that every stream is on one
  /// device: to ask in each of them would cost pipelines that use one. Where graphs are replayed,
  /// that code asks.
  bool may_run_steady() const { return Replays || !on_several_; }

  /// At the beginning of a thread's part of a run.
  template <std::size_t Thread>
  void enter() {
    constexpr std::size_t first = first_on_device(Thread);
    // They have host tasks, and share what is kept of a thread here.
    if constexpr (plan.workers[Thread] > 1) return this->enter_as_worker();
    if constexpr (Replays) {
      streams_after_launches(Thread);  // behind a gap of the run nobody has waited for them
      graphs_.interrupt(Thread);
    }
    current_[Thread].device = device_resources<Driver>::enter(Thread == 0);
    if constexpr (first != none) {
      use_device(Thread, handle_of(first).device);
      // What an earlier run's end or the user left behind is no task's of this run.
      static_cast<void>(driver_.last_error());
    } else if constexpr (order::streams > 0) {
      use_device(Thread, handles_.streams[0].device);
    }
  }

  /// Before a node in a progress of the steady state: all that it waits for lies in the run.
  template <std::size_t Node>
  [[gnu::always_inline]] void before(std::size_t progress) {
    constexpr std::size_t stream = order::stream_of[Node];
    if constexpr (stream != none) {
      if constexpr (Replays && switches_stream(Node))
        if (on_several_) [[unlikely]]
          use_device(plan.thread_of[Node], handles_.streams[stream].device);
      constexpr stretto::planner::range waits = plan.streams.of[Node];
      wait_each<waits.first>(streams_[stream], progress,
                             std::make_index_sequence<waits.last - waits.first>{});
      if constexpr (transient::any)
        if constexpr (transient::fills(Node)) give_back_of_before(Node, progress);
    } else if constexpr (order::serial) {
      wait_for_all();
    } else {
      constexpr stretto::planner::range waits = order::blocking_waits.of[Node];
      block_each<waits.first>(progress, std::make_index_sequence<waits.last - waits.first>{});
    }
  }

  /// Right after its body, while it is captured, too: what a graph of it would lack is not stored.
  template <std::size_t Node>
  [[gnu::always_inline]] void after_body() const {
    if constexpr (order::stream_of[Node] != none) this->check_last_error();
  }
  /// When all of it is on its stream.
  template <std::size_t Node>
  [[gnu::always_inline]] void after([[maybe_unused]] std::size_t progress) {
    constexpr std::size_t stream = order::stream_of[Node];
    if constexpr (transient::any)
      if constexpr (transient::ends(Node)) give_back_after(Node, progress);
    if constexpr (stream != none && order::event_count[Node] > 0)
      shared::checked<Driver>(
          call::record, driver_.record(events_[order::event(Node, progress)], streams_[stream]));
  }

  /// Called before a node in any other progress, whether the node fires or not.
  [[gnu::noinline]] void before(std::size_t node, std::size_t progress) {
    const std::size_t stream = order::stream_of[node];
    if constexpr (Replays)
      if (grouped::grouped.spans(node)) streams_after_launches(plan.thread_of[node]);
    if (stream != none) {
      if (on_several_) use_device(plan.thread_of[node], handles_.streams[stream].device);
      const stretto::planner::range waits = plan.streams.of[node];
      for (std::size_t w = waits.first; w < waits.last; ++w)
        if (lies_in_run(plan.streams.edges[w], progress))
          shared::checked<Driver>(
              call::wait, driver_.wait(streams_[stream], awaited(plan.streams.edges[w], progress)));
      if constexpr (transient::any) give_back_of_before(node, progress);
    } else if (order::serial) {
      wait_for_all();
    } else {
      const stretto::planner::range waits = order::blocking_waits.of[node];
      for (std::size_t w = waits.first; w < waits.last; ++w)
        if (lies_in_run(order::blocking_waits.edges[w], progress))
          shared::checked<Driver>(
              call::synchronize_event,
              driver_.synchronize_event(awaited(order::blocking_waits.edges[w], progress)));
    }
  }
  [[gnu::noinline]] void after(std::size_t node, std::size_t progress) {
    const std::size_t stream = order::stream_of[node];
    if constexpr (transient::any) give_back_after(node, progress);
    if (stream != none && order::event_count[node] > 0)
      shared::checked<Driver>(
          call::record, driver_.record(events_[order::event(node, progress)], streams_[stream]));
  }

  /// Has nodes that are captured together done, between `before` the first and `after` the last, if
  /// that takes no more than the launch of their graph. Whether it has; otherwise `replay` does,
  /// which calls bodies by `call_bodies(captured)`.
  template <std::size_t First>
  [[gnu::always_inline]] bool launch_next() {
    return graphs_.template launch_next<First>(streams_[order::stream_of[First]], launches_only{});
  }
  template <std::size_t First, std::size_t... More, class Call>
  void replay(std::size_t progress, bool ready, Call call_bodies) {
    graphs_.template replay<First, More...>(progress, streams_[order::stream_of[First]], ready,
                                            one_stream<Call>{call_bodies});
  }
  /// Has nodes done whose graph spans streams, with all that is around them. The body of the
  /// i-th is called by `call_body(i, before, captured)`, with `before()` right before it.
  template <std::size_t First, std::size_t... More>
  [[gnu::always_inline]] bool launch_next_across(std::size_t progress) {
    using across = across_streams<binding, Schedule, Driver, First, More...>;
    return graphs_.template launch_next<First>(streams_[across::origin], across(*this, progress));
  }
  template <std::size_t... Node, class Call>
  void replay_across(std::size_t progress, bool ready, Call call_body) {
    using across = across_streams<binding, Schedule, Driver, Node...>;
    graphs_.template replay<Node...>(
        progress, streams_[across::origin], ready,
        calls_across<across, Call>{across(*this, progress), call_body});
  }

  /// The user is done with the result of a progress: what was put on the stream where results are
  /// handed out comes before whatever waits for that. (An error is told by `synchronize`: nobody
  /// runs.)
  [[gnu::always_inline]] void release_result(std::size_t progress) noexcept {
    if constexpr (order::event_count[plan.deliver] > 0)
      this->keep_released(driver_.record(events_[order::event(plan.deliver, progress)],
                                         streams_[order::stream_of[plan.deliver]]));
  }

  /// Whether a node's body asks for a handle; which.
  template <std::size_t Node>
  static constexpr bool gives_handle = keeps::template by<Node>::kept::size > 0;
  template <std::size_t Node>
  [[gnu::always_inline]] auto handle_at() const {
    using type = typename keeps::template by<Node>::context;
    const stream_handle<Driver>& on = handle_of(Node);
    return type(on.stream, on.device, kept_for_.data() + keeps::first[Node]);
  }
  template <std::size_t Node>
  [[gnu::always_inline]] device::context<Driver> context_at(const task_context& here) const {
    constexpr std::size_t stream = order::stream_of[Node];
    if constexpr (stream != none) {
      const stream_handle<Driver>& on = handles_.streams[stream];
      return {here, driver_, on.stream, on.device};
    } else {
      return {here, driver_, typename Driver::stream{},
              order::streams > 0 ? handles_.streams[0].device : 0};
    }
  }

  /// Makes the value of a slot that \p filler fills first, on the filler's thread.
  template <class Type>
  void make(void* at, const runner::value_place& of) const {
    transient_copy<Driver>* transients = nullptr;
    if constexpr (is_transient<Type>)
      transients = &this->transients_[transient::first[of.slot] + of.copy];
    this->make_value(
        at, order::stream_of[of.filler], transients,
        [](void* to, const slot_location<Driver>& where) { ::new (to) Type(where); },
        [](void* made) { static_cast<Type*>(made)->~Type(); });
  }

  /// Throws `usage_error` if what is needed of a run that has ended went with it.
  static void refuse_if_gone(stretto::planner::view<stretto::planner::earlier_value> needed,
                             stretto::planner::view<name> all_slots) {
    device_resources<Driver>::refuse_if_gone(needed, all_slots,
                                             [](std::size_t slot) { return transient::is[slot]; });
  }

  /// Gives the calling thread the device back that it had before the run.
  void give_device_back() noexcept { this->give_back(current_[0].device); }
  /// Whether results are handed out in the order of a stream.
  static constexpr bool results_on_stream = order::stream_of[plan.deliver] != none;

 private:
  struct alignas(runner::cache_line) thread_state {
    int device = 0;  ///< that is current on the thread
  };

  /// Has what is put on the streams that a thread's graphs span come after what was launched.
  void streams_after_launches(std::size_t thread) {
    if (marks_.streams_after_launches(thread)) graphs_.interrupt(thread);
  }

  const stream_handle<Driver>& handle_of(std::size_t node) const {
    return handles_.streams[order::stream_of[node]];
  }
  static constexpr std::size_t first_on_device(std::size_t thread) {
    for (std::size_t i = plan.chains[thread].first; i < plan.chains[thread].last; ++i)
      if (order::stream_of[plan.chained[i]] != none) return plan.chained[i];
    return none;
  }
  template <std::size_t... Node>
  void keep_each(std::index_sequence<Node...>) {
    (keep_for<Node>(), ...);
  }
  template <std::size_t Node>
  void keep_for() {
    if constexpr (gives_handle<Node>) {
      constexpr std::size_t stream = order::stream_of[Node];
      this->keep(types_of<Driver>(typename keeps::template by<Node>::kept{}),
                 {plan.names[Node], order::stream_name(stream), plan.thread_of[Node]}, stream,
                 kept_for_.data() + keeps::first[Node]);
    }
  }
  void use_device(std::size_t thread, int device) {
    device_resources<Driver>::use_device(current_[thread].device, device);
  }

  /// Whether the memory of a transient slot is given back after the slot's last user, and not when
  /// a copy is filled anew, when all who used it have been waited for: that takes a last user, on
  /// the device of the memory.
  bool ends_with_last_user(std::size_t slot) const {
    const std::size_t last = transient::last_user[slot];
    return last != none &&
           (!on_several_ || handle_of(last).device == handle_of(plan.fillers[slot]).device);
  }
  /// The memory of earlier batches, before their copies are filled anew.
  void give_back_of_before(std::size_t node, std::size_t progress) {
    for (std::size_t s = 0; s < plan.slot_list.size(); ++s)
      if (transient::is[s] && plan.fillers[s] == node && !ends_with_last_user(s))
        give_memory_back(s, node, progress);
  }
  /// That of a node's batch, if the node is the last to use it.
  void give_back_after(std::size_t node, std::size_t progress) {
    for (std::size_t s = 0; s < plan.slot_list.size(); ++s)
      if (transient::last_user[s] == node && ends_with_last_user(s))
        give_memory_back(s, node, progress);
  }
  void give_memory_back(std::size_t slot, std::size_t node, std::size_t progress) {
    if (progress >= plan.lag[node])
      this->transients_[transient::copy(slot, node, progress)].give_back(handle_of(node).stream);
  }

  bool lies_in_run(const stretto::planner::edge& wait, std::size_t progress) const {
    return this->in_run(progress, static_cast<std::size_t>(wait.delta));
  }
  typename Driver::event awaited(const stretto::planner::edge& wait, std::size_t progress) const {
    return events_[order::event(wait.producer, progress - static_cast<std::size_t>(wait.delta))];
  }
  /// Whether the node before it on a stream that its thread has is on another one.
  static constexpr bool switches_stream(std::size_t node) {
    const stretto::planner::range chain = plan.chains[plan.thread_of[node]];
    const std::size_t length = chain.last - chain.first;
    std::size_t place = 0;
    while (plan.chained[chain.first + place] != node) ++place;
    std::size_t before = node;
    for (std::size_t back = 1; back < length; ++back) {
      before = plan.chained[chain.first + (place + length - back) % length];
      if (order::stream_of[before] != none) break;
    }
    // A launch makes the device current of its own stream.
    if constexpr (Replays)
      if (grouped::grouped.spans(before)) return true;
    return order::stream_of[before] != order::stream_of[node];
  }
  template <std::size_t First, std::size_t... Index>
  [[gnu::always_inline]] void wait_each([[maybe_unused]] typename Driver::stream stream,
                                        [[maybe_unused]] std::size_t progress,
                                        std::index_sequence<Index...>) {
    (shared::checked<Driver>(call::wait,
                             driver_.wait(stream, event_awaited<First + Index>(progress))),
     ...);
  }
  template <std::size_t Wait>
  [[gnu::always_inline]] typename Driver::event event_awaited(std::size_t progress) const {
    constexpr stretto::planner::edge wait = plan.streams.edges[Wait];
    return events_[order::event(wait.producer, progress - static_cast<std::size_t>(wait.delta))];
  }
  template <std::size_t First, std::size_t... Index>
  [[gnu::always_inline]] void block_each([[maybe_unused]] std::size_t progress,
                                         std::index_sequence<Index...>) {
    (shared::checked<Driver>(
         call::synchronize_event,
         driver_.synchronize_event(awaited(order::blocking_waits.edges[First + Index], progress))),
     ...);
  }

  [[no_unique_address]] std::conditional_t<Replays, graphs<Schedule, Driver>, no_graphs<Driver>>
      graphs_;  ///< ended before the streams
  [[no_unique_address]] std::conditional_t<Replays, stream_marks<Driver>, no_marks<Driver>> marks_;
  // What is used all the time, side by side.
  std::array<typename Driver::stream, order::streams> streams_{};
  std::array<typename Driver::event, order::events> events_{};
  std::array<thread_state, plan.threads> current_{};
  [[no_unique_address]] std::array<void*, keeps::size> kept_for_{};
};

}  // namespace detail
}  // namespace stretto::device
