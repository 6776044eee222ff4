// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <new>
#include <stretto/dynamic/execute/collective_call.hpp>
#include <stretto/dynamic/execute/device_call.hpp>
#include <stretto/dynamic/execute/host.hpp>
#include <stretto/dynamic/execute/launch_call.hpp>
#include <stretto/dynamic/execute/layout.hpp>
#include <stretto/dynamic/values/body.hpp>
#include <stretto/dynamic/values/schedule.hpp>
#include <stretto/dynamic/values/slot_type.hpp>
#include <stretto/plan/derive/signal_slots.hpp>
#include <stretto/plan/derive/verdicts.hpp>
#include <stretto/plan/model/ends.hpp>
#include <stretto/run/backend.hpp>
#include <stretto/run/run_state.hpp>
#include <stretto/run/session/begun_call.hpp>
#include <stretto/run/slot_storage.hpp>
#include <stretto/run/stand_in.hpp>
#include <stretto/run/wait/signal.hpp>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace stretto::dynamic::detail {

using runner::run_state;

template <class Machine>
class chain;

/// Where batches come from, the types of source and slot forgotten.
struct feed {
  void* source = nullptr;
  bool (*fill)(void* source, void* slot) = nullptr;
};

/// What all threads of a running pipeline share, and the tables that each runs by.
template <class Pace, class Waiting, class Observer, class Device, class Collectives>
class machine : public run_state<Waiting>, public layout {
 public:
  using waiting = Waiting;
  using position = detail::position;
  using signal = runner::signal_word<Waiting>;
  using device_type = typename Device::table_binding;
  using collectives_type = typename Collectives::table_binding;
  static constexpr bool observed = Observer::observes;
  /// Whether tasks on streams are only submitted by their thread.
  static constexpr bool submits = Device::submits;
  /// Whether the device does what bodies put on streams without having them called.
  static constexpr bool replays = Device::replays;
  static constexpr bool collects = Collectives::submits;
  /// Whether no collective is to begin before all slots' values are there.
  static constexpr bool collects_behind_values =
      collects && requires(collectives_type c, bool (*question)()) { c.come_after(question); };
  static constexpr bool counts_prepared = replays || collects_behind_values;
  static constexpr bool may_meet = Pace::meets;
  /// Whether what tasks ask of the device is among the calls that are laid out. (Whoever watches is
  /// told between the two.)
  static constexpr bool prepares = submits && !observed;

  /// \p settings: what was passed for the device and for collectives.
  template <class Schedule, class... Given>
  machine(Schedule&& s, const std::tuple<const Given&...>& settings)
      : layout(std::forward<Schedule>(s),
               {{Device::driver_name, type_identity::of<typename Device::asked_driver>()},
                {Collectives::context_name, type_identity::of<typename Collectives::in_context>(),
                 transfers_of<Collectives>()},
                Pace::meets,
                observed,
                submits,
                runner::replaces_bodies<Observer>}),
        device(bind(settings)),
        collectives(bind_collectives(settings)),
        coroutines(begun.size()),
        signals_(signal_count),
        closed(meets ? hosts.size() - 1 : 0) {
    static_assert(sizeof(runner::early_word) <= planner::signal_size &&
                  alignof(runner::early_word) <= planner::signal_alignment);
    each_early_word([](void* place) { ::new (place) runner::early_word; });
    other_calls others;
    if constexpr (prepares) {
      calls_.prepare(device, plan.plan().order.size());
      others.on_device = &calls_.of();
    }
    if constexpr (collects) {
      if (has_tickets()) {
        if constexpr (requires { collectives.attach(device); }) collectives.attach(device);
        if constexpr (collects_behind_values) {
          collectives.come_after([this] { return prepared(); });
        }
        if constexpr (prepares && requires { collectives.go_on(); })
          calls_.add_before_each(collective_calls::go_on_call(*this));
      }
      collective_calls_.prepare(*this);
      others.on_ranks = &collective_calls_.of();
    }
    if constexpr (replays) {
      if constexpr (prepares) {
        launches_.prepare(*this, &calls_.of(), &calls_.around_launches());
      } else {
        launches_.prepare(*this, nullptr, nullptr);
      }
      others.launches = &launches_.laid_out();
    }
    std::vector<device_call> begins;
    for (std::size_t k = 0; k < coroutines.size(); ++k) {
      coroutines[k].of = this;
      coroutines[k].own = &host_of(k);
      device_call& begin = begins.emplace_back();
      begin.body = begin.body_if_in_run = &chain<machine>::begin_call;
      begin.with = &coroutines[k];
    }
    others.begun = &begins;
    others.between.body = &chain<machine>::go_on_unless_stopping;
    others.between.with = this;
    lay_out_calls(rows(), &this->end, &this->first, others);
    if constexpr (collects)
      for (task_facts& f : facts) {
        f.among = &collective_calls_.context_of(f.node);
        f.transfers = transfers_of<Collectives>();
      }
    if (signals_of[deliver()].own.first != nullptr) delivered_ = &signal_of(deliver(), 0);
    if constexpr (submits) {
      for (task_facts& f : facts) f.spot = device.spot_of(f.node);
      choose_makers();
    }
  }
  machine(const machine&) = delete;
  machine& operator=(const machine&) = delete;
  ~machine() {
    // Before values and tasks go that streams may still be at work on.
    if constexpr (submits) static_cast<void>(device.synchronize());
    end_values();  // before the device
  }

  device_type device;
  collectives_type collectives;

  /// A task that is a coroutine, and a call of it.
  struct coroutine;
  struct call_of_coroutine {
    const coroutine* task;
    const word* at;  ///< on the thread that begins it
    std::size_t progress;
  };
  struct coroutine {
    machine* of = nullptr;
    host* own = nullptr;
    runner::begun_calls<call_of_coroutine> calls;
  };
  std::vector<coroutine> coroutines;

 private:
  using own_line = runner::signal<Waiting>;
  using collective_calls = collective_call_list<machine, typename Collectives::in_context>;
  std::vector<own_line> signals_;

 public:
  std::vector<own_line> closed;  ///< by host thread, except the calling one
  detail::feed feed;
  Observer observer{};

  /// Whether a run is over before this progress, as far as is known. With one batch in flight it
  /// takes a progress to find out that the source has ended.
  bool over(std::size_t progress) const {
    const std::size_t more = plan.in_flight() - 1;
    const bool behind_batches = more > 0 ? progress >= this->batches() + more
                                         : progress > this->batches() ||
                                               (progress == this->batches() && this->has_failed());
    if (!behind_batches || !may_end_groups()) return behind_batches;
    return progress >= last_run_at_end(this->stream_end(ranks.size())) + more;
  }
  /// Whether a node runs in a progress for what is left of a group at the end of the stream.
  bool ends_group(const task_facts& of, std::size_t progress) const {
    if (!of.runs.at_end || progress < of.lag + this->batches()) return false;
    const std::size_t batches = this->stream_end(ranks.size());
    return batches > 0 && planner::runs_at_end(of.runs, progress - of.lag, batches);
  }

  /// Whether ranks have anything to do together.
  bool has_tickets() const { return !plan.plan().tickets.empty(); }
  /// Whether they agree on the end of the batches.
  bool agrees_on_end() const { return plan.declaration().from.collective; }
  /// What has been waited for may have ended only because it was aborted: throws if so.
  void go_on() const {
    if constexpr (collects)
      if constexpr (requires { collectives.go_on(); })
        if (has_tickets()) collectives.go_on();
  }

  /// What is called for that before a launch.
  static void add_go_on([[maybe_unused]] machine& m,
                        [[maybe_unused]] std::vector<device_call>& to) {
    if constexpr (collects)
      if constexpr (requires { m.collectives.go_on(); })
        if (m.has_tickets()) to.push_back(collective_calls::go_on_call(m));
  }

  // What run/session/protocol.hpp asks for.

  /// Whether what lies before a failure goes through. Not between ranks: what the others have begun
  /// needs this one.
  static constexpr bool drains = !collects && !submits;
  /// Where a node's run for a batch lies in the order of all.
  std::size_t place_of(std::size_t node, std::size_t batch) const {
    return batch * ranks.size() + ranks[node];
  }
  runner::passed_over& passed_by(std::size_t node, std::size_t progress) {
    const planner::thread_map& threads = plan.plan().threads;
    return passed[runner::passed_over_place(threads.thread_of, threads.workers, node, progress)];
  }
  /// Whether the batch that a progress hands out lies before the first failure.
  bool delivers(std::size_t progress) const {
    return this->fires(deliver_lag(), progress) &&
           !this->failure.ends_before(place_of(deliver(), progress - deliver_lag()));
  }
  /// A task has failed: whoever waits for the pull of a batch that is none any more need not, as
  /// the source may be in the user's function for long.
  void release_pull(std::uint32_t epoch) {
    if (!pulls_apart) return;
    // Either the source's thread has published its own epoch by now, or it sees what the run was
    // told before it asks the source again; else it would take this back, and nobody be woken.
    runner::heavy_fence();
    signal_of(pull(), 0).release(epoch);
    if (meets) closed[first_host[plan.plan().threads.thread_of[pull()]] - 1].release(epoch);
  }
  /// Where a node has waited for the pull of a batch that is none, and need not have: waits for
  /// what that pull would have waited for, since others left out their waits for that. \p waits:
  /// those of the node.
  [[gnu::noinline, gnu::cold]] void await_before_pull(std::size_t progress, const wait* first,
                                                      const wait* last) {
    for (; first != last; ++first) {
      if (first->on.own.first != signals_of[pull()].own.first ||
          progress < this->first + first->back || progress - first->back < this->batches())
        continue;
      const std::size_t at = progress - first->back;
      for (const wait& w : hosts[first_host[plan.plan().threads.thread_of[pull()]]].waits)
        w.on.at(at - w.back).template as<signal>().await(position::epoch_of(at) - w.back);
    }
  }
  static constexpr bool may_run_steady() { return true; }
  /// The user has come back for the next result, in progress \p progress.
  void release_result(std::size_t progress) noexcept
    requires submits
  {
    device.release_result(progress);
  }
  /// Tells who waits for the deliveries before epoch \p epoch.
  void publish_delivery(std::uint32_t epoch) {
    if (delivered_ != nullptr) delivered_->publish(epoch);
  }
  /// The signal that a node has run, if somebody waits for it: of whoever runs it in a progress.
  signal& signal_of(std::size_t node, std::size_t progress) {
    return *static_cast<signal*>(signals_of[node].own.at(progress));
  }
  /// With a barrier: that a host thread, not the calling one, has finished a progress.
  runner::early_signal<signal> closed_at(const position& at) {
    return at.closing(0).template as<signal>();
  }
  /// Calls \p use with that of whoever runs it of each thread except the calling one, on which
  /// this is.
  template <class Use>
  void each_closed_at(const position& at, Use use) {
    for (std::size_t t = 0; t < at.self().closing.size(); ++t)
      use(at.closing(t).template as<signal>());
  }

  /// Destroys the values of slots, while no run is on: nothing is in flight any more.
  void release_slots() {
    if constexpr (submits) static_cast<void>(device.synchronize());
    if constexpr (replays) device.forget_graphs();  // they work on those values
    layout::release_slots();
  }

  /// Whether all host threads have made their slots' values. acquire: what they did for it on the
  /// device's streams comes before what the device is asked for then.
  bool prepared() const { return unprepared_.load(std::memory_order_acquire) == 0; }
  /// A host thread has made its slots' values. release: what it did comes before whatever is asked
  /// for once all have.
  void values_made()
    requires counts_prepared
  {
    unprepared_.fetch_sub(1, std::memory_order_release);
  }

  /// Before a progress, while no other thread runs.
  void restart(std::size_t progress) {
    if (this->failure.is_known()) std::fill(passed.begin(), passed.end(), runner::passed_over{});
    run_state<Waiting>::restart(progress);
    const std::uint32_t epoch = this->epoch_before();
    unprepared_.store(threads(), std::memory_order_relaxed);
    for (own_line& s : signals_) s.restart(epoch);
    for (own_line& s : closed) s.restart(epoch);
    for (host& h : hosts)
      for (wait& w : h.waits) w.seen = epoch;
    each_early_word(
        [epoch](void* place) { static_cast<runner::early_word*>(place)->restart(epoch); });
    for (coroutine& c : coroutines) c.calls.restart(progress);
    nobody_stopped();
  }
  void sleep_soon() {
    run_state<Waiting>::sleep_soon();
    for (own_line& s : signals_) s.sleep_soon();
    for (own_line& s : closed) s.sleep_soon();
  }
  /// Of a node that is given what it writes: puts it there, unless its batch was dropped.
  void put_given(std::size_t node, std::size_t batch) {
    if (!verdicts.skips(node, batch)) this->given.put(node, batch);
  }
  /// Before a run.
  void forget_drops() { verdicts.forget(); }

 private:
  signal_rows rows() { return {signals_.data(), closed.data(), sizeof(own_line)}; }

  template <class... Given>
  device_type bind(const std::tuple<const Given&...>& settings) const {
    if constexpr (submits) {
      std::vector<char> asks;
      std::vector<const void*> kept;
      std::vector<std::string_view> names;
      for (const task& t : plan.input().tasks) {
        const bool puts_collective = Collectives::on_streams && t.collective;
        asks.push_back(puts_collective || !t.body.asks_device().empty() ? 1 : 0);
        kept.push_back(t.body.asked_kept());
        names.push_back(t.name);
      }
      std::vector<char> transient(slot_list.size());
      for (std::size_t i = 0; i < slot_list.size(); ++i)
        transient[i] = slot_list[i].type().transient ? 1 : 0;
      if constexpr (replays) {
        std::vector<char> knows_batch;
        std::vector<char> collective;
        std::vector<char> stays;
        std::vector<char> drops;
        for (std::size_t n = 0; n < plan.input().tasks.size(); ++n)
          drops.push_back(planner::depends_on_drops(plan.plan().resolved, verdicts.of(), n) ? 1
                                                                                            : 0);
        for (const task& t : plan.input().tasks) {
          knows_batch.push_back(t.body.knows_batch() ? 1 : 0);
          collective.push_back(t.collective ? 1 : 0);
        }
        stays.reserve(slot_list.size());
        for (const slot_copies& s : slot_list) stays.push_back(s.type().stays ? 1 : 0);
        const planner::list<planner::edge> run_ahead = plan.run_ahead_waits();
        return device_type({plan.plan(), asks, kept, names, transient, knows_batch, collective,
                            stays, drops, run_ahead},
                           settings);
      }
      return device_type({plan.plan(), asks, kept, names, transient}, settings);
    } else {
      return {};
    }
  }

  template <class... Given>
  collectives_type bind_collectives(const std::tuple<const Given&...>& settings) const {
    if constexpr (collects) {
      std::vector<char> on_streams(plan.plan().order.size());
      if constexpr (submits)
        for (std::size_t n = 0; n < plan.plan().resolved.tasks; ++n)
          on_streams[n] = device.on_stream(n) ? 1 : 0;
      const planned_schedule* const all = plan.whole();
      if (all == nullptr)
        return collectives_type(
            {plan.declaration(), plan.plan(), node_names, plan.lag(), on_streams}, settings);
      std::vector<std::string_view> names;
      for (std::size_t n = 0; n < all->plan().order.size(); ++n) names.push_back(all->name_of(n));
      return collectives_type(
          {plan.declaration(),
           plan.plan(),
           node_names,
           plan.lag(),
           on_streams,
           {plan.input().role, &all->declaration(), &all->plan(), names, all->lag()}},
          settings);
    } else {
      return {};
    }
  }

  /// How a value is made of its location on the device.
  struct maker {
    const device_type* device;
    const slot_type* type;
  };
  static void make_on_device(const void* by, void* at, const runner::value_place& of) {
    const auto& m = *static_cast<const maker*>(by);
    m.device->make(
        at, of, [&](void* to, const any_place& where) { m.type->construct_at(to, where); },
        [&](void* made) { m.type->destroy(made); });
  }
  void choose_makers() {
    makers_.reserve(rooms.size());
    for (std::size_t slot = 0; slot < rooms.size(); ++slot) {
      const slot_type& type = slot_list[slot].type();
      if (type.construct_at == nullptr) continue;
      makers_.push_back({&device, &type});
      rooms[slot].maker = &makers_.back();
      rooms[slot].make_by = &make_on_device;
    }
  }

  signal* delivered_ = nullptr;  ///< the calling thread is at its next progress
  std::vector<maker> makers_;
  std::atomic<std::size_t> unprepared_{0};  ///< host threads that have still to make values
  struct no_calls {};
  struct no_collective_calls {};
  struct no_launches {};
  [[no_unique_address]] std::conditional_t<prepares, device_call_list<device_type>, no_calls>
      calls_;
  [[no_unique_address]] std::conditional_t<collects, collective_calls, no_collective_calls>
      collective_calls_;
  [[no_unique_address]] std::conditional_t<replays, launch_call_list<machine>, no_launches>
      launches_;
};

}  // namespace stretto::dynamic::detail
