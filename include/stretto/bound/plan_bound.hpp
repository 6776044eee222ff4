// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <stretto/bound/costs.hpp>
#include <stretto/bound/curve.hpp>
#include <stretto/bound/cycles.hpp>
#include <stretto/bound/steady_state.hpp>
#include <stretto/plan/layout/period.hpp>
#include <stretto/plan/model/declaration.hpp>
#include <stretto/plan/model/edge.hpp>
#include <stretto/plan/model/firing.hpp>
#include <stretto/plan/model/graph.hpp>
#include <stretto/plan/model/list.hpp>
#include <stretto/plan/model/name_list.hpp>
#include <stretto/plan/model/text_builder.hpp>
#include <stretto/plan/model/view.hpp>
#include <string>
#include <string_view>

namespace stretto {

/// Part of how the time per progress depends on the time of one task, all others taking what they
/// do: from \c from on, up to where the next part begins, it is `period` and `slope` times what the
/// task takes more than `from`.
struct curve_piece {
  planner::ratio from;
  planner::ratio period;
  planner::ratio slope;          ///< 0: what the task takes is hidden
  std::string_view busy_thread;  ///< as of `plan_bound`
  std::string_view busy_stream;
  planner::list<std::string_view> cycle;
};

/// Which time per progress a plan can reach at best, what keeps it from less, and what each task's
/// time has to do with it: by the tasks' weights, or by costs that were measured. Made by
/// `bound_of`. Waiting takes no time, and each thread has a core. Of a task that runs once per N
/// batches an N-th of its time counts, rounded down: what all progresses take on average is no
/// less. Refers to the schedule's names.
class plan_bound {
 public:
  /// \p p: its resolved graph \p g, order, edges, threads. Throws `usage_error` if \p costs name
  /// what is no task, name a task twice or say less than 0. With \p meet threads meet after each
  /// progress; without, they run ahead of each other.
  constexpr plan_bound(const planner::declaration& d, const planner::graph& g,
                       planner::view<std::size_t> order, planner::view<planner::edge> edges,
                       planner::view<std::size_t> thread_of, planner::view<std::size_t> workers,
                       planner::view<std::string_view> thread_names, planner::view<task_cost> costs,
                       bool meet = false)
      : cycles_(g, order, edges, thread_of, workers, meet), names_(d), streams_(g.streams) {
    for (const planner::node& n : g.nodes) {
      lag_.push_back(planner::lag(g.max_lookahead, n.lookahead));
      stream_of_.push_back(n.stream);
      every_.push_back(n.runs.every);
    }
    for (std::size_t n = 0; n < d.tasks.size(); ++n)
      if (every_[n] > 1) cycles_.set_time(n, per_progress(n, d.tasks[n].weight));
    thread_of_.append(thread_of);
    workers_.append(workers);
    thread_names_.append(thread_names);
    names_.each(costs, [&](std::size_t node, long long time) {
      cycles_.set_time(node, per_progress(node, time));
    });
    critical_ = cycles_.find_critical();
    find_limit();
  }

  /// The time per progress: no run of this plan is faster.
  constexpr planner::ratio period() const { return critical_.period; }
  /// The tasks that ask for that, in the order in which they work: the first one waits for the
  /// last one's end, `progresses()` progresses later. Those that take no time are left out.
  constexpr const planner::list<std::string_view>& cycle() const { return limit_.cycle; }
  /// After how many progresses the cycle is back at its first task.
  constexpr long long progresses() const { return critical_.period.progresses; }
  /// The thread group that is busy all the time with that; empty if tasks of several threads wait
  /// for each other.
  constexpr std::string_view busy_thread() const { return limit_.busy_thread; }
  /// The stream that is busy all the time with that, if no thread is; else empty.
  constexpr std::string_view busy_stream() const { return limit_.busy_stream; }

  /// What a task is taken to take for a batch. Throws `usage_error` if there is no such task.
  constexpr long long time_of(std::string_view task) const {
    return cycles_.time_of(names_.node_of(task));
  }
  /// How much longer a task may take for each batch before a progress takes longer; 0: any longer
  /// is too long. Throws `usage_error` if there is no such task.
  constexpr planner::ratio spare(std::string_view task) const {
    return cycles_.spare(names_.node_of(task), critical_.period);
  }
  /// The time per progress if a task took \p time for a batch and all others what they do. Throws
  /// `usage_error` if there is no such task, or \p time is less than 0.
  constexpr planner::ratio period_if(std::string_view task, long long time) const {
    if (time < 0) bound::shared::a_task_costs_less_than_nothing(task);
    bound::detail::cycles changed = cycles_;
    const std::size_t node = names_.node_of(task);
    changed.set_time(node, per_progress(node, time));
    return changed.period();
  }
  /// How much of a task's time is not hidden behind others': what a progress would take less if the
  /// task took none.
  constexpr planner::ratio exposed(std::string_view task) const {
    const planner::ratio without = period_if(task, 0);
    const planner::ratio& with = critical_.period;
    return {with.time * without.progresses - without.time * with.progresses,
            with.progresses * without.progresses};
  }

  /// The time per progress by the time of a task: convex, so a task helps the less the faster it
  /// is. Exact. Throws `usage_error` if there is no such task.
  constexpr planner::list<curve_piece> curve(std::string_view task) const {
    const std::size_t node = names_.node_of(task);
    planner::list<curve_piece> all;
    for (const bound::detail::piece& p : bound::detail::find_pieces(cycles_, node)) {
      curve_piece shown = limit_of(p.upper, node);
      shown.from = p.from;
      shown.period = p.upper.at(p.from);
      shown.slope = p.upper.slope();
      all.push_back(shown);
    }
    return all;
  }

  /// What a batch takes from the begin of its pull to its result in a long run whose source always
  /// has the next one: the mean.
  constexpr planner::ratio latency() const { return steady().latency; }
  /// How many batches are between pull and result on average: the latency by the period.
  constexpr planner::ratio in_flight() const {
    const planner::ratio mean = latency();
    if (period().time == 0) return {0, 1};
    return {mean.time * period().progresses, mean.progresses * period().time};
  }
  /// From the begin of the first pull to the first result.
  constexpr long long fill() const { return steady().fill; }
  /// From the end of the last pull to the end of a long run: the longest, where it depends on the
  /// number of batches.
  constexpr long long drain() const { return steady().drain; }

  /// What a progress takes, and why, for people.
  [[gnu::cold]] std::string limit() const {
    planner::text_builder out;
    add_limit(out);
    return out.text();
  }

  /// All of that as text for people: what a progress takes, why, what a batch takes, a line for
  /// each task, and one for each that helps up to a point.
  [[gnu::cold]] std::string text() const {
    planner::text_builder out;
    add_limit(out);
    if (period().time > 0) {
      const bound::detail::steady_state run = steady();
      add(out.add("\na batch takes "), run.latency).add(" from its pull to its result: ");
      add(out, in_flight()).add(" in flight; the first result comes after ").number(run.fill);
      out.add(", the end ").number(run.drain).add(" after the last pull");
    }
    // As wide as the widest of each column.
    std::size_t width = 4;
    std::size_t numbers = 8;
    const auto widen = [](std::size_t& to, const auto& write) {
      planner::text_builder cell;
      write(cell);
      if (to < cell.size()) to = cell.size();
    };
    for (std::size_t n = 0; n < names_.timed(); ++n) {
      widen(width, [&](planner::text_builder& to) { to.shown(names_[n]); });
      widen(numbers, [&](planner::text_builder& to) { to.number(cycles_.time_of(n)); });
      widen(numbers, [&](planner::text_builder& to) { add(to, exposed(names_[n])); });
      widen(numbers, [&](planner::text_builder& to) { add(to, spare(names_[n])); });
    }
    const auto row = [&](std::string_view name, auto&&... cell) {
      out.add("\n  ");
      std::size_t start = out.size();
      std::size_t columns = width;
      const auto pad = [&] {
        out.pad(start, columns + 2);
        start = out.size();
        columns = numbers;
      };
      out.shown(name);
      (..., (pad(), cell()));
    };
    row(
        "task", [&] { out.add("time"); }, [&] { out.add("exposed"); }, [&] { out.add("spare"); });
    for (std::size_t n = 0; n < names_.timed(); ++n)
      row(
          names_[n], [&, n] { out.number(cycles_.time_of(n)); },
          [&, n] { add(out, exposed(names_[n])); }, [&, n] { add(out, spare(names_[n])); });
    for (std::size_t n = 0; n < names_.timed(); ++n) add_curve(out, n);
    return out.add("\n").text();
  }

 private:
  [[gnu::cold]] static planner::text_builder& add(planner::text_builder& out, planner::ratio r) {
    return out.quotient(r.time, r.progresses);
  }
  [[gnu::cold]] static void add_limit(planner::text_builder& out, const curve_piece& limit) {
    if (!limit.busy_thread.empty())
      out.add("thread ").quoted(limit.busy_thread).add(" is busy all the time with ");
    if (!limit.busy_stream.empty())
      out.add("stream ").quoted(limit.busy_stream).add(" is busy all the time with ");
    const bool circle = limit.busy_thread.empty() && limit.busy_stream.empty();
    planner::add_names(out, limit.cycle, circle ? " > " : ", ");
  }
  [[gnu::cold]] void add_limit(planner::text_builder& out) const {
    add(out.add("a progress takes "), period()).add(" at best");
    if (cycle().empty()) return;
    add_limit(out.add(": "), limit_);
    if (!busy_thread().empty() || !busy_stream().empty()) return;
    out.add(" > ").quoted(cycle().front()).add(" ");
    out.count(static_cast<std::size_t>(progresses()), " progress later, ", " progresses later, ");
    add(out, {critical_.period.time, 1}).add(" in all");
  }
  /// How much faster the task helps, and what is in the way then, if anything is.
  [[gnu::cold]] void add_curve(planner::text_builder& out, std::size_t node) const {
    const planner::ratio time{cycles_.time_of(node), 1};
    const planner::list<curve_piece> pieces = curve(names_[node]);
    std::size_t now = 0;  // the piece in which the task gets faster
    while (now + 1 < pieces.size() && pieces[now + 1].from < time) ++now;
    if (now == 0 || pieces[now].slope.time == 0) return;
    const planner::ratio& bend = pieces[now].from;
    const planner::ratio faster{time.time * bend.progresses - bend.time, bend.progresses};
    const planner::ratio& slope = pieces[now].slope;
    out.add("\n").quoted(names_[node]).add(": up to ");
    add(out, faster).add(" faster saves ");
    add(out, {faster.time * slope.time, faster.progresses * slope.progresses});
    add_limit(out.add("; then "), pieces[now - 1]);
  }
  constexpr bound::detail::steady_state steady() const {
    return bound::detail::find_steady_state(
        cycles_.waits(), cycles_.order(), lag_, names_.pull(),
        cycles_.meet() ? cycles_.order().back() : names_.deliver());
  }

  /// What a node adds to a progress on average that takes \p time for a batch.
  constexpr long long per_progress(std::size_t node, long long time) const {
    return time / every_[node];
  }

  /// Who asks for as much as a line, by the time of \p node: a thread, a stream, or its cycle.
  constexpr curve_piece limit_of(const bound::detail::line& l, std::size_t node) const {
    curve_piece limit;
    limit.period = {l.time, l.progresses};
    for (std::size_t t = 0; t < workers_.size(); ++t) {
      if (!busy_as(l, node, thread_of_, t, workers_[t], limit)) continue;
      limit.busy_thread = thread_names_[t];
      return limit;
    }
    for (std::size_t s = 0; s < streams_.size(); ++s) {
      if (!busy_as(l, node, stream_of_, s, 1, limit)) continue;
      limit.busy_stream = streams_[s];
      return limit;
    }
    for (const std::size_t n : l.nodes)
      if (n == node ? l.through : cycles_.time_of(n) > 0) limit.cycle.push_back(names_[n]);
    return limit;
  }
  /// Whether a thread or a stream asks for as much as a line; with which tasks, if so.
  constexpr bool busy_as(const bound::detail::line& l, std::size_t node,
                         const planner::list<std::size_t>& track_of, std::size_t track,
                         std::size_t workers, curve_piece& limit) const {
    bound::detail::line own;
    own.progresses = static_cast<long long>(workers);
    own.through = node < track_of.size() && track_of[node] == track;
    for (const std::size_t n : cycles_.order())
      if (n < track_of.size() && n != node && track_of[n] == track) own.time += cycles_.time_of(n);
    if (!own.same(l) || (own.time == 0 && !own.through)) return false;
    for (const std::size_t n : cycles_.order())
      if (n < track_of.size() && track_of[n] == track && (n == node || cycles_.time_of(n) > 0))
        limit.cycle.push_back(names_[n]);
    limit.period = {own.time, own.progresses};
    return true;
  }
  constexpr void find_limit() {
    bound::detail::line now;
    now.time = critical_.period.time;
    now.progresses = critical_.period.progresses;
    now.nodes = critical_.nodes;
    limit_ = limit_of(now, planner::none);
    critical_.period = limit_.period;
  }

  bound::detail::cycles cycles_;
  bound::detail::cycles::critical critical_;
  bound::shared::node_names names_;
  planner::list<std::size_t> lag_;        // by node
  planner::list<std::size_t> thread_of_;  // by node
  planner::list<std::size_t> stream_of_;  // by node
  planner::list<long long> every_;        // by node: of how many batches it runs for one
  planner::list<std::size_t> workers_;    // by thread
  planner::list<std::string_view> thread_names_;
  planner::list<std::string_view> streams_;
  curve_piece limit_;
};

}  // namespace stretto
