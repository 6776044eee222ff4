// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <stretto/plan/model/firing.hpp>
#include <stretto/plan/model/list.hpp>
#include <stretto/plan/model/rate.hpp>
#include <stretto/plan/text/plan_view.hpp>
#include <stretto/run/run_state.hpp>
#include <stretto/watch/activity.hpp>

namespace stretto::watch::detail {

/// Where the threads of a run are in their plan, by what a monitor saw of them.
class turns {
 public:
  struct turn {
    std::size_t node = activity::none;
    std::size_t progress = 0;
  };
  /// How far a thread has come with a node: all that it does for it up to progress `told` is done,
  /// and nothing is behind `later`. In between it may be: of what does not run nobody is told.
  struct reach {
    std::size_t told = activity::none;  ///< none: of no progress
    std::size_t later = activity::none;
  };

  turns(const planner::plan_view& p, const activity& now) : plan(p), now_(now) {}

  const planner::plan_view& plan;

  std::size_t pull() const { return plan.tasks(); }
  std::size_t deliver() const { return plan.tasks() + 1; }
  /// How many batches are, at most.
  std::size_t in_flight() const { return static_cast<std::size_t>(plan.max_lookahead) + 1; }
  std::size_t workers(std::size_t thread) const {
    return plan.workers[thread] < 1 ? 1 : plan.workers[thread];
  }
  planner::rate rate_of(std::size_t node) const {
    return node < plan.tasks() ? planner::rate_of(plan.declared.tasks[node]) : planner::rate{};
  }
  /// Whether a node runs in a progress, as far as is known of the source.
  bool runs_in(std::size_t node, std::size_t progress) const {
    return progress >= now_.first &&
           planner::fires(plan.lag[node], progress - now_.first, batches()) &&
           planner::runs_for(rate_of(node), progress - plan.lag[node]);
  }

  /// What a thread runs next that has run a task.
  turn next_of(std::size_t thread, std::size_t worker, const activity::thread_row& t) const {
    if (t.task != activity::none) return next_after(thread, {t.task, t.batch + plan.lag[t.task]});
    const planner::range own = plan.chains[thread];
    // The first that the worker runs.
    return find(thread, own.first,
                now_.first + runner::progresses_to_own(worker, workers(thread), now_.first));
  }
  turn next_after(std::size_t thread, const turn& last) const {
    return find(thread, place_of(thread, last.node) + 1, last.progress);
  }

  /// Of a node on a stream, whose thread has no workers.
  reach reach_of(std::size_t node) const {
    const std::size_t thread = plan.thread_of[node];
    std::size_t host = 0;
    for (std::size_t t = 0; t < thread; ++t) host += workers(t);
    reach r;
    if (host >= now_.threads.size()) return r;
    const activity::thread_row& t = now_.threads[host];
    if (t.task == activity::none) return r;
    const std::size_t place = place_of(thread, node);
    const std::size_t last = place_of(thread, t.task);
    const std::size_t progress = t.batch + plan.lag[t.task];
    const bool is_behind = place < last || (place == last && !t.runs_a_task);
    if (is_behind || progress > now_.first) r.told = is_behind ? progress : progress - 1;
    r.later = r.told;
    if (t.runs_a_task) return r;
    const turn next = next_of(thread, 0, t);
    r.later = next.node == activity::none           ? activity::none
              : place < place_of(thread, next.node) ? next.progress
                                                    : next.progress - 1;
    return r;
  }

 private:
  /// How many there are in the run, if the source had no more.
  std::size_t batches() const { return now_.dry ? now_.tasks[pull()].batches : activity::none / 2; }
  std::size_t place_of(std::size_t thread, std::size_t node) const {
    std::size_t at = plan.chains[thread].first;
    while (at < plan.chains[thread].last && plan.chained[at] != node) ++at;
    return at;
  }
  turn find(std::size_t thread, std::size_t at, std::size_t progress) const {
    const planner::range own = plan.chains[thread];
    if (own.first == own.last) return {};
    const std::size_t over = now_.first + batches() + static_cast<std::size_t>(plan.max_lookahead);
    for (;; ++at) {
      if (at >= own.last) {
        at = own.first;
        progress += workers(thread);
      }
      if (progress > over) return {};
      if (runs_in(plan.chained[at], progress)) return {plan.chained[at], progress};
    }
  }

  const activity& now_;
};

}  // namespace stretto::watch::detail
