// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <stretto/bound/cycles.hpp>
#include <stretto/plan/layout/period.hpp>
#include <stretto/plan/model/declaration.hpp>
#include <stretto/plan/model/edge.hpp>
#include <stretto/plan/model/graph.hpp>
#include <stretto/plan/model/list.hpp>
#include <stretto/plan/model/text_builder.hpp>
#include <stretto/plan/model/view.hpp>
#include <stretto/run/error.hpp>
#include <string>
#include <string_view>

namespace stretto {

/// What a task takes for a batch, in any unit: the same for all tasks. "pull" is the source.
struct task_cost {
  std::string_view task;
  long long time = 0;
};

/// Which time per progress a plan can reach at best, what keeps it from less, and what each task's
/// time has to do with it: by the tasks' weights, or by costs that were measured. Made by
/// `bound_of`. Threads run ahead of each other, waiting takes no time, and each thread has a core.
/// Refers to the schedule's names.
class plan_bound {
 public:
  /// \p p: its resolved graph \p g, order, edges, threads. Throws `usage_error` if \p costs name
  /// what is no task, name a task twice or say less than 0.
  constexpr plan_bound(const planner::declaration& d, const planner::graph& g,
                       planner::view<std::size_t> order, planner::view<planner::edge> edges,
                       planner::view<std::size_t> thread_of, planner::view<std::size_t> workers,
                       planner::view<std::string_view> thread_names, planner::view<task_cost> costs)
      : cycles_(g, order, with_delivery(g, edges), thread_of, workers) {
    for (const planner::task& t : d.tasks) names_.push_back(t.id.text);
    names_.push_back("pull");
    names_.push_back("deliver");
    thread_of_.append(thread_of);
    workers_.append(workers);
    thread_names_.append(thread_names);
    planner::list<char> told(names_.size(), 0);
    for (const task_cost& c : costs) {
      const std::size_t node = node_of(c.task);
      if (told[node] != 0) refuse("is told the cost of twice", c.task);
      if (c.time < 0) refuse("costs less than nothing", c.task);
      told[node] = 1;
      cycles_.set_time(node, c.time);
    }
    critical_ = cycles_.find_critical();
    find_thread(order);
  }

  /// The time per progress: no run of this plan is faster.
  constexpr planner::ratio period() const { return critical_.period; }
  /// The tasks that ask for that, in the order in which they work: the first one waits for the
  /// last one's end, `progresses()` progresses later. Those that take no time are left out.
  constexpr const planner::list<std::string_view>& cycle() const { return cycle_; }
  /// After how many progresses the cycle is back at its first task.
  constexpr long long progresses() const { return critical_.period.progresses; }
  /// The thread group that is busy all the time with that; empty if tasks of several threads wait
  /// for each other.
  constexpr std::string_view busy_thread() const { return busy_; }

  /// How much longer a task may take for each batch before a progress takes longer; 0: any longer
  /// is too long. Throws `usage_error` if there is no such task.
  constexpr planner::ratio spare(std::string_view task) const {
    return cycles_.spare(node_of(task), critical_.period);
  }
  /// The time per progress if a task took \p time for a batch and all others what they do. Throws
  /// `usage_error` if there is no such task, or \p time is less than 0.
  constexpr planner::ratio period_if(std::string_view task, long long time) const {
    if (time < 0) refuse("costs less than nothing", task);
    bound::detail::cycles changed = cycles_;
    changed.set_time(node_of(task), time);
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

  /// All of that as text for people: what a progress takes, why, and a line for each task.
  [[gnu::cold]] std::string text() const {
    planner::text_builder out;
    add_decimal(out.add("a progress takes "), period()).add(" at best");
    if (!busy_.empty()) {
      out.add(": thread ").quoted(busy_).add(" is busy all the time with ");
      list_cycle(out, ", ");
    } else if (!cycle_.empty()) {
      list_cycle(out.add(": "), " > ").add(" > ").quoted(cycle_.front());
      out.add(" ").count(static_cast<std::size_t>(progresses()), " progress later, ",
                         " progresses later, ");
      add_decimal(out, {critical_.period.time, 1}).add(" in all");
    }
    std::size_t width = 4;
    for (std::size_t n = 0; n + 1 < names_.size(); ++n)
      if (width < names_[n].size()) width = names_[n].size();
    const auto row = [&](std::string_view name, auto&&... cell) {
      out.add("\n  ");
      std::size_t start = out.size();
      std::size_t columns = width;
      const auto pad = [&] {
        out.pad(start, columns + 2);
        start = out.size();
        columns = 8;
      };
      out.shown(name);
      (..., (pad(), cell()));
    };
    row(
        "task", [&] { out.add("time"); }, [&] { out.add("exposed"); }, [&] { out.add("spare"); });
    for (std::size_t n = 0; n + 1 < names_.size(); ++n)
      row(
          names_[n], [&, n] { out.number(cycles_.time_of(n)); },
          [&, n] { add_decimal(out, exposed(names_[n])); },
          [&, n] { add_decimal(out, spare(names_[n])); });
    return out.add("\n").text();
  }

 private:
  static constexpr planner::list<planner::edge> with_delivery(const planner::graph& g,
                                                              planner::view<planner::edge> edges) {
    planner::list<planner::edge> all;
    all.append(edges);
    all.append(planner::delivery_edges(g));
    return all;
  }
  [[noreturn]] static void refuse(const char* what, std::string_view task) {
    throw usage_error(std::string("task `").append(task).append("` ").append(what));
  }
  constexpr std::size_t node_of(std::string_view task) const {
    for (std::size_t n = 0; n + 1 < names_.size(); ++n)
      if (names_[n] == task) return n;
    refuse("is not one of this plan", task);
  }
  static planner::text_builder& add_decimal(planner::text_builder& out, planner::ratio r) {
    out.number(r.time / r.progresses);
    const long long hundredths = 100 * (r.time % r.progresses) / r.progresses;
    if (hundredths != 0) out.add(hundredths < 10 ? ".0" : ".").number(hundredths);
    return out;
  }
  planner::text_builder& list_cycle(planner::text_builder& out, const char* between) const {
    for (std::size_t i = 0; i < cycle_.size(); ++i)
      out.add(i == 0 ? "" : between).quoted(cycle_[i]);
    return out;
  }
  constexpr void find_thread(planner::view<std::size_t> order) {
    planner::list<long long> load(workers_.size(), 0);
    for (const std::size_t n : order) load[thread_of_[n]] += cycles_.time_of(n);
    std::size_t busy = planner::none;
    for (std::size_t t = 0; t < workers_.size() && busy == planner::none; ++t)
      if (load[t] > 0 &&
          planner::ratio{load[t], static_cast<long long>(workers_[t])} == critical_.period)
        busy = t;
    if (busy == planner::none) {
      for (const std::size_t n : critical_.nodes)
        if (cycles_.time_of(n) > 0) cycle_.push_back(names_[n]);
      return;
    }
    busy_ = thread_names_[busy];
    critical_.period = {load[busy], static_cast<long long>(workers_[busy])};
    for (const std::size_t n : order)
      if (thread_of_[n] == busy && cycles_.time_of(n) > 0) cycle_.push_back(names_[n]);
  }

  bound::detail::cycles cycles_;
  bound::detail::cycles::critical critical_;
  planner::list<std::string_view> names_;  // by node
  planner::list<std::size_t> thread_of_;   // by node
  planner::list<std::size_t> workers_;     // by thread
  planner::list<std::string_view> thread_names_;
  planner::list<std::string_view> cycle_;
  std::string_view busy_;
};

}  // namespace stretto
