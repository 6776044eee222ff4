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

/// Plans a declaration for which `diagnose` finds nothing wrong.
constexpr plan make_plan(const declaration& d) {
  plan p;
  p.resolved = make_graph(d);
  p.edges = declared_edges(p.resolved);
  p.edges.append(order_edges(p.resolved));
  p.order = sort(p.resolved, p.edges).order;
  p.copies = copies(p.resolved, d.slacks);
  p.tickets = tickets(p.resolved, p.order);
  p.edges.append(sharing_edges(p.resolved, p.copies));
  p.stream_waits = stream_waits(p.resolved, p.edges);
  p.edges.append(queue_edges(p.resolved, p.order));
  p.threads = make_thread_map(d, p.order);
  p.host_waits = barrier_waits(p.resolved, p.order, p.edges, p.threads);
  return p;
}

}  // namespace stretto::plan
