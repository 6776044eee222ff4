// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <numeric>
#include <stretto/dynamic/execute/host.hpp>
#include <stretto/dynamic/execute/slot_copies.hpp>
#include <stretto/dynamic/execute/slot_types.hpp>
#include <stretto/dynamic/query/planned.hpp>
#include <stretto/dynamic/values/body.hpp>
#include <stretto/plan/model/edge.hpp>
#include <stretto/plan/model/edge_groups.hpp>
#include <stretto/plan/model/firing.hpp>
#include <stretto/run/accounting.hpp>
#include <stretto/run/backend.hpp>
#include <stretto/run/run_state.hpp>
#include <stretto/run/slot_storage.hpp>
#include <stretto/run/wait/signal.hpp>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

namespace stretto::dynamic::detail {

using runner::run_state;
using runner::stopping_point;

/// Where batches come from, the types of source and slot forgotten.
struct feed {
  void* source = nullptr;
  bool (*fill)(void* source, void* slot) = nullptr;
};

/// What all threads of a running pipeline share, and the tables that each runs by.
template <class Pace, class Waiting, class Observer, class Device>
class machine : public run_state<Waiting> {
 public:
  using waiting = Waiting;
  using position = detail::position<Waiting>;
  using device_type = typename Device::table_binding;
  static constexpr bool observed = Observer::observes;
  /// Whether tasks on streams are only submitted by their thread.
  static constexpr bool submits = Device::submits;
  static constexpr bool replays = false;
  static constexpr bool collects = false;
  static constexpr bool may_meet = Pace::meets;

  /// \p settings: what was passed for the device.
  template <class... Given>
  machine(schedule s, const std::tuple<const Given&...>& settings)
      : plan(std::move(s)),
        types_(plan, {Device::driver_name, type_identity::of<typename Device::asked_driver>()}),
        device(bind(settings)) {
    const planner::plan& p = plan.plan();
    for (std::size_t slot = 0; slot < p.copies.size(); ++slot)
      slot_list.emplace_back(types_[slot], p.copies[slot]);
    find_hosts();
    lay_out_rooms();
    make_signals();
    for (host<Waiting>& h : hosts) fill_in(h);
    stopped = std::vector<stopping_point>(hosts.size());
    places_.resize(p.order.size());
    runner::find_places(p.threads.chained, p.threads.chains, places_.data());
  }
  machine(const machine&) = delete;
  machine& operator=(const machine&) = delete;
  ~machine() {
    // Before values and tasks go that streams may still be at work on.
    if constexpr (submits) static_cast<void>(device.synchronize());
    for (std::size_t h = 0; h < made_.size(); ++h) runner::end_values(rooms_, h, made_[h]);
  }

  planned_schedule plan;

 private:
  slot_types types_;

 public:
  device_type device;
  std::vector<slot_copies> slot_list;
  std::deque<host<Waiting>> hosts;  ///< 0: the calling thread
  std::deque<std::string> names;    ///< by host thread
  std::vector<stopping_point> stopped;
  bool alone = true;                          ///< there is only the calling thread
  bool meets = false;                         ///< all threads, after every progress
  std::unique_ptr<signal<Waiting>[]> closed;  ///< by host thread, except the calling one
  signal<Waiting>* delivered = nullptr;       ///< the calling thread is at its next progress
  signal<Waiting>* pulled = nullptr;          ///< of a thread that is not the calling one
  detail::feed feed;
  Observer observer{};

  std::size_t pull() const { return plan.plan().resolved.pull(); }
  std::size_t deliver() const { return plan.plan().resolved.deliver(); }
  std::size_t deliver_lag() const { return plan.lag()[deliver()]; }

  /// Whether a run is over before this progress, as far as is known. With one batch in flight it
  /// takes a progress to find out that the source has ended.
  bool over(std::size_t progress) const {
    return progress >= this->batches() + std::max<std::size_t>(plan.in_flight() - 1, 1);
  }

  // What run/session/protocol.hpp asks for.

  std::size_t thread_groups() const { return first_host_.size(); }
  std::size_t lag_of(std::size_t node) const { return plan.lag()[node]; }
  /// The user has come back for the next result, in progress \p progress.
  void release_result(std::size_t progress) noexcept
    requires submits
  {
    device.release_result(deliver(), progress);
  }
  /// Tells who waits for the deliveries before epoch \p epoch.
  void publish_delivery(std::uint32_t epoch) {
    if (delivered != nullptr) delivered->publish(epoch);
  }
  /// The host thread that runs a thread's chain in a progress.
  std::size_t host_at(std::size_t thread, std::size_t progress) const {
    return first_host_[thread] + progress % plan.plan().threads.workers[thread];
  }

  /// On a host thread, before its part of a run: makes the slots' values that it fills first.
  runner::caught make_values(std::size_t host) {
    if (made_[host].all) return {};
    return runner::make_values(rooms_, host, made_[host]);
  }

  /// Destroys the values of slots, while no run is on: nothing is in flight any more.
  void release_slots() {
    if constexpr (submits) static_cast<void>(device.synchronize());
    for (std::size_t h = 0; h < made_.size(); ++h) runner::release_values(rooms_, h, made_[h]);
    std::fill(stopped.begin(), stopped.end(), stopping_point{});
  }

  /// By node: where it is in its chain.
  const std::vector<std::size_t>& places() const { return places_; }

  /// The number of a slot. Throws `usage_error` if there is none of that name, or if it does not
  /// hold values of \p type.
  std::size_t slot_named(std::string_view name, const slot_type& type) const {
    for (std::size_t s = 0; s < slot_list.size(); ++s) {
      if (plan.plan().resolved.slot_list[s].text != name) continue;
      if (type == slot_list[s].type()) return s;
      throw usage_error(joined("slot `", name, "` holds `", slot_list[s].type().name, "`, not `",
                               type.name, "`"));
    }
    throw usage_error(joined("the schedule has no slot `", name, "`"));
  }

  /// While no other thread runs.
  void restart() {
    run_state<Waiting>::restart();
    for (std::size_t i = 0; i < signal_count_; ++i) signals_[i].restart();
    if (meets)
      for (std::size_t h = 0; h + 1 < hosts.size(); ++h) closed[h].restart();
    std::fill(stopped.begin(), stopped.end(), stopping_point{});
  }

 private:
  template <class... Given>
  device_type bind(const std::tuple<const Given&...>& settings) const {
    if constexpr (submits) {
      std::vector<char> asks;
      for (const task& t : plan.input().tasks) asks.push_back(t.body.asks_device().empty() ? 0 : 1);
      return device_type({plan.plan(), asks}, settings);
    } else {
      return {};
    }
  }

  /// How a value is made of its location on the device.
  struct maker {
    const device_type* device;
    const slot_type* type;
  };
  static void make_on_device(const void* by, void* at, std::size_t filler) {
    const auto& m = *static_cast<const maker*>(by);
    m.device->make(
        at, filler, [&](void* to, const any_place& where) { m.type->construct_at(to, where); },
        [&](void* made) { m.type->destroy(made); });
  }

  void lay_out_rooms() {
    const planner::plan& p = plan.plan();
    made_.resize(hosts.size());
    for (std::size_t slot = 0; slot < slot_list.size(); ++slot) {
      const std::size_t filler = p.fillers[slot];
      const std::size_t thread = p.threads.thread_of[filler];
      const slot_type& type = slot_list[slot].type();
      rooms_.push_back({static_cast<std::byte*>(slot_list[slot].at(0)),
                        slot_list[slot].bytes() / slot_list[slot].size(), slot_list[slot].size(),
                        type.construct, type.destroy, p.resolved.slot_list[slot].text, filler,
                        plan.lag()[filler], p.threads.names[thread], first_host_[thread],
                        p.threads.workers[thread]});
      if constexpr (submits)
        if (type.construct_at != nullptr) {
          rooms_.back().maker = &makers_.emplace_back(maker{&device, &type});
          rooms_.back().make_by = &make_on_device;
        }
    }
  }
  void find_hosts() {
    const planner::thread_map& threads = plan.plan().threads;
    for (std::size_t t = 0; t < threads.names.size(); ++t) {
      first_host_.push_back(hosts.size());
      const std::size_t workers = threads.workers[t];
      for (std::size_t k = 0; k < workers; ++k) {
        host<Waiting>& h = hosts.emplace_back();
        h.number = hosts.size() - 1;
        h.thread = t;
        h.worker = k;
        h.workers = workers;
        std::string& name = names.emplace_back(threads.names[t]);
        if (workers > 1) name.append(" ").append(std::to_string(k + 1));
      }
    }
    alone = hosts.size() == 1;
    meets = Pace::meets && !alone;
    if (meets) closed = std::make_unique<signal<Waiting>[]>(hosts.size() - 1);
  }

  /// The waits, grouped by consumer; and for each node where its signals are, if anybody waits for
  /// it.
  void make_signals() {
    const planner::plan& p = plan.plan();
    const std::size_t nodes = p.order.size();
    if (!alone) waits_ = meets ? p.host_waits : plan.run_ahead_waits();
    waits_of_ = planner::groups_of(nodes, waits_);
    std::vector<char> awaited(nodes, 0);
    for (const planner::edge& e : waits_) awaited[e.producer] = 1;
    // Whoever asks whether there are more batches waits for the pull, if another thread pulls.
    if (p.threads.thread_of[pull()] != 0) awaited[pull()] = 1;
    first_signal_.assign(nodes, planner::none);
    if (alone) return;
    for (std::size_t n = 0; n < nodes; ++n) {
      if (awaited[n] == 0) continue;
      first_signal_[n] = signal_count_;
      signal_count_ += p.threads.workers[p.threads.thread_of[n]];
    }
    signals_ = std::make_unique<signal<Waiting>[]>(signal_count_);
    if (awaited[deliver()] != 0) delivered = &signals_[first_signal_[deliver()]];
    if (awaited[pull()] != 0) pulled = &signals_[first_signal_[pull()]];
  }

  void fill_in(host<Waiting>& h) {
    const planner::plan& p = plan.plan();
    const planner::range chain = p.threads.chains[h.thread];
    h.newest = planner::none;
    std::vector<frame> calls;
    for (std::size_t i = chain.first; i < chain.last; ++i) {
      const std::size_t n = p.threads.chained[i];
      const std::size_t lag = plan.lag()[n];
      signal<Waiting>* own = nullptr;
      if (first_signal_[n] != planner::none) {
        own = &signals_[first_signal_[n] + h.worker];
        h.owned.push_back(own);
      }
      h.oldest = (std::max)(h.oldest, lag);
      // Nothing happens at a delivery but waiting.
      const planner::range of = waits_of_[n];
      if (n == deliver() && !submits && of.first == of.last && chain.last - chain.first > 1)
        continue;
      if (n == pull()) h.pulls = true;
      if (lag < h.newest) {
        h.newest = lag;
        h.first_new = calls.size();
      }
      calls.push_back(call_of(n, i - chain.first, h));
      h.signal_list.push_back(
          {n == deliver() ? nullptr : own, h.waits.size(), h.waits.size() + (of.last - of.first)});
      for (std::size_t w = of.first; w < of.last; ++w) {
        const planner::edge& e = waits_[w];
        h.waits.push_back(
            {&signals_[first_signal_[e.producer]], static_cast<std::uint32_t>(e.delta),
             static_cast<std::uint32_t>(p.threads.workers[p.threads.thread_of[e.producer]])});
      }
    }
    h.steps = calls.size();
    // With no other thread to wait for, no device, and nobody who watches. (As without optimisation
    // frames do not jump but nest, a segment has an end.)
    if (alone && !observed && !submits) h.segment = 64;
    lay_out(h, calls);
  }

  frame call_of(std::size_t n, std::size_t place, const host<Waiting>& h) {
    frame f;
    f.facts = &facts_of(n, place, h);
    if (n < plan.plan().resolved.tasks) {
      f.body = plan.input().tasks[n].body.call();
      f.object = plan.input().tasks[n].body.object();
    } else {
      f.body = [](const frame* at, std::size_t progress, const frame** now) {
        at[1].body(at + 1, progress, now);
      };
    }
    return f;
  }

  const task_facts& facts_of(std::size_t n, std::size_t place, const host<Waiting>& h) {
    const planner::plan& p = plan.plan();
    task_facts& f = facts_.emplace_back();
    f.task = plan.name_of(n);
    f.thread = p.threads.names[h.thread];
    f.node = n;
    f.place = place;
    f.lag = plan.lag()[n];
    f.max_lookahead = p.resolved.max_lookahead;
    f.batches = &this->end;
    if constexpr (submits) f.spot = device.spot_of(n);
    f.names.owner.append("task `").append(f.task).append("`");
    for_each_use(n, [&](const planner::use& u, bool writes) {
      f.names.named.push_back({p.resolved.slot_list[u.slot].text, &types_[u.slot], writes});
    });
    return f;
  }

  template <class Look>
  void for_each_use(std::size_t n, Look look) {
    const planner::graph& g = plan.plan().resolved;
    for (std::size_t i = g.nodes[n].reads.first; i < g.nodes[n].reads.last; ++i)
      look(g.reads[i], false);
    for (std::size_t i = g.nodes[n].writes.first; i < g.nodes[n].writes.last; ++i)
      look(g.writes[i], true);
  }

  /// The calls of every progress that a host thread runs, until they repeat.
  void lay_out(host<Waiting>& h, const std::vector<frame>& calls) {
    constexpr std::size_t longest = 64;
    std::vector<moving_slot> uses;
    std::vector<moving_slot> results;
    const auto add = [&](std::vector<moving_slot>& to, std::size_t n) {
      for_each_use(n, [&](const planner::use& u, bool) {
        const slot_copies& slot = slot_list[u.slot];
        const std::size_t copies = slot.size();
        const std::size_t lag = plan.lag()[n] % copies;
        to.push_back({&slot, (h.worker + copies - lag) % copies, h.workers % copies, to.size()});
        if (h.period <= longest)
          h.period = std::lcm(h.period, copies / std::gcd(copies, h.workers));
      });
    };
    for (const frame& f : calls) add(uses, f.facts->node);
    if (h.number == 0) add(results, deliver());
    if (h.period > longest) {
      h.period = 1;
      h.moving = uses;
      results.clear();
    }
    h.rows.reserve(h.period * uses.size());
    const auto lay = [&](std::vector<void*>& rows, std::vector<moving_slot>& of) {
      for (std::size_t turn = 0; turn < h.period; ++turn)
        for (moving_slot& use : of) {
          rows.push_back(use.slot->at(use.copy));
          use.move();
        }
    };
    lay(h.rows, uses);
    lay(h.results, results);
    void* const* row = h.rows.data();
    for (std::size_t turn = 0; turn < h.period; ++turn)
      for (std::size_t i = 0; i < calls.size(); ++i) {
        frame& f = h.frames.emplace_back(calls[i]);
        f.slot_list = row;
        row += f.facts->names.named.size();
        if ((i + 1) % h.segment == 0 || i + 1 == calls.size()) h.frames.emplace_back();
      }
    h.stride = h.frames.size() / h.period;
  }

  std::deque<maker> makers_;
  std::vector<runner::slot_storage> rooms_;  ///< by slot
  std::vector<runner::slots_made> made_;     ///< by host thread
  std::vector<std::size_t> places_;          ///< by node
  std::vector<std::size_t> first_host_;      ///< by thread
  planner::list<planner::edge> waits_;
  planner::list<planner::range> waits_of_;
  std::vector<std::size_t> first_signal_;  ///< by node
  std::size_t signal_count_ = 0;
  std::unique_ptr<signal<Waiting>[]> signals_;
  std::deque<task_facts> facts_;
};

}  // namespace stretto::dynamic::detail
