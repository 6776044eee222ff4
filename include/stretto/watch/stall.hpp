// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <stretto/plan/model/edge.hpp>
#include <stretto/plan/model/firing.hpp>
#include <stretto/plan/model/list.hpp>
#include <stretto/plan/model/rate.hpp>
#include <stretto/plan/text/plan_view.hpp>
#include <stretto/plan/text/plan_writer.hpp>
#include <stretto/run/run_state.hpp>
#include <stretto/text/in_units.hpp>
#include <stretto/text/shown.hpp>
#include <stretto/watch/activity.hpp>
#include <string>
#include <vector>

namespace stretto::watch::detail {

/// Where the threads of a run are, by what a monitor saw of them, and what the plan has those wait
/// for that run nothing.
class stall {
 public:
  /// \p meets: whether threads meet after each progress.
  stall(const planner::plan_view& p, bool meets, const activity& now)
      : plan_(p), meets_(meets), now_(now) {}

  /// What a monitor can see that needs nobody to look after it: no batch is in flight, and whoever
  /// pulls is in the source.
  bool waits_for_source() const {
    if (now_.in_flight() != 0) return false;
    for (const activity::thread_row& t : now_.threads)
      if (t.runs_a_task) return t.task == pull();
    return false;
  }

  std::string text() const {
    std::string all = "batches in flight: ";
    all += now_.in_flight() == 0   ? "none"
           : now_.in_flight() == 1 ? std::to_string(now_.first + now_.through)
                                   : std::to_string(now_.first + now_.through) + " to " +
                                         std::to_string(now_.first + now_.begun - 1);
    std::size_t host = 0;
    for (std::size_t thread = 0; thread < plan_.threads.size(); ++thread)
      for (std::size_t worker = 0; worker < workers(thread); ++worker, ++host)
        if (host < now_.threads.size()) all += "\n" + line(thread, worker, now_.threads[host]);
    return all;
  }

 private:
  struct turn {
    std::size_t node = activity::none;
    std::size_t progress = 0;
  };

  planner::rate rate_of(std::size_t node) const {
    return node < plan_.tasks() ? planner::rate_of(plan_.declared.tasks[node]) : planner::rate{};
  }
  /// How many runs a task has for the batches before one.
  static std::size_t runs_before(const planner::rate& r, std::size_t batch) {
    const auto phase = static_cast<std::size_t>(r.phase);
    return batch <= phase ? 0 : (batch - 1 - phase) / static_cast<std::size_t>(r.every) + 1;
  }
  /// Whether a task has done a batch, of this run or of those before.
  bool has_done(std::size_t node, std::size_t batch) const {
    if (node == pull() && now_.dry) return true;  // it has none
    const planner::rate r = rate_of(node);
    return now_.tasks[node].batches + runs_before(r, now_.first) >= runs_before(r, batch + 1);
  }
  std::size_t pull() const { return plan_.tasks(); }
  std::size_t workers(std::size_t thread) const {
    return plan_.workers[thread] < 1 ? 1 : plan_.workers[thread];
  }
  std::string quoted(std::string_view name) const { return "`" + text::shown(name) + "`"; }
  std::string name_of(std::size_t node) const { return quoted(now_.tasks[node].name); }

  std::string line(std::size_t thread, std::size_t worker, const activity::thread_row& t) const {
    const std::string who = "  thread " + quoted(t.name);
    const std::string long_ago = " for " + text::in_units(t.since);
    if (t.runs_a_task)
      return who + (t.task == pull() ? " has asked the source for batch " : " has been in ") +
             (t.task == pull() ? "" : name_of(t.task) + " on batch ") + std::to_string(t.batch) +
             long_ago;
    const turn next = next_of(thread, worker, t);
    if (next.node == activity::none) return who + " has nothing to run";
    const std::string batch = std::to_string(next.progress - plan_.lag[next.node]);
    std::vector<std::string> reasons = awaited(next);
    if (!reasons.empty()) {
      std::string all = who + " has waited" + long_ago + " to run " + name_of(next.node) +
                        " on batch " + batch + ", which comes after ";
      for (std::size_t r = 0; r < reasons.size(); ++r) all += (r > 0 ? ", " : "") + reasons[r];
      return all;
    }
    if (thread == 0) return who + " has been in the loop over results, or elsewhere," + long_ago;
    return who + " has run nothing" + long_ago + ": " + name_of(next.node) + " on batch " + batch +
           (meets_ ? " waits for the threads to meet" : " may begin, if there is such a batch");
  }

  /// What a thread that has run a task runs next.
  turn next_of(std::size_t thread, std::size_t worker, const activity::thread_row& t) const {
    const planner::range own = plan_.chains[thread];
    if (own.first == own.last) return {};
    std::size_t at = own.first;
    // The first that the worker runs.
    std::size_t progress =
        now_.first + runner::progresses_to_own(worker, workers(thread), now_.first);
    if (t.task != activity::none) {
      progress = t.batch + plan_.lag[t.task];
      while (at < own.last && plan_.chained[at] != t.task) ++at;
      ++at;
    }
    for (;; ++at) {
      if (at >= own.last) {
        at = own.first;
        progress += workers(thread);
      }
      const std::size_t node = plan_.chained[at];
      if (planner::fires(plan_.lag[node], progress - now_.first, activity::none / 2) &&
          planner::runs_for(rate_of(node), progress - plan_.lag[node]))
        return {node, progress};
    }
  }

  /// Whose run a task waits for, with the reason, by the edges of the plan.
  std::vector<std::string> awaited(const turn& next) const {
    std::vector<std::string> all;
    planner::list<std::size_t> seen;
    planner::list<planner::edge> edges(plan_.edges);
    // With those that hand out no batch before all of it is done.
    if (!meets_) edges.append(plan_.run_ahead_waits);
    for (const planner::edge& e : edges) {
      if (e.consumer != next.node || plan_.thread_of[e.producer] == plan_.thread_of[next.node])
        continue;
      const std::size_t back = static_cast<std::size_t>(e.delta) + plan_.lag[e.producer];
      const activity::task_row& producer = now_.tasks[e.producer];
      // Handing out results without work on them is not told to observers.
      const bool untold = e.producer > pull() && producer.runs.count == 0;
      if (next.progress < back || untold) continue;
      if (next.progress - back < now_.first || has_done(e.producer, next.progress - back)) continue;
      bool known = false;
      for (const std::size_t s : seen) known = known || s == e.producer;
      if (known) continue;
      seen.push_back(e.producer);
      planner::plan_writer reason(plan_, planner::add_for_person);
      reason.at = e;
      reason.write("$w");
      all.push_back(name_of(e.producer) + " on batch " + std::to_string(next.progress - back) +
                    " (" + reason.text.text() + ")");
    }
    return all;
  }

  const planner::plan_view& plan_;
  bool meets_;
  const activity& now_;
};

}  // namespace stretto::watch::detail
