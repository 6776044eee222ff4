// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <stretto/plan/copies.hpp>
#include <stretto/plan/declaration.hpp>
#include <stretto/plan/edge.hpp>
#include <stretto/plan/fire.hpp>
#include <stretto/plan/graph.hpp>
#include <stretto/plan/list.hpp>
#include <stretto/plan/order.hpp>
#include <stretto/plan/queues.hpp>
#include <stretto/plan/rules/rule_8_emission.hpp>
#include <stretto/plan/threads.hpp>
#include <stretto/plan/waits.hpp>
#include <utility>

namespace stretto::plan {

/// Everything that is derived from a valid declaration.
struct plan {
  graph resolved;
  list<std::size_t> order;   ///< nodes of one progress: `pull`, the tasks, `deliver`
  list<edge> edges;          ///< every happens-before edge, with the reason for it
  list<std::size_t> copies;  ///< by slot
  list<std::size_t> tickets;
  list<edge> stream_waits;  ///< between streams, full list
  thread_map threads;
  list<edge> host_waits;  ///< between host threads, with a barrier per progress

  constexpr std::size_t in_flight() const {
    return static_cast<std::size_t>(resolved.max_lookahead) + 1;
  }
};

namespace detail {

/// A plan but for its waits: what runs where, and every order that holds. \p declared are the
/// edges that \p order keeps.
constexpr plan plan_without_waits(const declaration& d, graph resolved, list<edge> declared,
                                  list<std::size_t> order) {
  plan p;
  p.resolved = std::move(resolved);
  p.edges = std::move(declared);
  p.order = std::move(order);
  p.copies = copies(p.resolved, d.slacks);
  p.tickets = tickets(p.resolved, p.order);
  p.edges.append(sharing_edges(p.resolved, p.copies));
  p.edges.append(queue_edges(p.resolved, p.order));
  p.threads = make_thread_map(d, p.order);
  return p;
}

/// The same of a declaration.
constexpr plan plan_without_waits(const declaration& d) {
  graph resolved = make_graph(d);
  list<edge> declared = declared_edges(resolved);
  declared.append(order_edges(resolved));
  sorted in_order = sort(resolved, declared);
  return plan_without_waits(d, std::move(resolved), std::move(declared), std::move(in_order.order));
}

}  // namespace detail

/// Plans a declaration for which `diagnose` finds nothing wrong.
constexpr plan make_plan(const declaration& d) {
  plan p = detail::plan_without_waits(d);
  p.stream_waits = stream_waits(p.resolved, p.edges);
  p.host_waits = barrier_waits(p.resolved, p.order, p.edges, p.threads);
  return p;
}

}  // namespace stretto::plan
