// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cstddef>
#include <stretto/plan/derive/planned_graph.hpp>
#include <stretto/plan/model/firing.hpp>
#include <stretto/plan/order/effects.hpp>
#include <stretto/plan/rules/diagnose.hpp>
#include <stretto/plan/text/sentence.hpp>
#include <string>
#include <string_view>

namespace stretto::planner {

/// What a node does in one progress; nothing, if it does not fire.
struct run {
  std::size_t node = none;
  std::size_t progress = 0;
  bool fires = true;
};

/// An interleaving that ends with two runs under way at once.
struct meeting {
  list<run> before;  ///< what must have run by then, in an order that can be
  run task;
  run other;
};

namespace detail {

/// Everything that comes before a run, itself included: a flag for each node of each progress.
inline list<char> comes_before(const effects& order, std::size_t nodes, const run& last) {
  list<char> known(nodes * (last.progress + 1), 0);
  list<run> open;
  open.push_back(last);
  known[last.progress * nodes + last.node] = 1;
  for (std::size_t at = 0; at < open.size(); ++at) {
    const run now = open[at];
    for (const edge& e : order.edges) {
      const auto delta = static_cast<std::size_t>(e.delta);
      if (e.consumer != now.node || delta > now.progress) continue;
      const run before{e.producer, now.progress - delta};
      char& flag = known[before.progress * nodes + before.node];
      if (flag == 0) open.push_back(before);
      flag = 1;
    }
  }
  return known;
}

}  // namespace detail

/// The shortest interleaving in which runs of two tasks overlap; none of it (`task.node` is `none`)
/// if they are always ordered. Run-time code: it unrolls the first progresses.
inline meeting shortest_meeting(const plan& p, std::size_t task, std::size_t other) {
  const effects order = make_effects(p.resolved, p.order, p.edges, p.threads);
  const std::size_t nodes = p.order.size();
  const auto lag_of = [&](std::size_t n) {
    return lag(p.resolved.max_lookahead, p.resolved.nodes[n].lookahead);
  };
  // Two tasks that are ordered one progress apart are ordered further apart, too; with workers, as
  // many progresses apart as there are.
  const int turn = (std::max)(p.resolved.nodes[task].workers, p.resolved.nodes[other].workers);
  const std::size_t last = (std::max)(lag_of(task), lag_of(other)) + static_cast<std::size_t>(turn);
  meeting best;
  std::size_t least = none;
  for (std::size_t i = lag_of(task); i <= last; ++i) {
    const list<char> before_task = detail::comes_before(order, nodes, {task, i});
    for (std::size_t j = lag_of(other); j <= last; ++j) {
      if (task == other && i == j) continue;
      if (j < before_task.size() / nodes && before_task[j * nodes + other] != 0) continue;
      const list<char> before_other = detail::comes_before(order, nodes, {other, j});
      if (i < before_other.size() / nodes && before_other[i * nodes + task] != 0) continue;
      meeting found{{}, {task, i}, {other, j}};
      std::size_t length = 0;
      for (std::size_t at = 0; at <= (std::max)(i, j); ++at) {
        for (const std::size_t n : p.order) {
          const std::size_t place = at * nodes + n;
          const bool needed = (place < before_task.size() && before_task[place] != 0) ||
                              (place < before_other.size() && before_other[place] != 0);
          if (!needed || (n == task && at == i) || (n == other && at == j)) continue;
          found.before.push_back({n, at, lag_of(n) <= at});
          length += lag_of(n) <= at;
        }
      }
      if (length >= least) continue;
      least = length;
      best = found;
    }
  }
  return best;
}

namespace detail {

/// Speaks of runs: who, in which progress, on which batch.
class teller {
 public:
  explicit teller(const declaration& d) : d_(d), g_(planned_graph(d)) {}

  std::size_t lag_of(std::size_t n) const { return lag(g_.max_lookahead, g_.nodes[n].lookahead); }
  std::string who(std::size_t n) const { return quoted(node_name(d_, n)); }
  std::string batch(const run& r) const {
    return "batch " + std::to_string(r.progress - lag_of(r.node));
  }
  static std::string progress(const run& r) {
    return "progress " + std::to_string(r.progress) + ": ";
  }
  /// The run of a node on a batch.
  run on(std::size_t n, std::size_t batch) const { return {n, batch + lag_of(n)}; }

 private:
  const declaration& d_;
  graph g_;
};

inline std::string race_witness(const declaration& d, const finding& f) {
  const teller tell(d);
  const meeting m = shortest_meeting(make_plan(d), f.task, f.other);
  if (m.task.node == none) return {};
  std::string text;
  for (const run& r : m.before) {
    if (!r.fires) continue;
    const bool pulls = r.node == d.tasks.size();
    const bool delivers = r.node == d.tasks.size() + 1;
    text += teller::progress(r) + tell.who(r.node) +
            (pulls      ? " takes "
             : delivers ? " hands out "
                        : " runs on ") +
            tell.batch(r) + "\n";
  }
  const task& t = d.tasks[f.task];
  const name& resource = (f.where == field::mutates ? t.mutates : t.observes)[f.position];
  const auto verb = [&](std::size_t n) {
    for (const name& changed : d.tasks[n].mutates)
      if (changed == resource) return " changes ";
    return " reads ";
  };
  // The later of the two enters while the other is at it.
  const bool task_first = m.task.progress < m.other.progress;
  const run& at_it = task_first ? m.task : m.other;
  const run& enters = task_first ? m.other : m.task;
  return text + teller::progress(enters) + tell.who(enters.node) + verb(enters.node) +
         quoted(resource.text) + " for " + tell.batch(enters) + " while " + tell.who(at_it.node) +
         (at_it.progress == enters.progress
              ? std::string()
              : ", still in progress " + std::to_string(at_it.progress) + ",") +
         verb(at_it.node) + "it for " + tell.batch(at_it) + "\n";
}

inline std::string deadlock_witness(const declaration& d, view<std::size_t> cycle) {
  const teller tell(d);
  std::size_t progress = 0;  // the first in which they all have something to do
  for (const std::size_t n : cycle) progress = (std::max)(progress, tell.lag_of(n));
  std::string text;
  for (std::size_t i = 0; i < cycle.size(); ++i) {
    const run now{cycle[i], progress};
    const run needed{cycle[i + 1 == cycle.size() ? 0 : i + 1], progress};
    text +=
        teller::progress(now) + tell.who(now.node) + " on " + tell.batch(now) + " waits for " +
        (needed.node == now.node ? "itself" : tell.who(needed.node) + " on " + tell.batch(needed)) +
        "\n";
  }
  return text + (cycle.size() == 1 ? "it never starts\n" : "none of them ever starts\n");
}

/// A run that needs another which comes only later.
inline std::string future_witness(const declaration& d, const finding& f) {
  const teller tell(d);
  const auto ago =
      f.what == kind::cross_iter_future_read
          ? static_cast<std::size_t>(d.tasks[f.task].cross_iter_depends_on[f.position].ago)
          : 0;
  const run first = tell.on(f.task, ago);
  const run late = tell.on(f.other, 0);
  const bool reads = f.what == kind::slot_future_read;
  const auto slot = [&] {
    return f.task < d.tasks.size() ? d.tasks[f.task].reads[f.position].slot : d.results[f.position];
  };
  const std::string needed =
      (reads ? quoted(slot().text) + " of " : tell.who(f.other) + " done with ") + tell.batch(late);
  return teller::progress(first) + tell.who(f.task) + " on " + tell.batch(first) + " needs " +
         needed + "\n" + teller::progress(late) + tell.who(f.other) +
         (reads ? " writes it: too late\n" : " gets there: too late\n");
}

}  // namespace detail

/// An interleaving, line by line, that ends in the bad moment a finding of \p d speaks of: two runs
/// that use a resource at once, runs that wait for each other, a run that comes too late. The
/// shortest there is, and always the same. Empty for findings that are about how something is
/// declared, not about when it runs.
inline std::string witness(const declaration& d, const finding& f) {
  if (f.what == kind::race) return detail::race_witness(d, f);
  if (f.what == kind::cycle || f.what == kind::order_cycle)
    return detail::deadlock_witness(d, diagnose(d).cycle);
  if (f.what == kind::slot_future_read || f.what == kind::depends_future_read ||
      f.what == kind::cross_iter_future_read)
    return detail::future_witness(d, f);
  return {};
}

}  // namespace stretto::planner
