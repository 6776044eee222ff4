// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <numeric>
#include <stretto/dynamic/body.hpp>
#include <stretto/dynamic/memory.hpp>
#include <stretto/dynamic/planned.hpp>
#include <stretto/dynamic/slot_types.hpp>
#include <stretto/execute/run_state.hpp>
#include <stretto/execute/signal.hpp>
#include <stretto/plan/edge.hpp>
#include <stretto/plan/fire.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace stretto::dynamic::detail {

using stretto::detail::cache_line;
using stretto::detail::run_state;
using stretto::detail::signal;
using stretto::detail::stopping_point;

/// A wait of a task: for the signals of a producer, one for each host thread that runs it.
template <class Waiting>
struct wait {
  signal<Waiting>* on;
  std::uint32_t back;     ///< progresses
  std::uint32_t workers;  ///< how many signals there are
};

/// What a host thread does with one node in each progress, on one cache line. Nothing is looked up:
/// the slots of every progress are laid out in rows before the first run.
template <class Waiting>
struct alignas(cache_line) step {
  call body = nullptr;
  void* object = nullptr;
  void** slots = nullptr;  ///< of this progress
  void** first_slots = nullptr;
  void** last_slots = nullptr;
  signal<Waiting>* said = nullptr;  ///< null: nobody waits for it
  const task_facts* facts = nullptr;
  std::uint32_t slot_count = 0;
  std::uint32_t wait_count = 0;  ///< of the waits of its host, in the order of steps
};

/// The slots of a step whose rows would be too many: one row, made anew for each progress.
struct long_period {
  std::size_t step = 0;
  std::size_t lag = 0;
  std::vector<const slot_copies*> slots{};

  void make(void** row, std::size_t progress) const {
    for (std::size_t i = 0; i < slots.size(); ++i) {
      const std::size_t copies = slots[i]->size();
      row[i] = slots[i]->at((progress + (copies - lag % copies)) % copies);
    }
  }
};

/// A host thread: its chain as a table.
template <class Waiting>
struct host {
  std::vector<step<Waiting>> steps;
  std::vector<wait<Waiting>> waits;     ///< of all steps, in order
  std::vector<std::size_t> first_wait;  ///< by step
  std::vector<void*> rows;              ///< slots, by step and progress
  std::vector<long_period> long_periods;
  std::vector<signal<Waiting>*> signals;  ///< all that it owns
  std::size_t number = 0;
  std::size_t thread = 0;     ///< the thread group
  std::size_t worker = 0;     ///< its number in the group
  std::size_t workers = 1;    ///< how many the group has
  bool pulls = false;         ///< which is then the first step
  std::size_t newest = 0;     ///< least lag of its nodes
  std::size_t oldest = 0;     ///< greatest lag
  std::size_t first_new = 0;  ///< the first step on the newest batch

  /// To the slots of the next progress that the thread runs after \p progress.
  [[gnu::always_inline]] void turn(step<Waiting>& s, std::size_t progress) {
    if (s.slots != s.last_slots) {
      s.slots += s.slot_count;
    } else {
      s.slots = s.first_slots;
      if (!long_periods.empty()) [[unlikely]]
        remake(s, progress + workers);
    }
  }
  /// Before its first progress.
  void restart() {
    for (step<Waiting>& s : steps) {
      s.slots = s.first_slots;
      remake(s, worker);
    }
  }

 private:
  [[gnu::noinline, gnu::cold]] void remake(const step<Waiting>& s, std::size_t progress) {
    for (const long_period& p : long_periods)
      if (&steps[p.step] == &s) p.make(s.first_slots, progress);
  }
};

/// How far a host thread is in a run.
template <class Waiting>
class position {
 public:
  void restart(host<Waiting>& self) {
    self_ = &self;
    progress_ = static_cast<std::size_t>(-1);
    self.restart();
  }
  void advance() { ++progress_; }
  void skip(std::size_t progresses) { progress_ += progresses; }
  std::size_t progress() const { return progress_; }
  std::size_t next_progress() const { return progress_ + 1; }
  /// 0, where signals start, before progress 0.
  std::uint32_t epoch() const { return static_cast<std::uint32_t>(progress_ + 1); }
  host<Waiting>& self() const { return *self_; }

 private:
  host<Waiting>* self_ = nullptr;
  std::size_t progress_ = static_cast<std::size_t>(-1);
};

/// Where batches come from, the types of source and slot forgotten.
struct feed {
  void* source = nullptr;
  bool (*fill)(void* source, void* slot) = nullptr;
};

/// What all threads of a running pipeline share, and the tables that each runs by.
template <class Pace, class Waiting, class Observer>
class machine : public run_state<Waiting> {
 public:
  using waiting = Waiting;
  using position = detail::position<Waiting>;
  static constexpr bool observed = Observer::observes;

  explicit machine(schedule s) : plan(std::move(s)), types_(plan) {
    const plan::plan& p = plan.plan();
    for (std::size_t slot = 0; slot < p.copies.size(); ++slot)
      slots.emplace_back(types_[slot], p.copies[slot]);
    find_hosts();
    make_signals();
    for (host<Waiting>& h : hosts) fill_in(h);
    stopped = std::vector<stopping_point>(hosts.size());
  }
  machine(const machine&) = delete;
  machine& operator=(const machine&) = delete;

  planned_schedule plan;
  std::vector<slot_copies> slots;
  std::deque<host<Waiting>> hosts;  ///< 0: the calling thread
  std::deque<std::string> names;    ///< by host thread
  std::vector<stopping_point> stopped;
  bool alone = true;                          ///< there is only the calling thread
  bool meets = false;                         ///< all threads, after every progress
  std::unique_ptr<signal<Waiting>[]> closed;  ///< by host thread, but for the calling one
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

  /// The host thread that runs a thread's chain in a progress.
  std::size_t host_at(std::size_t thread, std::size_t progress) const {
    return first_host_[thread] + progress % plan.plan().threads.workers[thread];
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
  void find_hosts() {
    const plan::thread_map& threads = plan.plan().threads;
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
    const plan::plan& p = plan.plan();
    const std::size_t nodes = p.order.size();
    if (!alone) waits_ = meets ? p.host_waits : plan.run_ahead_waits();
    waits_of_.assign(nodes, plan::range{0, 0});
    std::vector<char> awaited(nodes, 0);
    for (std::size_t i = 0; i < waits_.size(); ++i) {
      plan::range& of = waits_of_[waits_[i].consumer];
      if (of.first == of.last) of.first = i;
      of.last = i + 1;
      awaited[waits_[i].producer] = 1;
    }
    // Whoever asks whether there are more batches waits for the pull, if another thread pulls.
    if (p.threads.thread_of[pull()] != 0) awaited[pull()] = 1;
    first_signal_.assign(nodes, plan::none);
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
    const plan::plan& p = plan.plan();
    const plan::range chain = p.threads.chains[h.thread];
    h.newest = plan::none;
    std::vector<std::size_t> first_row;
    for (std::size_t i = chain.first; i < chain.last; ++i) {
      const std::size_t n = p.threads.chained[i];
      const std::size_t lag = plan.lag()[n];
      h.oldest = std::max(h.oldest, lag);
      if (first_signal_[n] != plan::none)
        h.signals.push_back(&signals_[first_signal_[n] + h.worker]);
      // Nothing happens at a delivery but waiting.
      const plan::range of = waits_of_[n];
      if (n == deliver() && of.first == of.last && chain.last - chain.first > 1) continue;
      if (n == pull()) h.pulls = true;
      if (lag < h.newest) {
        h.newest = lag;
        h.first_new = h.steps.size();
      }
      step<Waiting>& s = h.steps.emplace_back();
      s.facts = &facts_of(n, i - chain.first, h);
      if (n < p.resolved.tasks) {
        s.body = plan.input().tasks[n].body.call();
        s.object = plan.input().tasks[n].body.object();
      } else {
        s.body = [](void*, void* const*, const task_facts&, std::size_t) {};
      }
      if (first_signal_[n] != plan::none && n != deliver()) s.said = h.signals.back();
      h.first_wait.push_back(h.waits.size());
      s.wait_count = static_cast<std::uint32_t>(of.last - of.first);
      for (std::size_t w = of.first; w < of.last; ++w) {
        const plan::edge& e = waits_[w];
        h.waits.push_back(
            {&signals_[first_signal_[e.producer]], static_cast<std::uint32_t>(e.delta),
             static_cast<std::uint32_t>(p.threads.workers[p.threads.thread_of[e.producer]])});
      }
      first_row.push_back(h.rows.size());
      lay_rows(h, s, n);
    }
    // Now that the rows stay where they are.
    first_row.push_back(h.rows.size());
    for (std::size_t i = 0; i < h.steps.size(); ++i) {
      step<Waiting>& s = h.steps[i];
      s.first_slots = h.rows.data() + first_row[i];
      s.last_slots = h.rows.data() + (first_row[i + 1] - s.slot_count);
    }
  }

  const task_facts& facts_of(std::size_t n, std::size_t place, const host<Waiting>& h) {
    const plan::plan& p = plan.plan();
    task_facts& f = facts_.emplace_back();
    f.task = plan.name_of(n);
    f.thread = p.threads.names[h.thread];
    f.node = n;
    f.place = place;
    f.lag = plan.lag()[n];
    f.max_lookahead = p.resolved.max_lookahead;
    f.batches = &this->end;
    f.slots.owner = "task `" + std::string(f.task) + "`";
    for_each_use(n, [&](const plan::use& u, bool writes) {
      f.slots.slots.push_back({p.resolved.slots[u.slot].text, &types_[u.slot], writes});
    });
    return f;
  }

  template <class Look>
  void for_each_use(std::size_t n, Look look) {
    const plan::graph& g = plan.plan().resolved;
    for (std::size_t i = g.nodes[n].reads.first; i < g.nodes[n].reads.last; ++i)
      look(g.reads[i], false);
    for (std::size_t i = g.nodes[n].writes.first; i < g.nodes[n].writes.last; ++i)
      look(g.writes[i], true);
  }

  /// The slots of a step in the progresses that its host thread runs, one row each, until they
  /// repeat.
  void lay_rows(host<Waiting>& h, step<Waiting>& s, std::size_t n) {
    constexpr std::size_t most = 1024;
    long_period uses{h.steps.size() - 1, plan.lag()[n]};
    std::size_t period = 1;
    for_each_use(n, [&](const plan::use& u, bool) {
      uses.slots.push_back(&slots[u.slot]);
      if (period <= most) period = std::lcm(period, slots[u.slot].size());
    });
    s.slot_count = static_cast<std::uint32_t>(uses.slots.size());
    period /= std::gcd(period, h.workers);
    const bool too_long = period > 1 && period * uses.slots.size() > most;
    if (too_long) period = 1;
    const std::size_t first = h.rows.size();
    h.rows.resize(first + period * uses.slots.size());
    for (std::size_t row = 0; row < period; ++row)
      uses.make(h.rows.data() + first + row * uses.slots.size(), h.worker + row * h.workers);
    if (too_long) h.long_periods.push_back(std::move(uses));
  }

  slot_types types_;
  std::vector<std::size_t> first_host_;  ///< by thread
  plan::list<plan::edge> waits_;
  std::vector<plan::range> waits_of_;
  std::vector<std::size_t> first_signal_;  ///< by node
  std::size_t signal_count_ = 0;
  std::unique_ptr<signal<Waiting>[]> signals_;
  std::deque<task_facts> facts_;
};

}  // namespace stretto::dynamic::detail
