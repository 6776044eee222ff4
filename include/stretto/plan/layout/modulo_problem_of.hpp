// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <stretto/plan/derive/threads.hpp>
#include <stretto/plan/layout/modulo_problem.hpp>
#include <stretto/plan/model/algorithm.hpp>
#include <stretto/plan/model/declaration.hpp>
#include <stretto/plan/model/edge.hpp>
#include <stretto/plan/model/graph.hpp>
#include <stretto/plan/model/list.hpp>
#include <stretto/plan/model/plan.hpp>
#include <stretto/plan/model/view.hpp>
#include <string_view>

namespace stretto::planner {

/// What a schedule that is looked for keeps to.
struct modulo_limits {
  view<std::string_view> threads{};  ///< for tasks that name none; none: by stream
  int in_flight = 0;                 ///< batches; 0: as many as the schedule has now
  std::size_t bytes = 0;             ///< of all copies; 0: no limit
  bool together = false;             ///< tasks that share state have a thread in common
};

/// Times are multiplied by this, so that a period may be a quotient.
inline constexpr long long modulo_scale = 12;

namespace detail {

/// Turns a declaration, and its plan before its threads, into a problem. That declaration is
/// frugal, and knows what a copy of each slot takes.
class modulo_stating {
 public:
  constexpr modulo_stating(const declaration& d, const plan& draft, const modulo_limits& within)
      : d_(&d), plan_(&draft), within_(&within) {
    const graph& g = draft.resolved;
    const std::size_t tasks = g.tasks;
    p_.in_flight = g.max_lookahead + 1;
    // A task starts less than a period after what it waits for has ended, which took no longer, so
    // that more batches in flight than that shorten nothing, and make a search harder.
    if (within.in_flight > 0)
      p_.in_flight = smaller(within.in_flight, p_.in_flight + 2 * static_cast<int>(tasks) + 1);
    p_.least.assign(tasks, 0);
    p_.most.assign(tasks, p_.in_flight - 1);
    for (const task& t : d.tasks) p_.weight.push_back(modulo_scale * t.weight);
    p_.weight.push_back(modulo_scale * d.from.weight);
    p_.weight.push_back(0);
    add_threads();
    add_resources();
    add_edges();
    add_slots();
    keep_in_place();
  }

  constexpr const modulo_problem& stated() const { return p_; }

 private:
  constexpr const graph& g() const { return plan_->resolved; }
  constexpr void stay(std::size_t n) {
    if (n < p_.tasks()) p_.least[n] = p_.most[n] = g().nodes[n].lookahead;
  }
  constexpr bool has_writers(std::size_t slot) const {
    return g().writers_of[slot].last - g().writers_of[slot].first > 1;
  }

  constexpr std::size_t numbered(std::string_view thread) {
    if (thread == d_->caller_runs) thread = caller;
    std::size_t i = 0;
    while (i < names_.size() && names_[i] != thread) ++i;
    if (i == names_.size()) names_.push_back(thread);
    return i;
  }
  constexpr void add_threads() {
    for (const std::string_view name : within_->threads) numbered(name);
    p_.offered = names_.size();
    for (const task& t : d_->tasks)
      p_.thread.push_back(t.thread.empty() && p_.offered > 0 ? none : numbered(thread_name(t)));
    const std::size_t pulling = numbered(d_->from.thread);
    const std::size_t calling = numbered(caller);
    p_.threads = names_.size();
    // `pull` comes first in a progress and `deliver` last.
    for (std::size_t t = 0; t < p_.tasks(); ++t) {
      if (p_.thread[t] == pulling) before(p_.pull(), t);
      if (p_.thread[t] == calling) before(t, p_.deliver());
    }
  }
  constexpr void before(std::size_t a, std::size_t b) {
    p_.progresses.push_back({a, b, 0});
    p_.progresses.push_back({b, a, 1});
  }
  constexpr void add_resources() {
    constexpr std::size_t bits = 63;
    const std::size_t results_on = g().nodes[g().deliver()].stream;
    for (std::size_t t = 0; t < p_.tasks(); ++t) {
      const node& n = g().nodes[t];
      std::uint64_t held = 0;
      if (n.stream != none) held |= std::uint64_t{1} << (1 + n.stream % bits);
      if (n.collective) held |= 1U;
      p_.holds.push_back(held);
      if (n.collective && d_->from.collective) before(p_.pull(), t);
      if (results_on != none && n.stream == results_on) before(t, p_.deliver());
    }
  }

  /// Edges by batch, whatever the lookaheads; or by progress.
  constexpr void add_edges() {
    const auto ahead = [this](std::size_t n) { return g().nodes[n].lookahead; };
    for (const edge& e : plan_->edges) {
      const modulo_problem::arc by_batch{e.producer, e.consumer,
                                         e.delta - ahead(e.producer) + ahead(e.consumer)};
      switch (e.why) {
        case reason::data:
        case reason::update:
        case reason::reuse:
          if (has_writers(e.slot)) p_.arcs.push_back(by_batch);
          break;
        case reason::depends_on:
        case reason::cross_iter:
        case reason::take: p_.arcs.push_back(by_batch); break;
        case reason::same_progress_sync:
        case reason::order: p_.progresses.push_back({e.producer, e.consumer, e.delta}); break;
        default: break;  // of streams and tickets, which come from where tasks are
      }
    }
  }

  constexpr long long size_of(const name& slot) const {
    for (const slot_size& known : d_->within.sizes)
      if (known.slot == slot) return static_cast<long long>(known.bytes);
    return 0;
  }
  constexpr void add_slots() {
    long long fixed = 0;
    for (std::size_t slot = 0; slot < g().slot_list.size(); ++slot) {
      const range writers = g().writers_of[slot];
      if (writers.first == writers.last) continue;
      const long long bytes = size_of(g().slot_list[slot]);
      if (has_writers(slot)) {
        fixed += bytes * static_cast<long long>(plan_->copies[slot]);
        continue;
      }
      modulo_problem::slot made;
      made.number = slot;
      made.bytes = bytes;
      made.writer = g().writers[writers.first].node;
      made.readers.first = p_.readers.size();
      for (std::size_t i = g().readers_of[slot].first; i < g().readers_of[slot].last; ++i) {
        const use& r = g().readers[i];
        // A task may change in place what it has written itself.
        if (r.node != made.writer || r.ago > 0) p_.readers.push_back({r.node, r.ago});
      }
      made.readers.last = p_.readers.size();
      p_.slot_list.push_back(made);
    }
    p_.bytes = (std::numeric_limits<long long>::max)();
    if (within_->bytes > 0 && within_->bytes < static_cast<std::size_t>(p_.bytes))
      p_.bytes = static_cast<long long>(within_->bytes) - fixed;
  }

  /// Tasks whose lookahead says more than how far ahead they work.
  constexpr void keep_in_place() {
    for (std::size_t t = 0; t < p_.tasks(); ++t) {
      const task& declared = d_->tasks[t];
      for (const view<access> uses : {declared.reads, declared.writes})
        for (const access& a : uses)
          if (a.given) stay(t);
      for (std::size_t u = 0; u < p_.tasks(); ++u)
        if (u != t && shares(declared, d_->tasks[u])) {
          stay(t);
          if (comes_before(t, u)) p_.progresses.push_back({t, u, 0});
          if (within_->together && p_.thread[t] == none)
            p_.thread[t] = p_.thread[u] == none ? 0 : p_.thread[u];
        }
      if (!d_->strict) continue;
      for (const dependency& entry : declared.cross_iter_depends_on)
        for (std::size_t u = 0; u < p_.tasks(); ++u)
          if (d_->tasks[u].id == entry.task && g().nodes[u].stream != g().nodes[t].stream) {
            stay(t);
            stay(u);
          }
    }
    // Who updates a slot in place comes after those further ahead: they say so by lookahead.
    for (std::size_t slot = 0; slot < g().slot_list.size(); ++slot) {
      if (!has_writers(slot)) continue;
      for (std::size_t i = g().writers_of[slot].first; i < g().writers_of[slot].last; ++i)
        stay(g().writers[i].node);
      for (std::size_t i = g().readers_of[slot].first; i < g().readers_of[slot].last; ++i)
        stay(g().readers[i].node);
    }
  }
  constexpr bool comes_before(std::size_t t, std::size_t u) const {
    for (const std::size_t n : plan_->order)
      if (n == t || n == u) return n == t;
    return false;
  }
  /// Whether two tasks use a resource that one of them changes.
  static constexpr bool shares(const task& a, const task& b) {
    const auto meet = [](view<name> x, view<name> y) {
      for (const name& one : x)
        for (const name& other : y)
          if (one == other) return true;
      return false;
    };
    return meet(a.mutates, b.mutates) || meet(a.mutates, b.observes) || meet(a.observes, b.mutates);
  }

  const declaration* d_;
  const plan* plan_;
  const modulo_limits* within_;
  modulo_problem p_;
  list<std::string_view> names_;
};

}  // namespace detail

/// The problem of scheduling a declaration's tasks anew. \p draft is its plan before its threads.
constexpr modulo_problem make_modulo_problem(const declaration& d, const plan& draft,
                                             const modulo_limits& within) {
  return detail::modulo_stating(d, draft, within).stated();
}

}  // namespace stretto::planner
