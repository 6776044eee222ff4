// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <stretto/declare/tag.hpp>
#include <stretto/plan/derive/pipelined.hpp>
#include <stretto/plan/derive/plan_size.hpp>
#include <stretto/plan/derive/planned_graph.hpp>
#include <stretto/plan/derive/threads.hpp>
#include <stretto/plan/layout/generate.hpp>
#include <stretto/plan/layout/layout.hpp>
#include <stretto/plan/layout/overlap.hpp>
#include <stretto/plan/layout/period.hpp>
#include <stretto/plan/layout/unweighted_period.hpp>
#include <stretto/plan/make_plan.hpp>
#include <stretto/plan/model/algorithm.hpp>
#include <stretto/plan/model/declaration.hpp>
#include <stretto/plan/model/edge.hpp>
#include <stretto/plan/model/graph.hpp>
#include <stretto/plan/model/list.hpp>
#include <stretto/plan/model/plan.hpp>
#include <stretto/plan/model/view.hpp>
#include <stretto/plan/rules/diagnose.hpp>
#include <stretto/plan/rules/lookahead_search.hpp>

/// Which of the lookaheads that a pipelined schedule could have it gets: as few as give the least
/// modelled time.
namespace stretto::planner {

namespace detail {

/// The nodes in an order that keeps the edges and is otherwise as near to another as can be.
constexpr list<std::size_t> sorted_like(view<std::size_t> order, view<edge> edges) {
  const std::size_t nodes = order.size();
  list<std::size_t> place(nodes, 0);
  for (std::size_t i = 0; i < nodes; ++i) place[order[i]] = i;
  list<std::size_t> missing(nodes, 0);
  list<range> out(nodes, range{});
  for (const edge& e : edges) {
    if (e.delta != 0) continue;
    ++missing[e.consumer];
    ++out[e.producer].last;
  }
  list<std::size_t> consumers(lay_out(out), 0);
  for (const edge& e : edges)
    if (e.delta == 0) consumers[out[e.producer].last++] = e.consumer;
  const auto sooner = [](std::size_t a, std::size_t b) { return a < b; };
  list<std::size_t> ready;  // places
  for (std::size_t n = 0; n < nodes; ++n)
    if (missing[n] == 0) push_to_heap(ready, place[n], sooner);
  list<std::size_t> result;
  while (!ready.empty()) {
    const std::size_t n = order[pop_from_heap(ready, sooner)];
    result.push_back(n);
    for (std::size_t i = out[n].first; i < out[n].last; ++i)
      if (--missing[consumers[i]] == 0) push_to_heap(ready, place[consumers[i]], sooner);
  }
  return result;
}

/// A declaration's plan before its threads; empty if its lookaheads let none be made.
constexpr plan draft_of(const declaration& d) {
  plan p = plan_without_threads(d);
  bool made = p.order.size() == p.resolved.nodes.size();
  for (const edge& e : p.edges) made = made && e.delta >= 0;
  if (!made) p.order.assign(0, 0);
  return p;
}

}  // namespace detail

/// The order of one progress of a plan that was to be in another, for other lookaheads.
constexpr list<std::size_t> order_like(const declaration& d, view<std::size_t> order) {
  const plan p = detail::draft_of(d);
  list<edge> all;
  all.append(p.edges);
  all.append(delivery_edges(p.resolved));
  return detail::sorted_like(order, all);
}

namespace detail {

/// Takes threads and streams to be equally busy: where nobody says how long tasks take, a thread
/// that has more of them than others need not be the one that all wait for.
constexpr void balance_weights(const declaration& d, graph& g, view<std::size_t> tracks) {
  constexpr int busy = 720720;  // what 1 to 16 divide
  list<int> tasks_on;
  const std::size_t nodes = keeps_caller_apart(d) ? g.nodes.size() : g.tasks;
  for (std::size_t n = 0; n < nodes; ++n) {
    while (tasks_on.size() <= tracks[n]) tasks_on.push_back(0);
    ++tasks_on[tracks[n]];
  }
  for (std::size_t n = 0; n < nodes; ++n) g.nodes[n].weight = busy / tasks_on[tracks[n]];
}

}  // namespace detail

/// What the plan of a declaration costs with the lookaheads that are raised in it. A map that is to
/// be generated is known.
constexpr overlap_cost cost_of(const declaration& d) {
  overlap_cost cost;
  plan p = detail::draft_of(d);
  if (p.order.empty() || exceeded_bounds_of(d).any()) return cost;
  graph& g = p.resolved;
  list<std::size_t> thread_of(g.nodes.size(), 0);
  list<std::size_t> workers;
  list<std::size_t> order;
  if (d.generated > 0) {
    if (d.layout.order.size() != g.nodes.size()) return cost;
    order.append(d.layout.order);
    for (std::size_t n = 0; n < g.nodes.size(); ++n) thread_of[n] = d.layout.thread_of[n];
    workers.assign(threads_of(d).names.size(), 1);
  } else {
    thread_map made = make_thread_map(d, p.order);
    order.append(p.order);
    for (std::size_t n = 0; n < g.nodes.size(); ++n) thread_of[n] = made.thread_of[n];
    workers.append(made.workers);
  }
  const track_map tracks =
      tracks_of(d, g, d.generated > 0 ? view<std::size_t>(thread_of) : view<std::size_t>());
  const bool unweighted = is_unweighted(d);
  if (unweighted) detail::balance_weights(d, g, tracks.of);
  list<edge> all;
  all.append(p.edges);
  all.append(delivery_edges(g));
  const timing t = make_timing(g, all);
  cost.possible = true;
  cost.on_threads = period_on(t, order, thread_of, workers);
  cost.on_tracks = unweighted ? unweighted_period_on(t, order, tracks)
                              : period_on(t, order, tracks.of, tracks.workers);
  return cost;
}

/// Whether tasks of a plan could work at the same time, before it is made.
constexpr overlap overlap_of(const declaration& d) {
  const plan p = detail::draft_of(d);
  if (p.order.empty()) return {};
  if (d.generated > 0) {
    if (d.layout.order.size() != p.order.size()) return {};
    return find_overlap(d, p.resolved, d.layout.order, p.edges, d.layout.thread_of);
  }
  const thread_map made = make_thread_map(d, p.order);
  return find_overlap(d, p.resolved, p.order, p.edges, made.thread_of);
}

/// What `pipelined` makes of a declaration.
struct pipelined_choice {
  list<int> raised;         ///< `raised` of the declaration; empty: nothing is
  list<std::size_t> order;  ///< of a map that is to be generated: its layout
  list<std::size_t> thread_of;
};

namespace detail {

/// Chooses for threads that are known: by name, or of a layout.
class pipelined_chooser {
 public:
  constexpr pipelined_chooser(const declaration& d, const graph& g, view<std::size_t> order,
                              view<std::size_t> thread_of)
      : d_(d),
        g_(g),
        tracks_(tracks_of(d, g, thread_of)),
        depths_(depths(d, g, tracks_.of)),
        room_(room_to_raise(d, g, tracks_.of, depths_)) {
    choice_.order.append(order);
    choice_.thread_of.append(thread_of);
    for (const std::size_t n : choice_.order) generated_.push_back(n);
  }

  constexpr const raise_room& room() const { return room_; }

  constexpr void raise(raise_step step) {
    choice_.raised = raised_by(d_, g_, tracks_.of, depths_, step);
    if (generated_.empty()) return;
    declaration d = d_;
    d.raised = choice_.raised;
    choice_.order = order_like(d, generated_);
  }
  constexpr overlap_cost cost(raise_step step) {
    raise(step);
    return cost_of(declaration_with(d_, choice_));
  }

  static constexpr declaration declaration_with(declaration d, const pipelined_choice& choice) {
    d.raised = choice.raised;
    d.layout = {choice.order, choice.thread_of};
    return d;
  }

  constexpr pipelined_choice& choice() { return choice_; }

 private:
  const declaration& d_;
  const graph& g_;
  track_map tracks_;
  list<int> depths_;
  raise_room room_;
  list<std::size_t> generated_;
  pipelined_choice choice_;
};

/// Generates a map for lookaheads that are chosen; false: there can be none.
constexpr bool add_layout(const declaration& d, pipelined_choice& choice, long long budget) {
  declaration raised = d;
  raised.raised = choice.raised;
  const plan p = draft_of(raised);
  if (p.order.empty()) return false;
  const layout made = generate(make_layout_problem(raised, p.resolved, p.order,
                                                   make_layout_timing(raised, p.resolved, p.edges)),
                               budget);
  choice.order = made.order;
  choice.thread_of = made.thread_of;
  return true;
}

}  // namespace detail

/// A declaration with what was chosen for it, which it refers to.
constexpr declaration with_choice(const declaration& d, const pipelined_choice& choice) {
  return detail::pipelined_chooser::declaration_with(d, choice);
}

/// Whether tasks of a plan with raised lookaheads use a resource at once, or wait for each other.
constexpr bool is_unsafe(const declaration& d) {
  const plan p = detail::draft_of(d);
  return p.order.empty() || !check_races(d).empty();
}

/// Of more tasks no lookaheads are raised: what is tried for some may be tried for all.
inline constexpr std::size_t most_pipelined_tasks = 1000;
/// Up to how many tasks a plan's text says that nothing overlaps.
inline constexpr std::size_t most_told_tasks = 64;

/// Whether there are not too many tasks, and numbers are what they may be, so that sums of them are
/// numbers, too.
constexpr bool is_in_reach(const declaration& d) {
  bool fits = d.tasks.size() <= most_pipelined_tasks && d.from.lookahead <= most_batches &&
              d.from.weight >= 0;
  for (const task& t : d.tasks) {
    fits = fits && t.lookahead <= most_batches && t.weight >= 0;
    for (const dependency& e : t.cross_iter_depends_on) fits = fits && e.ago <= most_batches;
  }
  return fits;
}

/// Whether tasks are declared to work on different batches.
constexpr bool looks_ahead(const declaration& d) {
  for (const task& t : d.tasks)
    if (t.lookahead != d.tasks[0].lookahead) return true;
  return false;
}

/// What a plan's text says of overlapping tasks.
enum class overlap_told { nothing, as_it_is, what_would_help };
constexpr overlap_told told_of(const declaration& d, const overlap& found) {
  if (d.tasks.size() > most_told_tasks || found.some) return overlap_told::nothing;
  if (found.tracks < 2)
    return !d.serial && looks_ahead(d) ? overlap_told::as_it_is : overlap_told::nothing;
  return d.pipelined ? overlap_told::as_it_is : overlap_told::what_would_help;
}

/// Whether a plan's text may have to say what bounds keep `pipelined` from.
constexpr bool may_be_held(const declaration& d) {
  return d.pipelined && is_bounded(d) && d.tasks.size() <= most_told_tasks;
}
constexpr declaration without_bounds(declaration d) {
  d.within = {};
  return d;
}
/// The bounds that lookaheads raised without them exceed. \p d: as it is with them.
constexpr exceeded_bounds held_by(declaration d, view<int> unbounded) {
  if (unbounded.empty()) return {};
  d.raised = unbounded;
  return exceeded_bounds_of(d);
}

/// What `pipelined` makes of a declaration that keeps the rules; nothing of any other. Tasks on
/// different threads or streams work on different batches as far as that is declared possible and
/// lets the modelled time get less; if tasks would race then, nothing is raised.
constexpr pipelined_choice choose_pipelined(const declaration& d, long long budget = usual_budget) {
  if (d.serial || !is_in_reach(d) || !check_rules(d).findings.empty()) return {};
  const graph g = planned_graph(d);
  pipelined_choice all;  // on threads that are to be generated
  pipelined_choice plain;
  overlap_cost apart;
  if (d.generated > 0) {
    const track_map tracks = tracks_of(d, g);
    const list<int> deep = depths(d, g, tracks.of);
    all.raised = raised_by(d, g, tracks.of, deep, room_to_raise(d, g, tracks.of, deep).widest());
    if (!detail::add_layout(d, all, budget) || !detail::add_layout(d, plain, budget)) return {};
    apart = cost_of(with_choice(d, all));
  }
  detail::pipelined_chooser chooser(d, g, all.order, all.thread_of);
  lookahead_search search(chooser.room(), d.generated > 0, apart);
  while (!search.is_over()) search.tell(chooser.cost(search.asked()));
  chooser.raise(search.asked());
  const pipelined_choice& chosen = search.keeps_apart() ? all : chooser.choice();
  const declaration made = with_choice(d, chosen);
  if (is_unsafe(made)) return {};
  if (d.generated > 0 && !cost_of(made).suffices(cost_of(with_choice(d, plain)))) return {};
  return chosen;
}

}  // namespace stretto::planner
