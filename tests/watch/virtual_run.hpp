// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <stretto/bound/thread_arcs.hpp>
#include <stretto/dynamic/query/planned.hpp>
#include <stretto/plan/model/firing.hpp>
#include <stretto/plan/model/rate.hpp>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

/// A clock that a test sets. Each look at it takes some time, so that who spins gets on.
struct virtual_clock {
  using duration = std::chrono::nanoseconds;
  using rep = duration::rep;
  using period = duration::period;
  using time_point = std::chrono::time_point<virtual_clock>;
  static constexpr bool is_steady = true;
  static constexpr rep look = 100;

  static time_point now() { return time_point(duration(at += look)); }
  static inline rep at = 0;
};

/// Runs a plan in virtual time, weights being nanoseconds, with a padding that is told of it and
/// makes tasks longer.
class virtual_run {
 public:
  explicit virtual_run(const stretto::dynamic::planned_schedule& planned)
      : planned_(planned), lag_(planned.lag()) {
    const stretto::planner::plan& p = planned.plan();
    for (const stretto::dynamic::task& t : planned.input().tasks) tasks_.push_back(t.name);
    tasks_.insert(tasks_.end(), {"pull", "deliver"});
    for (std::size_t t = 0; t < p.threads.workers.size(); ++t) {
      first_of_.push_back(threads_.size());
      for (std::size_t w = 0; w < p.threads.workers[t]; ++w)
        threads_.emplace_back(p.threads.names[t]);
    }
    stretto::planner::timing waits;
    for (std::size_t n = 0; n < p.resolved.nodes.size(); ++n) {
      const auto& node = p.resolved.nodes[n];
      waits.weight.push_back(n < planned.input().tasks.size() ? planned.input().tasks[n].weight
                                                              : node.weight);
      const std::size_t first = waits.arcs.size();
      for (const stretto::planner::edge& e : planned.run_ahead_waits())
        if (e.consumer == n) waits.arcs.push_back({e.producer, e.delta});
      waits.into.push_back({first, waits.arcs.size()});
    }
    arcs_ = stretto::bound::detail::thread_arcs(waits, p.order, p.threads.thread_of,
                                                p.threads.workers, false);
  }

  template <class Padding>
  void attach(Padding& padding) const {
    const auto views = [](const std::vector<std::string>& texts) {
      return std::vector<std::string_view>(texts.begin(), texts.end());
    };
    padding.attached(views(threads_), views(tasks_), std::vector<std::string_view>(tasks_.size()));
    std::vector<std::size_t> every, phase;
    for (const auto& node : planned_.plan().resolved.nodes) {
      every.push_back(static_cast<std::size_t>(node.runs.every));
      phase.push_back(static_cast<std::size_t>(node.runs.phase));
    }
    padding.rates(every, phase);
  }

  /// What it takes to put a recording in the place of a task.
  static constexpr long long replayed = 1'000;

  /// A run of \p batches batches, of which tasks take twice as long for the first \p slow. The
  /// first has number \p first. By how much any padding differed from what was told, at most.
  template <class Padding>
  long long run(Padding& padding, std::size_t batches, std::size_t slow = 0,
                std::size_t first = 0) {
    const stretto::planner::plan& p = planned_.plan();
    const std::size_t nodes = lag_.size();
    const std::size_t pull = nodes - 2, deliver = nodes - 1;
    padding.begins_at(first);
    padding.run_begins();
    std::vector<told> all;
    std::vector<std::vector<long long>> ends;  // by progress and node
    for (std::size_t i = 0; i < batches + lag_[deliver]; ++i) {
      ends.emplace_back(nodes, 0);
      for (const std::size_t n : p.order) {
        long long begin = 0;
        for (std::size_t a = arcs_.into[n].first; a < arcs_.into[n].last; ++a) {
          const auto ago = static_cast<std::size_t>(arcs_.arcs[a].delta);
          if (ago <= i) begin = std::max(begin, ends[i - ago][arcs_.arcs[a].from]);
        }
        long long& end = ends[i][n] = begin;
        if (!stretto::planner::fires(lag_[n], i, batches)) continue;
        const std::size_t batch = i - lag_[n];
        if (n == deliver || !runs_for(p.resolved.nodes[n].runs, batch)) continue;
        long long by = 0;
        if constexpr (requires { padding.padded_by(n, batch); })
          by = padding.padded_by(n, first + batch).count();
        long long takes = arcs_.weight[n] * (batch < slow ? 2 : 1);
        if constexpr (requires { padding.replays(n, batch); })
          if (n != pull && padding.replays(n, first + batch)) takes = replayed;
        end += takes + by;
        const std::size_t thread =
            first_of_[p.threads.thread_of[n]] + i % p.threads.workers[p.threads.thread_of[n]];
        all.push_back({begin, all.size(), false, thread, n, first + batch, by});
        all.push_back({begin + takes, all.size(), true, thread, n, first + batch, by});
      }
    }
    // Where a task ends and another one begins, the end comes first, and of a task the begin.
    std::stable_sort(all.begin(), all.end(), [](const told& a, const told& b) {
      return std::tuple(a.at, a.number) < std::tuple(b.at, b.number);
    });
    long long worst = 0;
    for (const told& t : all) {
      virtual_clock::at = t.at;
      if (!t.end) {
        padding.started(t.thread, t.task, t.batch);
        continue;
      }
      padding.finished(t.thread, t.task, t.batch);
      const long long spun = virtual_clock::at - t.at - virtual_clock::look;
      if (t.task != pull) worst = std::max(worst, spun > t.by ? spun - t.by : t.by - spun);
    }
    padding.run_ended();
    return worst;
  }

 private:
  struct told {
    long long at;
    std::size_t number;
    bool end;
    std::size_t thread, task, batch;
    long long by;
  };

  const stretto::dynamic::planned_schedule& planned_;
  std::vector<std::size_t> lag_;  // by node
  std::vector<std::string> tasks_;
  std::vector<std::string> threads_;
  std::vector<std::size_t> first_of_;  // by group: its first thread
  stretto::planner::timing arcs_;
};
