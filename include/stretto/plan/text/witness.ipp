// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cstddef>
#include <stretto/plan/derive/planned_graph.hpp>
#include <stretto/plan/make_plan.hpp>
#include <stretto/plan/model/algorithm.hpp>
#include <stretto/plan/model/firing.hpp>
#include <stretto/plan/model/rate.hpp>
#include <stretto/plan/model/text_builder.hpp>
#include <stretto/plan/order/effects.hpp>
#include <stretto/plan/rules/diagnose.hpp>
#include <stretto/plan/text/witness.hpp>

namespace stretto::planner {

namespace detail {

/// Everything that comes before a run, itself included: a flag for each node of each progress.
[[gnu::cold, gnu::noinline]] STRETTO_INLINE list<char> comes_before(view<edge> effects,
                                                                    std::size_t nodes,
                                                                    const run& last) {
  list<char> known(nodes * (last.progress + 1), 0);
  list<run> open;
  open.push_back(last);
  known[last.progress * nodes + last.node] = 1;
  for (std::size_t at = 0; at < open.size(); ++at) {
    const run now = open[at];
    for (const edge& e : effects) {
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

[[gnu::cold]] STRETTO_INLINE meeting shortest_meeting(const course& c, std::size_t task,
                                                      std::size_t other) {
  const std::size_t nodes = c.order.size();
  // Two tasks that are ordered one progress apart are ordered further apart, too; with workers, as
  // many progresses apart as there are.
  const std::size_t turn = (std::max)(c.workers[task], c.workers[other]);
  const std::size_t last = (std::max)(c.lag[task], c.lag[other]) + turn;
  meeting best;
  std::size_t least = none;
  for (std::size_t i = c.lag[task]; i <= last; ++i) {
    const list<char> before_task = detail::comes_before(c.effects, nodes, {task, i});
    for (std::size_t j = c.lag[other]; j <= last; ++j) {
      if (task == other && i == j) continue;
      if (j < before_task.size() / nodes && before_task[j * nodes + other] != 0) continue;
      const list<char> before_other = detail::comes_before(c.effects, nodes, {other, j});
      if (i < before_other.size() / nodes && before_other[i * nodes + task] != 0) continue;
      meeting found{{}, {task, i}, {other, j}};
      std::size_t length = 0;
      for (std::size_t at = 0; at <= (std::max)(i, j); ++at) {
        for (const std::size_t n : c.order) {
          const std::size_t place = at * nodes + n;
          const bool needed = (place < before_task.size() && before_task[place] != 0) ||
                              (place < before_other.size() && before_other[place] != 0);
          if (!needed || (n == task && at == i) || (n == other && at == j)) continue;
          found.before.push_back({n, at, c.lag[n] <= at});
          length += c.lag[n] <= at;
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
class run_teller {
 public:
  [[gnu::cold]] run_teller(const declaration& d, const course& c) : d_(d), course_(c) {}

  [[gnu::cold]] void tell_race(const finding& f) {
    const meeting m = shortest_meeting(course_, f.task, f.other);
    if (m.task.node == none) return;
    for (const run& r : m.before) {
      if (!r.fires) continue;
      begin(r);
      text_.add(r.node == d_.tasks.size()       ? " takes "
                : r.node == d_.tasks.size() + 1 ? " hands out "
                                                : " runs on ");
      add_batch(r);
      text_.add("\n");
    }
    const task& t = d_.tasks[f.task];
    const name& resource = (f.where == field::mutates ? t.mutates : t.observes)[f.position];
    // The later of the two enters while the other is at it.
    const bool task_first = m.task.progress < m.other.progress;
    const run& at_it = task_first ? m.task : m.other;
    const run& enters = task_first ? m.other : m.task;
    begin(enters);
    add_verb(enters.node, resource);
    text_.quoted(resource.text).add(" for ");
    add_batch(enters);
    text_.add(" while ").quoted(node_name(d_, at_it.node));
    if (at_it.progress != enters.progress)
      text_.add(", still in progress ").number(static_cast<long long>(at_it.progress)).add(",");
    add_verb(at_it.node, resource);
    text_.add("it for ");
    add_batch(at_it);
    text_.add("\n");
  }

  [[gnu::cold]] void tell_deadlock(view<std::size_t> cycle) {
    std::size_t progress = 0;  // the first in which they all have something to do
    for (const std::size_t n : cycle) progress = (std::max)(progress, course_.lag[n]);
    for (std::size_t i = 0; i < cycle.size(); ++i) {
      const run now{cycle[i], progress};
      const run needed{cycle[i + 1 == cycle.size() ? 0 : i + 1], progress};
      begin(now);
      text_.add(" on ");
      add_batch(now);
      text_.add(" waits for ");
      if (needed.node == now.node) {
        text_.add("itself");
      } else {
        text_.quoted(node_name(d_, needed.node)).add(" on ");
        add_batch(needed);
      }
      text_.add("\n");
    }
    text_.add(cycle.size() == 1 ? "it never starts\n" : "none of them ever starts\n");
  }

  /// A run that needs another which comes only later.
  [[gnu::cold]] void tell_future(const finding& f) {
    const auto ago =
        f.what == kind::cross_iter_future_read
            ? static_cast<std::size_t>(d_.tasks[f.task].cross_iter_depends_on[f.position].ago)
            : 0;
    const bool reads = f.what == kind::slot_future_read;
    const auto earlier = static_cast<std::size_t>(
        reads && f.task < d_.tasks.size()
            ? larger(0, reach_of(d_, d_.tasks[f.task], d_.tasks[f.task].reads[f.position]).nearest)
            : 0);
    const run first{f.task, ago + earlier + course_.lag[f.task]};
    const run late{f.other, course_.lag[f.other]};
    begin(first);
    text_.add(" on ");
    add_batch(first);
    text_.add(" needs ");
    if (reads) {
      const name& slot = f.task < d_.tasks.size() ? d_.tasks[f.task].reads[f.position].slot
                                                  : d_.results[f.position];
      text_.quoted(slot.text).add(" of ");
    } else {
      text_.quoted(node_name(d_, f.other)).add(" done with ");
    }
    add_batch(late);
    text_.add("\n");
    begin(late);
    text_.add(reads ? " writes it: too late\n" : " gets there: too late\n");
  }

  std::string text() const { return text_.text(); }

 private:
  [[gnu::cold, gnu::noinline]] void begin(const run& r) {
    text_.add("progress ").number(static_cast<long long>(r.progress)).add(": ");
    text_.quoted(node_name(d_, r.node));
  }
  [[gnu::cold, gnu::noinline]] void add_batch(const run& r) {
    text_.add("batch ").number(static_cast<long long>(r.progress - course_.lag[r.node]));
  }
  [[gnu::cold, gnu::noinline]] void add_verb(std::size_t n, const name& resource) {
    const char* verb = " reads ";
    for (const name& changed : d_.tasks[n].mutates)
      if (changed == resource) verb = " changes ";
    text_.add(verb);
  }

  const declaration& d_;
  const course& course_;
  text_builder text_;
};

}  // namespace detail

[[gnu::cold]] STRETTO_INLINE std::string witness(const declaration& d, const finding& f,
                                                 const course& c, view<std::size_t> cycle) {
  detail::run_teller tell(d, c);
  if (f.what == kind::race) {
    tell.tell_race(f);
  } else if (f.what == kind::cycle || f.what == kind::order_cycle) {
    tell.tell_deadlock(cycle_from(cycle, f.task));
  } else if (f.what == kind::slot_future_read || f.what == kind::depends_future_read ||
             f.what == kind::cross_iter_future_read) {
    tell.tell_future(f);
  }
  return tell.text();
}

namespace detail {

/// What follows from a graph and, where there is one, its plan.
class course_keeper {
 public:
  [[gnu::cold]] explicit course_keeper(const graph& g) {
    for (const node& n : g.nodes) {
      lag_.push_back(lag(g.max_lookahead, n.lookahead));
      workers_.push_back(static_cast<std::size_t>(n.workers));
    }
  }
  [[gnu::cold]] explicit course_keeper(const plan& p) : course_keeper(p.resolved) {
    order_ = p.order;  // NOLINT(cppcoreguidelines-prefer-member-initializer): delegates
    effects_ = make_effects(p.resolved, p.order, p.edges, p.threads).edges;
  }

  course value() const { return {lag_, workers_, order_, effects_}; }

 private:
  list<std::size_t> lag_;
  list<std::size_t> workers_;
  list<std::size_t> order_;
  list<edge> effects_;
};

}  // namespace detail

[[gnu::cold]] STRETTO_INLINE meeting shortest_meeting(const plan& p, std::size_t task,
                                                      std::size_t other) {
  return shortest_meeting(detail::course_keeper(p).value(), task, other);
}

[[gnu::cold]] STRETTO_INLINE std::string witness(const declaration& d, const finding& f) {
  if (f.what == kind::race) {
    const plan p = make_plan(d);
    return witness(d, f, detail::course_keeper(p).value(), {});
  }
  list<std::size_t> cycle;
  if (f.what == kind::cycle || f.what == kind::order_cycle) cycle = diagnose(d).cycle;
  return witness(d, f, detail::course_keeper(planned_graph(d)).value(), cycle);
}

}  // namespace stretto::planner
