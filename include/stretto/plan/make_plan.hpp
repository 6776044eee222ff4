// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <stretto/plan/derive/copies.hpp>
#include <stretto/plan/derive/planned_graph.hpp>
#include <stretto/plan/derive/serial_edges.hpp>
#include <stretto/plan/derive/sort.hpp>
#include <stretto/plan/derive/threads.hpp>
#include <stretto/plan/layout/generate.hpp>
#include <stretto/plan/model/declaration.hpp>
#include <stretto/plan/model/edge.hpp>
#include <stretto/plan/model/graph.hpp>
#include <stretto/plan/model/list.hpp>
#include <stretto/plan/model/plan.hpp>
#include <stretto/plan/order/waits.hpp>
#include <utility>

namespace stretto::planner {

/// The part of a plan that knows of no threads and no waits.
constexpr plan plan_without_threads(const declaration& d) {
  plan p;
  p.resolved = planned_graph(d);
  p.edges = declared_edges(p.resolved);
  p.edges.append(order_edges(p.resolved));
  sorted in_order = sort(p.resolved, p.edges);
  p.order = std::move(in_order.order);
  p.copies = copies(d, p.resolved);
  p.fillers = fillers(p.resolved);
  p.tickets = tickets(p.resolved, p.order);
  const list<edge> sharing = sharing_edges(p.resolved, p.copies);
  const list<edge> queues = queue_edges(p.resolved, p.order);
  p.edges.reserve(p.edges.size() + sharing.size() + queues.size());
  p.edges.append(sharing);
  p.edges.append(queues);
  return p;
}

namespace detail {

/// Gives a plan its threads. A generated thread map that is not known yet is looked for.
constexpr void map_threads(const declaration& d, plan& p, long long budget) {
  if (d.generated == 0) {
    p.threads = make_thread_map(d, p.order);
  } else if (!d.layout.order.empty()) {
    for (std::size_t i = 0; i < p.order.size(); ++i) p.order[i] = d.layout.order[i];
    p.threads = generated_thread_map(d, p.order, d.layout.thread_of);
  } else {
    timing edges = make_layout_timing(d, p.resolved, p.edges);
    const layout made =
        generate(make_layout_problem(d, p.resolved, p.order, std::move(edges)), budget);
    p.order = made.order;
    p.threads = generated_thread_map(d, p.order, made.thread_of);
  }
}

/// A plan without its waits: what runs where, and every order that holds.
constexpr plan plan_without_waits(const declaration& d, long long budget = usual_budget) {
  plan p = plan_without_threads(d);
  map_threads(d, p, budget);
  return p;
}

}  // namespace detail

/// Plans the rest of a declaration: \p p knows of no threads and no waits yet.
constexpr void finish_plan(const declaration& d, plan& p, long long budget = usual_budget) {
  detail::map_threads(d, p, budget);
  p.stream_waits = stream_waits(p.resolved, p.edges);
  p.host_waits = barrier_waits(p.resolved, p.order, p.edges, p.threads);
}

/// Plans a declaration for which `diagnose` finds nothing wrong. A generated thread map that is not
/// known yet is looked for, with so much work as \p budget says.
constexpr plan make_plan(const declaration& d, long long budget = usual_budget) {
  plan p = planner::plan_without_threads(d);
  finish_plan(d, p, budget);
  return p;
}

}  // namespace stretto::planner
