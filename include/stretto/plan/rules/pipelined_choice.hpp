// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <limits>
#include <stretto/declare/tag.hpp>
#include <stretto/plan/derive/pipelined.hpp>
#include <stretto/plan/derive/planned_graph.hpp>
#include <stretto/plan/derive/threads.hpp>
#include <stretto/plan/layout/generate.hpp>
#include <stretto/plan/layout/layout.hpp>
#include <stretto/plan/layout/overlap.hpp>
#include <stretto/plan/layout/period.hpp>
#include <stretto/plan/make_plan.hpp>
#include <stretto/plan/model/algorithm.hpp>
#include <stretto/plan/model/declaration.hpp>
#include <stretto/plan/model/edge.hpp>
#include <stretto/plan/model/graph.hpp>
#include <stretto/plan/model/list.hpp>
#include <stretto/plan/model/plan.hpp>
#include <stretto/plan/model/view.hpp>
#include <stretto/plan/rules/diagnose.hpp>

/// Which of the lookaheads that a pipelined schedule could have it gets: as few as give the least
/// modelled time.
namespace stretto::planner {

/// What a plan would cost: on host threads alone and, less if those only submit what streams do,
/// with streams that work by themselves.
struct overlap_cost {
  bool possible = false;  ///< whether the lookaheads keep what is declared
  ratio on_threads;
  ratio on_tracks;

  friend constexpr bool operator==(const overlap_cost&, const overlap_cost&) = default;
  /// No more of either than another.
  constexpr bool suffices(const overlap_cost& other) const {
    return possible && !(other.on_threads < on_threads) && !(other.on_tracks < on_tracks);
  }
};

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

/// What the plan of a declaration costs with the lookaheads that are raised in it. A map that is to
/// be generated is known.
constexpr overlap_cost cost_of(const declaration& d) {
  overlap_cost cost;
  const plan p = detail::draft_of(d);
  if (p.order.empty()) return cost;
  const graph& g = p.resolved;
  list<edge> all;
  all.append(p.edges);
  all.append(delivery_edges(g));
  const timing t = make_timing(g, all);
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
  cost.possible = true;
  cost.on_threads = period_on(t, order, thread_of, workers);
  const track_map tracks =
      tracks_of(d, g, d.generated > 0 ? view<std::size_t>(thread_of) : view<std::size_t>());
  cost.on_tracks = period_on(t, order, tracks.of, tracks.workers);
  return cost;
}

/// Whether a plan is to have raised lookaheads. A map that was generated for those is not judged by
/// what it costs without.
constexpr bool is_worth_raising(const declaration& d, const overlap_cost& without,
                                const overlap_cost& with) {
  return !without.suffices(with) && (d.generated > 0 || with.suffices(without));
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

/// The least number of batches that lookaheads are raised by at most with which a plan costs no
/// more than with \p most. \p cost tells what it costs with a number.
template <class Cost>
constexpr int fewest_raised(const declaration& d, int most, Cost cost) {
  if (most == 0) return 0;
  const overlap_cost best = cost(most);
  if (!is_worth_raising(d, cost(0), best)) return 0;
  int not_enough = 0;
  int enough = most;
  while (enough - not_enough > 1) {
    const int between = not_enough + (enough - not_enough) / 2;
    (cost(between).suffices(best) ? enough : not_enough) = between;
  }
  return enough;
}

/// What `pipelined` makes of a declaration.
struct pipelined_choice {
  list<int> raised;         ///< `raised` of the declaration; empty: nothing is
  list<std::size_t> order;  ///< of a map that is to be generated: its layout
  list<std::size_t> thread_of;
};

namespace detail {

constexpr int most_of(view<int> numbers) {
  int most = 0;
  for (const int n : numbers) most = larger(most, n);
  return most;
}

/// Chooses for threads that are known: by name, or of a layout.
class pipelined_chooser {
 public:
  constexpr pipelined_chooser(const declaration& d, const graph& g, view<std::size_t> order,
                              view<std::size_t> thread_of)
      : d_(d), g_(g), tracks_(tracks_of(d, g, thread_of)), depths_(depths(d, g, tracks_.of)) {
    choice_.order.append(order);
    choice_.thread_of.append(thread_of);
    for (const std::size_t n : choice_.order) generated_.push_back(n);
  }

  constexpr int deepest() const { return most_of(depths_); }

  /// Raises lookaheads by a number at most.
  constexpr void raise(int most) {
    choice_.raised = raised_up_to(g_, tracks_.of, depths_, most);
    if (generated_.empty()) return;
    declaration d = d_;
    d.raised = choice_.raised;
    choice_.order = order_like(d, generated_);
  }
  constexpr overlap_cost cost(int most) {
    raise(most);
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

/// What `pipelined` makes of a declaration that keeps the rules; nothing of any other. Tasks on
/// different threads or streams work on different batches as far as that is declared possible and
/// lets the modelled time get less; if tasks would race then, nothing is raised.
constexpr pipelined_choice choose_pipelined(const declaration& d, long long budget = usual_budget) {
  if (d.serial || !is_in_reach(d) || !check_rules(d).findings.empty()) return {};
  const graph g = planned_graph(d);
  pipelined_choice all;  // on threads that are to be generated
  pipelined_choice plain;
  if (d.generated > 0) {
    const track_map tracks = tracks_of(d, g);
    all.raised =
        raised_up_to(g, tracks.of, depths(d, g, tracks.of), (std::numeric_limits<int>::max)());
    if (!detail::add_layout(d, all, budget) || !detail::add_layout(d, plain, budget)) return {};
  }
  detail::pipelined_chooser chooser(d, g, all.order, all.thread_of);
  const int most = chooser.deepest();
  pipelined_choice chosen;
  if (d.generated > 0 && !chooser.cost(most).suffices(cost_of(with_choice(d, all)))) {
    chosen = all;
  } else {
    chooser.raise(fewest_raised(d, most, [&](int number) { return chooser.cost(number); }));
    chosen = chooser.choice();
  }
  const declaration made = with_choice(d, chosen);
  if (is_unsafe(made)) return {};
  if (d.generated > 0 && !cost_of(made).suffices(cost_of(with_choice(d, plain)))) return {};
  return chosen;
}

}  // namespace stretto::planner
