// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <stretto/plan/derive/planned_graph.hpp>
#include <stretto/plan/make_plan.hpp>
#include <stretto/plan/model/list.hpp>
#include <stretto/plan/rules/finding.hpp>
#include <stretto/plan/rules/races.hpp>
#include <stretto/plan/rules/rule_6_dependencies.hpp>
#include <stretto/plan/rules/rule_7_acyclic.hpp>
#include <stretto/plan/rules/table.hpp>
#include <utility>

namespace stretto::planner {

namespace detail {

/// The edges that tasks declare and, unless those alone make a cycle, the user's order.
constexpr list<edge> all_declared_edges(const graph& g) {
  list<edge> edges = declared_edges(g);
  if (g.turns.empty()) return edges;
  if (sort(g, edges).cyclic.empty()) edges.append(order_edges(g));
  return edges;
}

/// Checks what queues and workers make of a declaration that keeps the rules: a group that works
/// further ahead may need runs that are still to come.
constexpr void check_further_ahead(const declaration& d, diagnosis& result) {
  const graph g = planned_graph(d);
  for (std::size_t t = 0; t < g.tasks; ++t) {
    for (std::size_t i = g.nodes[t].links.first; i < g.nodes[t].links.last; ++i) {
      const link& l = g.links[i];
      if (l.where == field::cross_iter_depends_on &&
          g.nodes[l.producer].lookahead + l.ago < g.nodes[t].lookahead)
        result.findings.push_back(
            {kind::cross_iter_future_read, t, l.producer, l.where, l.position});
    }
    const range reads = g.nodes[t].reads;
    for (std::size_t i = reads.first; i < reads.last; ++i) {
      const range writers = g.writers_of[g.reads[i].slot];
      for (std::size_t w = writers.first;
           w < writers.last && (g.reads[i].ago > 0 || g.reads[i].span > 0); ++w)
        if (g.writers[w].offset < g.reads[i].offset)
          result.findings.push_back(
              {kind::slot_future_read, t, g.writers[w].node, field::reads, i - reads.first});
    }
  }
  if (!result.findings.empty()) return;
  const list<edge> edges = all_declared_edges(g);
  const sorted order = sort(g, edges);
  rules::check_acyclic({d, g, edges, order}, result.findings);
  result.cycle = cycles(g, edges, order);
}

}  // namespace detail

/// Checks a declaration against the rules of table.hpp.
constexpr diagnosis check_rules(const declaration& d) {
  const graph g = make_graph(d);
  const list<edge> edges = detail::all_declared_edges(g);
  const sorted order = sort(g, edges);
  const rules::subject s{d, g, edges, order};
  diagnosis result;
  for (const rules::rule& r : all_rules)
    if (!r.needs_plan) (*r.check)(s, result.findings);
  result.cycle = cycles(g, edges, order);
  if (result.findings.empty() && !d.groups.empty()) detail::check_further_ahead(d, result);
  return result;
}

/// Checks a declaration that keeps the rules, and its plan, for races on resources.
constexpr list<finding> check_races(const declaration& d, const plan& p) {
  list<finding> found;
  if (!shares_resources(d)) return found;
  for (const race& r : races(d, p))
    found.push_back({kind::race, r.task, r.other, r.where, r.position});
  return found;
}

/// The races of a declaration that is not planned yet.
constexpr list<finding> check_races(const declaration& d) {
  if (!shares_resources(d)) return {};
  return check_races(d, detail::plan_without_waits(d));
}

/// Checks a declaration against all rules, and one that keeps them for races. Total: any
/// declaration gets a diagnosis.
constexpr diagnosis diagnose(const declaration& d) {
  diagnosis result = check_rules(d);
  if (result.findings.empty()) result.findings = check_races(d);
  return result;
}

}  // namespace stretto::planner
