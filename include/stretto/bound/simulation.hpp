// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <chrono>
#include <cstddef>
#include <limits>
#include <stretto/bound/costs.hpp>
#include <stretto/bound/thread_arcs.hpp>
#include <stretto/bound/virtual_time.hpp>
#include <stretto/observe/timeline.hpp>
#include <stretto/plan/layout/period.hpp>
#include <stretto/plan/model/declaration.hpp>
#include <stretto/plan/model/edge.hpp>
#include <stretto/plan/model/firing.hpp>
#include <stretto/plan/model/graph.hpp>
#include <stretto/plan/model/list.hpp>
#include <stretto/plan/model/rate.hpp>
#include <stretto/plan/model/text_builder.hpp>
#include <stretto/plan/model/view.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace stretto {

/// A run of a plan in virtual time: its threads, workers and waits as they are, tasks that take
/// what they are said to, nothing else that takes time, and a source that always has the next
/// batch. Made by `simulate`. All times are in the unit of the costs and begin at 0. Refers to the
/// schedule's names.
class simulation {
 public:
  /// A task, or the source, at work on a batch.
  struct run {
    std::size_t task = 0;    ///< as in \c tasks
    std::size_t thread = 0;  ///< as in \c threads
    std::size_t batch = 0;
    long long begin = 0;
    long long end = 0;
  };

  /// \p waits between the plan's threads: those that threads have which \p meet after each
  /// progress, or those of threads that run ahead. Throws `usage_error` if \p costs name what is no
  /// task, name a task twice or say less than 0.
  constexpr simulation(const planner::declaration& d, const planner::graph& g,
                       planner::view<std::size_t> order, planner::view<planner::edge> waits,
                       planner::view<std::size_t> thread_of, planner::view<std::size_t> workers,
                       planner::view<std::string_view> thread_names, planner::view<task_cost> costs,
                       std::size_t batches, bool meet)
      : names_(d), batches_(batches) {
    planner::list<std::size_t> first;  // by thread group: its first thread
    for (std::size_t t = 0; t < workers.size(); ++t) {
      first.push_back(threads_.size());
      for (std::size_t w = 0; w < workers[t]; ++w)
        threads_.push_back({thread_names[t], workers[t] == 1 ? 0 : w + 1});
    }
    planner::timing timed = by_node(g, waits);
    planner::list<planner::rate> runs;
    for (std::size_t n = 0; n < g.nodes.size(); ++n) {
      runs.push_back(g.nodes[n].runs);
      if (runs[n].every > 1) timed.weight[n] = d.tasks[n].weight;  // all of it, when it runs
    }
    names_.each(costs, [&](std::size_t node, long long time) { timed.weight[node] = time; });
    planner::list<std::size_t> lag;
    for (const planner::node& n : g.nodes)
      lag.push_back(planner::lag(g.max_lookahead, n.lookahead));
    const std::size_t depth = lag[names_.deliver()];
    // Picoseconds of what is nanoseconds have to fit as well: see `record`.
    long long left = (std::numeric_limits<long long>::max)() / 1'000 /
                     static_cast<long long>(batches + depth + 1);
    for (const long long w : timed.weight) {
      if (w > left) bound::shared::costs_are_too_large_tell_them_in_a_larger_unit();
      left -= w;
    }
    bound::detail::virtual_time time(
        bound::detail::thread_arcs(timed, order, thread_of, workers, meet),
        bound::detail::order_with_meeting(order, meet), lag, runs);
    for (std::size_t i = 0; batches > 0 && i < batches + depth; ++i) {
      time.advance(batches);
      for (const std::size_t n : order)
        if (n != names_.deliver() && time.fires(n, i, batches))
          runs_.push_back({n, first[thread_of[n]] + i % workers[thread_of[n]], i - lag[n],
                           time.begin(n, i), time.end(n, i)});
    }
    for (std::size_t b = 0; b < batches; ++b) {
      pulled_.push_back(time.begin(names_.pull(), b));
      delivered_.push_back(time.end(meet ? order.size() : names_.deliver(), b + depth));
    }
    if (batches == 0) return;
    total_ = time.latest();
    drain_ = total_ - time.end(names_.pull(), batches - 1);
  }

  constexpr std::size_t batches() const { return batches_; }
  /// All that ran, progress by progress, in the plan's order.
  constexpr const planner::list<run>& runs() const { return runs_; }
  /// The name of a task; the last one is "pull", the source.
  constexpr std::string_view task(std::size_t number) const { return names_[number]; }
  /// How many tasks there are, and the source.
  constexpr std::size_t tasks() const { return names_.timed(); }
  /// How many host threads there are: of each group one, or its workers.
  constexpr std::size_t threads() const { return threads_.size(); }
  /// As observers name it: its group and, of several workers, a number.
  std::string thread(std::size_t number) const {
    std::string name(threads_[number].group);
    if (threads_[number].worker > 0)
      name.append(" ").append(std::to_string(threads_[number].worker));
    return name;
  }

  /// From the begin of the first pull to the end of all.
  constexpr long long total() const { return total_; }
  /// From the begin to the first result.
  constexpr long long fill() const { return batches_ == 0 ? 0 : delivered_[0]; }
  /// From the end of the last pull to the end of all.
  constexpr long long drain() const { return drain_; }
  /// From the begin of a batch's pull to its result.
  constexpr long long latency(std::size_t batch) const {
    return delivered_[batch] - pulled_[batch];
  }
  /// The mean of the later half of the batches.
  constexpr planner::ratio latency() const {
    planner::ratio mean{0, 0};
    for (std::size_t b = batches_ / 2; b < batches_; ++b, ++mean.progresses)
      mean.time += latency(b);
    return mean.progresses == 0 ? planner::ratio{} : mean;
  }
  /// The time per progress, from pull to pull, of the later half of the batches. Of one batch it is
  /// the total.
  constexpr planner::ratio period() const {
    if (batches_ < 2) return {total_, 1};
    const std::size_t from = batches_ / 2 - 1;
    return {pulled_[batches_ - 1] - pulled_[from], static_cast<long long>(batches_ - 1 - from)};
  }
  /// How long a thread was in tasks and in the source.
  constexpr long long busy(std::size_t thread) const {
    long long sum = 0;
    for (const run& r : runs_)
      if (r.thread == thread) sum += r.end - r.begin;
    return sum;
  }

  /// As a timeline, to draw and to trace. \p unit is what costs are counted in.
  timeline record(std::chrono::nanoseconds unit = std::chrono::nanoseconds(1)) const {
    std::vector<std::string> texts;
    for (std::size_t t = 0; t < threads(); ++t) texts.push_back(thread(t));
    const std::vector<std::string_view> threads(texts.begin(), texts.end());
    std::vector<std::string_view> tasks;
    for (std::size_t n = 0; n <= names_.deliver(); ++n) tasks.push_back(names_[n]);
    timeline record;
    record.attached(threads, tasks);
    const auto at = [unit](long long time) {
      return timeline::clock::time_point(
          std::chrono::duration_cast<timeline::clock::duration>(time * unit));
    };
    for (const run& r : runs_) record.add(r.thread, {r.task, r.batch, at(r.begin), at(r.end)});
    return record;
  }

  /// For people: what the run took, what a batch took, and how busy each thread was.
  [[gnu::cold]] std::string text() const {
    planner::text_builder out;
    out.count(batches_, " batch takes ", " batches take ").number(total_);
    if (total_ > 0) {
      const planner::ratio each = period();
      const planner::ratio mean = latency();
      out.add(": ").number(fill()).add(" until the first result, ");
      out.quotient(each.time, each.progresses).add(" per progress, ");
      out.number(drain_).add(" after the last pull\na batch takes ");
      out.quotient(mean.time, mean.progresses).add(" from its pull to its result");
      for (std::size_t t = 0; t < threads(); ++t)
        out.add("\n  thread ")
            .quoted(thread(t))
            .add(" is busy ")
            .number(100 * busy(t) / total_)
            .add(" %");
    }
    return out.add("\n").text();
  }

 private:
  struct host {
    std::string_view group;
    std::size_t worker = 0;  ///< 0: the group has one thread
  };

  static constexpr planner::timing by_node(const planner::graph& g,
                                           planner::view<planner::edge> waits) {
    planner::timing t;
    for (std::size_t n = 0; n < g.nodes.size(); ++n) {
      t.weight.push_back(g.nodes[n].weight);
      const std::size_t first = t.arcs.size();
      for (const planner::edge& e : waits)
        if (e.consumer == n) t.arcs.push_back({e.producer, e.delta});
      t.into.push_back({first, t.arcs.size()});
    }
    return t;
  }

  bound::shared::node_names names_;
  std::size_t batches_ = 0;
  planner::list<host> threads_;
  planner::list<run> runs_;
  planner::list<long long> pulled_;     // by batch
  planner::list<long long> delivered_;  // by batch
  long long total_ = 0;
  long long drain_ = 0;
};

}  // namespace stretto
