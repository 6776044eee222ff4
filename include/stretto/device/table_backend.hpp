// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <optional>
#include <stretto/device/context.hpp>
#include <stretto/device/error.hpp>
#include <stretto/device/graphs_in_turn.hpp>
#include <stretto/device/grouping.hpp>
#include <stretto/device/inquiry.hpp>
#include <stretto/device/kept.hpp>
#include <stretto/device/known_plan.hpp>
#include <stretto/device/obstacle.hpp>
#include <stretto/device/resources.hpp>
#include <stretto/device/table_graphs.hpp>
#include <stretto/device/table_launches.hpp>
#include <stretto/device/transient.hpp>
#include <stretto/plan/model/edge.hpp>
#include <stretto/plan/model/edge_groups.hpp>
#include <stretto/plan/model/firing.hpp>
#include <stretto/plan/model/list.hpp>
#include <stretto/plan/model/plan.hpp>
#include <stretto/plan/model/view.hpp>
#include <stretto/plan/order/events.hpp>
#include <stretto/plan/order/fewest_waits.hpp>
#include <stretto/plan/order/last_users.hpp>
#include <stretto/run/slot_storage.hpp>
#include <stretto/run/wait/signal.hpp>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <vector>

namespace stretto::device::detail {

/// What a pipeline of the runtime version holds of the device: the same calls in the same order as
/// `binding` makes, from a table.
///
/// A plan of one stream, one thread and one batch at a time is a serial one: host tasks then wait
/// for all that was submitted before them, and a task whose body does not ask for its stream is
/// one, though it is planned on the stream.
///
/// With `Replays` it captures and launches what `binding` does: known_plan.hpp says what it goes
/// by.
template <class Driver, bool Replays>
class table_binding : public device_resources<Driver> {
  static constexpr std::size_t none = stretto::planner::none;
  using device_resources<Driver>::driver_;
  using device_resources<Driver>::handles_;
  using device_resources<Driver>::in_run;
  using device_resources<Driver>::on_several_;
  template <class, class>
  friend class across_table;

 public:
  using driver_type = Driver;
  static constexpr bool replays = Replays;

  template <class... Given>
  table_binding(const known_plan& known, const std::tuple<const Given&...>& settings)
      : device_resources<Driver>(settings),
        names_(known.value.resolved.streams),
        graphs_(driver_),
        current_(known.value.threads.names.size()) {
    const stretto::planner::plan& p = known.value;
    this->make_streams(
        names_, [this](std::string_view name) { return number(name); }, settings);
    find_streams(known);
    const stretto::planner::list<stretto::planner::edge> waits =
        stretto::planner::minimal_stream_waits(p);
    stretto::planner::list<stretto::planner::edge> blocking;
    if (!serial_) {
      blocking = stretto::planner::blocking_waits(p);
      blocking.append(stretto::planner::run_ahead_bound(p, {blocking.data(), blocking.size()}));
    }
    make_events(stretto::planner::event_counts(p, {waits.data(), waits.size()},
                                               {blocking.data(), blocking.size()}),
                blocking);
    if constexpr (Replays) find_launches(known, waits, blocking);
    waits_.reserve(waits.size() + blocking.size());
    lay_out(waits);
    lay_out(blocking);
    for (std::size_t t = 0; t < current_.size(); ++t) find_first(p, t);
    keep_each(known);
    lay_out_transients(known);
    if (rows_[p.resolved.deliver()].event_count > 0) released_by_ = &rows_[p.resolved.deliver()];
  }

  /// A stream by name, to put work on it between runs or to give it to a library. Throws
  /// `usage_error` if the schedule has none of that name.
  typename Driver::stream stream(std::string_view name) const {
    return this->numbered(number(name), name);
  }

  // Of graphs, as `binding` has it.

  /// The tasks whose bodies are called in every progress although graphs were asked for, with the
  /// reason. While no run is on.
  std::vector<uncaptured> left_out() const
    requires Replays
  {
    return graphs_.left_out(task_names_);
  }
  /// Destroys all graphs; they are captured anew. While no run is on.
  void forget_graphs()
    requires Replays
  {
    graphs_.forget();
  }
  /// What is launched in a steady progress when all that can be is captured.
  std::vector<launch_group> launches() const
    requires Replays
  {
    return graphs_.launches.each_launch(task_names_, names_);
  }
  /// How many graphs there are. While no run is on.
  std::size_t graph_count() const
    requires Replays
  {
    return graphs_.size();
  }

  // What a watchdog asks for: see `binding`.

  std::size_t stream_of(std::size_t node) const { return rows_[node].stream; }
  bool in_wide_graph([[maybe_unused]] std::size_t node) const {
    if constexpr (Replays) return graphs_.launches.grouped().spans(node);
    return false;
  }
  std::size_t events_of(std::size_t node) const {
    if constexpr (Replays)
      if (graphs_.launches.grouped().spans(node) &&
          !graphs_.launches.grouped().is_awaited_outside(node))
        return 0;
    return rows_[node].event_count;
  }
  std::optional<bool> has_done(const inquiry<Driver>& by, std::size_t node,
                               std::size_t progress) const {
    const row& n = rows_[node];
    return by.has_come_to(handles_.events[n.first_event + progress % n.event_count]);
  }
  template <class Use>
  void each_awaited(std::size_t node, Use use) const {
    for (std::size_t w = rows_[node].waits.first; w != rows_[node].waits.last; ++w)
      for (std::size_t p = 0; p < rows_.size(); ++p)
        if (rows_[p].event_count > 0 &&
            handles_.events.data() + rows_[p].first_event == waits_[w].events)
          use(p, waits_[w].back);
  }
  bool host_waits_for_all() const { return serial_; }

  // What the executor asks for: see `binding`.

  void enter(std::size_t thread) {
    thread_state& here = current_[thread];
    if (here.shared) return this->enter_as_worker();
    if constexpr (Replays) {
      graphs_.streams_after_launches(thread);  // see `binding`
      graphs_.interrupt(thread);
    }
    here.device = device_resources<Driver>::enter(thread == 0);
    if (here.first != none) {
      use_device(thread, rows_[here.first].at.device);
      static_cast<void>(driver_.last_error());
    } else if (!handles_.streams.empty()) {
      use_device(thread, handles_.streams[0].device);
    }
  }

  void before(std::size_t node, std::size_t progress) {
    const row& n = rows_[node];
    if constexpr (Replays) graphs_.before_call(node);
    if (n.stream != none) {
      if (on_several_) [[unlikely]]
        use_device(n.thread, n.at.device);
      for (std::size_t w = n.waits.first; w != n.waits.last; ++w)
        if (in_run(progress, waits_[w].back))
          shared::checked<Driver>(call::wait, driver_.wait(n.at.stream, waits_[w].event(progress)));
      give_memory_back(n.before, n, progress);
    } else if (serial_) {
      this->wait_for_all();
    } else {
      for (std::size_t w = n.waits.first; w != n.waits.last; ++w)
        if (in_run(progress, waits_[w].back))
          shared::checked<Driver>(call::synchronize_event,
                                  driver_.synchronize_event(waits_[w].event(progress)));
    }
  }
  /// Throws `device::error` if the node's body, which has just been called, left an error behind.
  void after_body(std::size_t node) const {
    if (rows_[node].submits) this->check_last_error();
  }
  /// \p called: its body was.
  void after(std::size_t node, std::size_t progress, bool called) {
    const row& n = rows_[node];
    if (!n.submits) return;
    if (called) this->check_last_error();
    give_memory_back(n.behind, n, progress);
    if (n.event_count > 0) shared::checked<Driver>(call::record, record(n, progress));
  }

  /// What a node does on the device at once, before its body or after it.
  enum class action : unsigned char {
    use_device,
    wait_for_all,
    wait,         ///< has the stream wait for an event
    synchronize,  ///< waits for an event
    give_back,    ///< the transient memory of a copy of a slot
    check,        ///< what the body has left behind
    check_and_record,
    record  ///< an event, behind a launch, which tells itself what is wrong
  };
  /// With what. An event is one of `count` that lie side by side from `events` on, in turn: that of
  /// progress i is the one of (i - `back`). So is a copy of a slot, of `copies`.
  struct prepared {
    action what = action::check;
    typename Driver::stream stream{};
    table_binding* of = nullptr;
    std::size_t thread = 0;
    int device = 0;
    typename Driver::event* events = nullptr;
    transient_copy<Driver>* copies = nullptr;
    std::size_t count = 0;
    std::size_t back = 0;
  };
  /// Whether what it is about lies in the run.
  static bool is_in_run(const prepared& with, std::size_t progress) {
    return with.of->in_run(progress, with.back);
  }
  /// Does it; \p about is the event or the copy of a slot, if it is about one. Throws
  /// `device::error` if the device does not.
  template <action What>
  static void act(const prepared& with, [[maybe_unused]] const void* about) {
    [[maybe_unused]] const auto* const e = static_cast<const typename Driver::event*>(about);
    table_binding& d = *with.of;
    if constexpr (What == action::use_device) {
      d.use_device(with.thread, with.device);
    } else if constexpr (What == action::wait_for_all) {
      d.wait_for_all();
    } else if constexpr (What == action::wait) {
      shared::checked<Driver>(call::wait, d.driver_.wait(with.stream, *e));
    } else if constexpr (What == action::give_back) {
      static_cast<const transient_copy<Driver>*>(about)->give_back(with.stream);
    } else if constexpr (What == action::synchronize) {
      shared::checked<Driver>(call::synchronize_event, d.driver_.synchronize_event(*e));
    } else if constexpr (What == action::record) {
      shared::checked<Driver>(call::record, d.driver_.record(*e, with.stream));
    } else {
      d.check_last_error();
      if constexpr (What == action::check_and_record)
        shared::checked<Driver>(call::record, d.driver_.record(*e, with.stream));
    }
  }
  /// What `before` does in a progress in which all that the node waits for lies in the run, one by
  /// one.
  template <class Use>
  void each_before(std::size_t node, Use use) {
    const row& n = rows_[node];
    prepared with = prepared_for(n);
    if (n.stream == none && serial_) {
      with.what = action::wait_for_all;
      return use(with);
    }
    if (n.stream != none && on_several_) {
      with.what = action::use_device;
      use(with);
    }
    for (std::size_t w = n.waits.first; w != n.waits.last; ++w) {
      with.what = n.stream != none ? action::wait : action::synchronize;
      with.events = waits_[w].events;
      with.count = waits_[w].count;
      with.back = waits_[w].back;
      use(with);
    }
    each_given_back(n.before, n, use);
  }
  /// What `after` does when the body has been called.
  template <class Use>
  void each_after(std::size_t node, Use use) {
    const row& n = rows_[node];
    if (!n.submits) return;
    prepared with = prepared_for(n);
    // What the body has left behind is asked for first: giving back makes calls.
    if (n.behind.first != n.behind.last) use(with);
    each_given_back(n.behind, n, use);
    if (n.event_count > 0) {
      with.what = action::check_and_record;
      with.events = handles_.events.data() + n.first_event;
      with.count = n.event_count;
    } else if (n.behind.first != n.behind.last) {
      return;
    }
    use(with);
  }

  /// The graphs of tasks that one launch does.
  using launched = typename table_graphs<Driver>::group;
  const std::vector<table_launches::group>& groups() const
    requires Replays
  {
    return graphs_.launches.groups();
  }
  std::size_t group_of(std::size_t node) const
    requires Replays
  {
    return graphs_.launches.group_of(node);
  }
  launched& graphs_of(std::size_t group)
    requires Replays
  {
    return graphs_.groups[group];
  }
  /// What is called before a launch that follows one of the progress before, if its graph spans
  /// streams, one by one; in a progress in which all that is waited for lies in the run.
  template <class Use>
  void each_before_launch(std::size_t group, Use use) {
    const launched& g = graphs_.groups[group];
    if (!g.spans) return;
    prepared with;
    with.what = action::wait;
    with.stream = g.stream;
    with.of = this;
    for (const std::size_t n : groups()[group].nodes)
      each_wait_before_launch(n, [&](const wait& w) {
        with.events = w.events;
        with.count = w.count;
        with.back = w.back;
        use(with);
      });
  }
  /// What is called behind a launch: of a graph that spans streams, if it follows one of the
  /// progress before.
  template <class Use>
  void each_after_launch(std::size_t group, Use use) {
    const launched& g = graphs_.groups[group];
    prepared with;
    with.what = action::record;
    with.stream = g.stream;
    with.of = this;
    for (const std::size_t n : groups()[group].nodes) {
      const bool recorded =
          g.spans ? graphs_.launches.grouped().is_awaited_outside(n) : rows_[n].event_count > 0;
      if (!recorded) continue;
      with.events = handles_.events.data() + rows_[n].first_event;
      with.count = rows_[n].event_count;
      use(with);
    }
  }
  static void launch_next(launched& of, const Driver& driver) {
    shared::checked<Driver>(call::launch, driver.launch(of.graphs.take_next(), of.stream));
  }
  /// Has tasks done that one launch does, with all that is around it if their graph spans streams,
  /// otherwise between what is called before the first of them and behind the last. The body of the
  /// i-th is called by `call_body(i, before, captured)`, with `before()` right before it.
  template <class Call>
  void replay(std::size_t group, std::size_t progress, bool ready, Call call_body) {
    launched& g = graphs_.groups[group];
    const table_launches::group& of = groups()[group];
    if (g.spans) {
      replay_with(g, of, progress, ready, across_table(*this, group, progress, call_body));
    } else {
      const auto bodies = [&](bool captured) {
        for (std::size_t i = 0; i < of.nodes.size(); ++i) {
          call_body(
              i, [] {}, captured);
          after_body(of.nodes[i]);
        }
      };
      replay_with(g, of, progress, ready, one_stream<decltype(bodies)>{bodies});
    }
  }

  void release_result(std::size_t progress) noexcept {
    if (released_by_ != nullptr) this->keep_released(record(*released_by_, progress));
  }
  /// Whether the result is handed out in the order of a stream.
  bool on_stream(std::size_t node) const { return rows_[node].stream != none; }

  const spot<Driver>* spot_of(std::size_t node) const { return &rows_[node].at; }

  /// Makes the value of a slot that \p filler fills first, by `make(at, location)`, on the filler's
  /// thread.
  template <class Make, class End>
  void make(void* at, const runner::value_place& of, Make make, End end) const {
    transient_copy<Driver>* transients = nullptr;
    if (first_copy_[of.slot] != none)
      transients = &this->transients_[first_copy_[of.slot] + of.copy];
    this->make_value(at, rows_[of.filler].stream, transients, make, end);
  }

  /// Throws `usage_error` if what is needed of a run that has ended went with it.
  void refuse_if_gone(stretto::planner::view<stretto::planner::earlier_value> needed,
                      stretto::planner::view<name> all_slots) const {
    device_resources<Driver>::refuse_if_gone(
        needed, all_slots, [this](std::size_t slot) { return first_copy_[slot] != none; });
  }

  void give_device_back() noexcept { this->give_back(current_[0].device); }

 private:
  struct wait {
    typename Driver::event* events;
    std::size_t count;
    std::size_t back;  ///< progresses

    typename Driver::event event(std::size_t progress) const {
      return events[(progress - back) % count];
    }
  };
  struct row {
    std::size_t stream = none;
    bool submits = false;  ///< it is a task that puts work on its stream
    spot<Driver> at{};
    std::size_t thread = 0;
    std::size_t first_event = 0;
    std::size_t event_count = 0;
    stretto::planner::range waits{0, 0};
    std::size_t lag = 0;
    stretto::planner::range before{0, 0};  ///< in `given_back_`: before its body
    stretto::planner::range behind{0, 0};  ///< and behind it
  };
  /// The copies of a transient slot whose memory a node gives back, of which each progress has one.
  struct given_back {
    transient_copy<Driver>* copies;
    std::size_t count;
  };
  struct alignas(runner::cache_line) thread_state {
    int device = 0;            ///< that is current on the thread
    std::size_t first = none;  ///< its first node on a stream
    bool shared = false;       ///< by workers: they have host tasks
  };

  prepared prepared_for(const row& n) {
    prepared with;
    with.stream = n.at.stream;
    with.of = this;
    with.thread = n.thread;
    with.device = n.at.device;
    return with;
  }

  template <class How>
  void replay_with(launched& g, const table_launches::group& of, std::size_t progress, bool ready,
                   How how) {
    if (progress < of.complete) return how.call();
    g.graphs.replay(driver_, of.turn, progress % of.turn, g.stream, ready, how);
  }
  /// Calls \p use with the waits of a node that lie before the launch of a graph that spans
  /// streams.
  template <class Use>
  void each_wait_before_launch(std::size_t node, Use use) const {
    const grouped_nodes& grouped = graphs_.launches.grouped();
    const stretto::planner::range of = grouped.facts.awaits_of[node];
    for (std::size_t w = of.first; w < of.last; ++w)
      if (grouped.is_before_launch(grouped.facts.awaits[w])) use(waits_[w]);
  }
  void wait_before_launch(std::size_t node, std::size_t origin, std::size_t progress) const {
    each_wait_before_launch(node, [&](const wait& w) {
      if (in_run(progress, w.back))
        shared::checked<Driver>(call::wait,
                                driver_.wait(handles_.streams[origin].stream, w.event(progress)));
    });
  }
  /// Records what others wait for of a node: see `across_streams`.
  void record_after_launch(std::size_t node, std::size_t origin, std::size_t progress) const {
    if (!graphs_.launches.grouped().is_awaited_outside(node)) return;
    const row& n = rows_[node];
    const typename Driver::event e = handles_.events[n.first_event + progress % n.event_count];
    typename Driver::stream on = handles_.streams[origin].stream;
    if (n.stream != origin && on_several_) {  // an event is of its stream's device
      shared::checked<Driver>(call::record, graphs_.marks.mark(origin));
      shared::checked<Driver>(call::wait, graphs_.marks.come_after(n.stream, origin));
      on = n.at.stream;
    }
    shared::checked<Driver>(call::record, driver_.record(e, on));
  }
  void use_device_of(std::size_t node) {
    if (on_several_) use_device(rows_[node].thread, rows_[node].at.device);
  }
  void use_device_of_stream(std::size_t thread, std::size_t stream) {
    if (on_several_) use_device(thread, handles_.streams[stream].device);
  }

  std::size_t number(std::string_view stream) const {
    for (std::size_t s = 0; s < names_.size(); ++s)
      if (names_[s] == stream) return s;
    return none;
  }
  void find_streams(const known_plan& known) {
    const stretto::planner::plan& p = known.value;
    serial_ = p.runs_serially();
    rows_.assign(p.order.size(), row{none, false, {driver_, typename Driver::stream{}, 0}});
    for (std::size_t n = 0; n < rows_.size(); ++n) {
      row& r = rows_[n];
      r.thread = p.threads.thread_of[n];
      const bool planned_only = serial_ && n < p.resolved.tasks && known.asks[n] == 0;
      if (!planned_only) r.stream = p.resolved.nodes[n].stream;
      // What the user puts on a result's stream is recorded by `release_result`.
      r.submits = r.stream != none && n != p.resolved.deliver();
      if (r.stream != none) r.at.stream = handles_.streams[r.stream].stream;
      if (!handles_.streams.empty())
        r.at.device = handles_.streams[r.stream == none ? 0 : r.stream].device;
    }
  }
  void make_events(const stretto::planner::list<std::size_t>& counts,
                   const stretto::planner::list<stretto::planner::edge>& blocking) {
    std::vector<char> host_waits(rows_.size());
    for (const stretto::planner::edge& e : blocking) host_waits[e.producer] = 1;
    for (std::size_t n = 0; n < rows_.size(); ++n) {
      row& r = rows_[n];
      r.first_event = handles_.events.size();
      r.event_count = counts[n];
      if (r.event_count > 0)
        device_resources<Driver>::make_events(r.event_count, r.stream, host_waits[n] != 0);
    }
  }
  /// Puts down waits, which are grouped by consumer, when all events are there.
  void lay_out(const stretto::planner::list<stretto::planner::edge>& waits) {
    for (const stretto::planner::edge& e : waits) {
      const row& producer = rows_[e.producer];
      stretto::planner::range& of = rows_[e.consumer].waits;
      stretto::planner::extend(of, waits_.size());
      waits_.push_back({handles_.events.data() + producer.first_event, producer.event_count,
                        static_cast<std::size_t>(e.delta)});
    }
  }
  /// Makes what handles refer to.
  void keep_each(const known_plan& known) {
    std::size_t all = 0;
    for (const void* const of : known.kept) all += of == nullptr ? 0 : list_of(of).size();
    kept_for_.reserve(all);
    for (std::size_t n = 0; n < known.kept.size(); ++n) {
      if (known.kept[n] == nullptr) continue;
      const std::size_t first = kept_for_.size();
      kept_for_.resize(first + list_of(known.kept[n]).size());
      row& r = rows_[n];
      r.at.kept = kept_for_.data() + first;
      this->keep(list_of(known.kept[n]), {known.names[n], names_[r.stream], r.thread}, r.stream,
                 kept_for_.data() + first);
    }
  }
  static const kept_list<Driver>& list_of(const void* kept) {
    return *static_cast<const kept_list<Driver>*>(kept);
  }
  void give_memory_back(const stretto::planner::range& which, const row& n,
                        std::size_t progress) const {
    if (progress < n.lag) return;
    for (std::size_t i = which.first; i != which.last; ++i)
      given_back_[i].copies[(progress - n.lag) % given_back_[i].count].give_back(n.at.stream);
  }
  template <class Use>
  void each_given_back(const stretto::planner::range& which, const row& n, Use& use) {
    prepared with = prepared_for(n);
    with.what = action::give_back;
    with.back = n.lag;
    for (std::size_t i = which.first; i != which.last; ++i) {
      with.copies = given_back_[i].copies;
      with.count = given_back_[i].count;
      use(with);
    }
  }
  /// Who gives the memory of transient slots back: see `binding`.
  void lay_out_transients(const known_plan& known) {
    const stretto::planner::plan& p = known.value;
    first_copy_.assign(p.copies.size(), none);
    std::size_t copies = 0;
    for (std::size_t s = 0; s < known.transient.size(); ++s) {
      if (known.transient[s] == 0) continue;
      first_copy_[s] = copies;
      copies += p.copies[s];
    }
    if (copies == 0) return;
    this->transients_.assign(copies, {});
    const stretto::planner::list<std::size_t> last_users =
        stretto::planner::last_users(p, p.resolved);
    for (std::size_t n = 0; n < rows_.size(); ++n) {
      row& r = rows_[n];
      r.lag = stretto::planner::lag(p.resolved.max_lookahead, p.resolved.nodes[n].lookahead);
      const auto add = [&](stretto::planner::range& to, auto is_here) {
        to.first = given_back_.size();
        for (std::size_t s = 0; s < first_copy_.size(); ++s) {
          if (first_copy_[s] == none) continue;
          const row& filler = rows_[p.fillers[s]];
          const std::size_t last = last_users[s];
          const bool ends = last != none && rows_[last].submits && filler.stream != none &&
                            rows_[last].at.device == filler.at.device;
          if (is_here(ends ? last : none, p.fillers[s]))
            given_back_.push_back({this->transients_.data() + first_copy_[s], p.copies[s]});
        }
        to.last = given_back_.size();
      };
      if (r.stream == none) continue;
      add(r.before,
          [n](std::size_t last, std::size_t filler) { return last == none && filler == n; });
      add(r.behind, [n](std::size_t last, std::size_t) { return last == n; });
    }
  }
  /// Makes the last events that there are, before somebody keeps where they lie.
  void find_launches(const known_plan& known,
                     const stretto::planner::list<stretto::planner::edge>& waits,
                     const stretto::planner::list<stretto::planner::edge>& blocking) {
    for (const std::string_view name : known.names) task_names_.push_back(name);
    std::vector<std::size_t> stream_of;
    std::vector<std::size_t> event_count;
    for (const row& r : rows_) {
      stream_of.push_back(r.stream);
      event_count.push_back(r.event_count);
    }
    graphs_.launches.find(known, stream_of, event_count, waits, blocking);
    std::vector<typename Driver::stream> streams;
    for (const stream_handle<Driver>& s : handles_.streams) streams.push_back(s.stream);
    graphs_.make(streams, [this](std::size_t stream) {
      device_resources<Driver>::make_events(1, stream, false);
      return handles_.events.back();
    });
  }
  void find_first(const stretto::planner::plan& p, std::size_t thread) {
    thread_state& state = current_[thread];
    state.shared = p.threads.workers[thread] > 1;
    const stretto::planner::range chain = p.threads.chains[thread];
    for (std::size_t i = chain.first; i < chain.last && state.first == none; ++i)
      if (rows_[p.threads.chained[i]].stream != none) state.first = p.threads.chained[i];
  }
  void use_device(std::size_t thread, int device) {
    device_resources<Driver>::use_device(current_[thread].device, device);
  }
  typename Driver::status record(const row& n, std::size_t progress) const {
    return driver_.record(handles_.events[n.first_event + progress % n.event_count], n.at.stream);
  }

  stretto::planner::view<std::string_view> names_;  ///< of streams
  bool serial_ = false;
  /// Ended before the streams.
  [[no_unique_address]] std::conditional_t<Replays, table_graphs<Driver>, no_graphs<Driver>>
      graphs_;
  std::vector<row> rows_;             ///< by node
  const row* released_by_ = nullptr;  ///< that of the delivery, if its event is recorded
  std::vector<wait> waits_;
  std::vector<thread_state> current_;    ///< by thread
  std::vector<void*> kept_for_;          ///< what handles refer to, by task
  std::vector<std::size_t> first_copy_;  ///< by slot: in `transients_`; none: it is not transient
  std::vector<given_back> given_back_;
  std::vector<std::string_view> task_names_;  ///< where there are graphs
};

}  // namespace stretto::device::detail
