// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <numeric>
#include <stretto/bound/batch_cycles.hpp>
#include <stretto/bound/costs.hpp>
#include <stretto/plan/layout/crowded_thread.hpp>
#include <stretto/plan/layout/period.hpp>
#include <stretto/plan/model/algorithm.hpp>
#include <stretto/plan/model/declaration.hpp>
#include <stretto/plan/model/edge.hpp>
#include <stretto/plan/model/graph.hpp>
#include <stretto/plan/model/list.hpp>
#include <stretto/plan/model/name_list.hpp>
#include <stretto/plan/model/text_builder.hpp>
#include <stretto/plan/model/view.hpp>
#include <string>
#include <string_view>

namespace stretto {

/// The time per progress that no other plan of the same tasks goes below, whatever their
/// lookaheads, threads and order and the copies of their slots, and why. What they read, write and
/// depend on is kept, and so are streams; there are no more host threads that run tasks, no more
/// batches in flight, and no more workers in a group, than in the plan that it is asked of. A
/// bound: it may be that no plan reaches it. Made by `least_of`. Refers to the schedule's names.
class plan_least {
 public:
  enum class why {
    nothing,      ///< no task takes any time
    task,         ///< a task, or the source, takes as long
    stream,       ///< tasks of one stream do, which are done one after the other
    collectives,  ///< tasks that are collectives do, likewise
    threads,      ///< all tasks do, divided among as many threads
    crowd,        ///< of more tasks than there are threads, a thread has several, which do
    cycle         ///< tasks wait for each other over batches
  };

  /// \p g: the resolved graph of \p d; \p edges, \p thread_of by node and \p workers by thread as
  /// in its plan. Throws `usage_error` if \p costs name what is no task, name a task twice or say
  /// less than 0.
  constexpr plan_least(const planner::declaration& d, const planner::graph& g,
                       planner::view<planner::edge> edges, planner::view<std::size_t> thread_of,
                       planner::view<std::size_t> workers, planner::view<task_cost> costs)
      : plan_least(g, bound::shared::node_times(d, g, costs), edges, thread_of, workers) {}
  /// By the \p times of nodes. If it is told what is \p enough, it looks no further once the least
  /// is known to be that, and `because()` is left out.
  constexpr plan_least(const planner::graph& g, const bound::shared::node_times& times,
                       planner::view<planner::edge> edges, planner::view<std::size_t> thread_of,
                       planner::view<std::size_t> workers, planner::ratio enough = {0, 0})
      : in_flight_(g.max_lookahead + 1) {
    const std::size_t most_workers = count_threads(g, thread_of, workers);
    add_loads(g, times.names, times.all, static_cast<long long>(most_workers), enough);
    if (!is(enough)) add_cycles(g, times.names, times.all, edges);
  }

  constexpr planner::ratio period() const { return period_; }
  constexpr why reason() const { return reason_; }
  /// The task, the tasks of that stream, or those of the cycle, in the order in which they work:
  /// the first one waits for the last one, `batches()` batches ago. None if it is all tasks. What
  /// takes no time is left out. Of a crowd, those of which a thread has `share()`, longest first.
  constexpr const planner::list<std::string_view>& because() const { return because_; }
  /// That is busy all the time; empty if the reason is another.
  constexpr std::string_view busy_stream() const { return stream_; }
  /// After how many batches the cycle is back at its first task, if that is the reason.
  constexpr long long batches() const { return reason_ == why::cycle ? period_.progresses : 0; }
  /// How many of the tasks of a crowd a thread has at least, if that is the reason.
  constexpr std::size_t share() const { return share_; }
  /// The host threads that run tasks.
  constexpr std::size_t threads() const { return threads_; }
  /// Batches.
  constexpr int in_flight() const { return in_flight_; }

  /// All of that as text for people.
  [[gnu::cold]] std::string text() const {
    planner::text_builder out;
    out.add("no plan of these tasks with ");
    out.count(threads_, " thread", " threads").add(" and ");
    out.count(static_cast<std::size_t>(in_flight_), " batch", " batches");
    out.add(" in flight takes less than ").quotient(period_.time, period_.progresses);
    switch (reason_) {
      case why::nothing: return out.add("\n").text();
      case why::task: out.add(" per progress: "); break;
      case why::stream:
        out.add(" per progress: stream ").quoted(stream_).add(" is busy with ");
        break;
      case why::collectives: out.add(" per progress: done one after the other are "); break;
      case why::threads: out.add(" per progress: all threads are busy"); break;
      case why::crowd:
        out.add(" per progress: a thread has ").number(static_cast<long long>(share_));
        out.add(" of these tasks at least: ");
        break;
      case why::cycle: out.add(" per progress: "); break;
    }
    planner::add_names(out, because_, reason_ == why::cycle ? " > " : ", ");
    if (reason_ == why::task) out.add(" takes that by itself");
    if (reason_ == why::cycle) {
      out.add(" > ").quoted(because_.front()).add(" ");
      out.count(static_cast<std::size_t>(period_.progresses), " batch later, ", " batches later, ");
      out.quotient(period_.time, 1).add(" in all");
    }
    return out.add("\n").text();
  }

 private:
  constexpr void at_least(planner::ratio time, why reason) {
    if (!(period_ < time)) return;
    period_ = time;
    reason_ = reason;
  }

  constexpr bool is(planner::ratio enough) const {
    return enough.progresses > 0 && !(period_ < enough);
  }

  /// How many host threads run tasks; returns the most workers of one group, which may share a
  /// task.
  constexpr std::size_t count_threads(const planner::graph& g, planner::view<std::size_t> thread_of,
                                      planner::view<std::size_t> workers) {
    planner::list<char> used(workers.size(), 0);
    for (std::size_t n = 0; n < g.tasks; ++n) used[thread_of[n]] = 1;
    std::size_t most = 1;
    for (std::size_t t = 0; t < workers.size(); ++t) {
      if (used[t] == 0) continue;
      threads_ += workers[t];
      most = planner::larger(most, workers[t]);
    }
    return most;
  }

  /// What the fullest thread does at least: a multiple of \p unit, if no task is shared.
  constexpr planner::ratio fullest_thread(long long total, long long unit,
                                          long long workers) const {
    const auto threads = static_cast<long long>(planner::larger(threads_, std::size_t{1}));
    if (workers > 1 || unit == 0) return {total, threads};
    const long long step = unit * threads;
    return {(total + step - 1) / step * unit, 1};
  }

  constexpr void add_loads(const planner::graph& g, const bound::shared::node_names& names,
                           const planner::list<long long>& times, long long workers,
                           planner::ratio enough) {
    long long total = 0;
    long long unit = 0;
    long long collectives = 0;
    planner::list<long long> streams(g.streams.size(), 0);
    at_least({times[g.pull()], 1}, why::task);
    std::size_t longest = g.pull();
    for (std::size_t n = 0; n < g.tasks; ++n) {
      total += times[n];
      unit = std::gcd(times[n], unit);
      if (g.nodes[n].collective) collectives += times[n];
      if (g.nodes[n].stream != planner::none) streams[g.nodes[n].stream] += times[n];
      if (!(period_ < planner::ratio{times[n], workers})) continue;
      at_least({times[n], workers}, why::task);
      longest = n;
    }
    std::size_t busiest = planner::none;
    for (std::size_t s = 0; s < streams.size(); ++s) {
      if (!(period_ < planner::ratio{streams[s], 1})) continue;
      at_least({streams[s], 1}, why::stream);
      busiest = s;
    }
    at_least({collectives, 1}, why::collectives);
    at_least(fullest_thread(total, unit, workers), why::threads);
    if (workers == 1 && !is(enough)) add_crowd(g, names, times);
    if (enough.progresses > 0) return;
    for (std::size_t n = 0; n < names.timed(); ++n) {
      const planner::node& own = g.nodes[n];
      const bool part = reason_ == why::task     ? n == longest
                        : reason_ == why::stream ? n < g.tasks && own.stream == busiest
                                                 : reason_ == why::collectives && own.collective;
      if (part && times[n] > 0) because_.push_back(names[n]);
    }
    if (reason_ == why::stream) stream_ = g.streams[busiest];
  }

  /// What no thread shares with another, and some thread has several of.
  constexpr void add_crowd(const planner::graph& g, const bound::shared::node_names& names,
                           const planner::list<long long>& times) {
    long long longest = 0;
    for (std::size_t n = 0; n < g.tasks; ++n) longest = planner::larger(longest, times[n]);
    planner::list<std::size_t> shorter;
    for (std::size_t n = 0; n < g.tasks; ++n)
      shorter.push_back(static_cast<std::size_t>(longest - times[n]));
    const planner::list<std::size_t> order = planner::places_by_key(shorter);
    planner::list<long long> sorted;
    for (const std::size_t n : order) sorted.push_back(times[n]);
    const planner::crowded_thread crowd = planner::find_crowd(sorted, threads_);
    if (!(period_ < planner::ratio{crowd.load, 1})) return;
    at_least({crowd.load, 1}, why::crowd);
    share_ = crowd.share;
    for (std::size_t i = 0; i < crowd.tasks; ++i) because_.push_back(names[order[i]]);
  }

  constexpr void add_cycles(const planner::graph& g, const bound::shared::node_names& names,
                            const planner::list<long long>& times,
                            planner::view<planner::edge> edges) {
    bound::shared::batch_cycles waits(times);
    for (const planner::edge& e : edges) {
      const planner::node& from = g.nodes[e.producer];
      const planner::node& to = g.nodes[e.consumer];
      // How batches of groups correspond is more than a distance.
      if (from.runs.every > 1 || to.runs.every > 1) continue;
      switch (e.why) {
        case planner::reason::data:
        case planner::reason::depends_on:
        case planner::reason::cross_iter:
        case planner::reason::take:
          if (const int ago = e.delta - from.lookahead + to.lookahead; ago >= 0)
            waits.wait(e.producer, e.consumer, ago);
          break;
        case planner::reason::same_progress_sync:
          // By progress: on a batch that depends on lookaheads, at the latest on this one.
          waits.wait(e.producer, e.consumer, e.delta + g.max_lookahead);
          break;
        default: break;  // of copies, threads, streams and orders, which other plans have otherwise
      }
    }
    for (std::size_t n = 0; n < g.tasks; ++n) {
      if (g.nodes[n].runs.every > 1) continue;
      waits.wait(g.pull(), n, 0);
      waits.wait(n, g.deliver(), 0);
    }
    waits.wait(g.deliver(), g.pull(), in_flight_);
    const bound::shared::batch_cycles::greatest found = waits.find(period_);
    if (found.nodes.empty()) return;
    period_ = found.period;
    reason_ = why::cycle;
    stream_ = {};
    share_ = 0;
    because_ = {};
    for (const std::size_t n : found.nodes)
      if (times[n] > 0) because_.push_back(names[n]);
  }

  planner::ratio period_{0, 1};
  why reason_ = why::nothing;
  planner::list<std::string_view> because_;
  std::string_view stream_;
  std::size_t share_ = 0;
  std::size_t threads_ = 0;
  int in_flight_ = 1;
};

}  // namespace stretto
