// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <stretto/plan/model/edge.hpp>
#include <stretto/plan/model/graph.hpp>
#include <stretto/plan/model/list.hpp>
#include <string_view>

namespace stretto::planner {

/// Which host thread runs which node: a group of threads where workers take turns. Thread 0 is the
/// calling thread, which always has a chain.
struct thread_map {
  list<std::string_view> names;
  list<std::size_t> thread_of;  ///< by node
  list<std::size_t> chained;    ///< nodes by thread, each chain in the plan's order
  list<range> chains;           ///< by thread, into \c chained
  list<std::size_t> place;      ///< by node: position in its chain
  list<std::size_t> workers;    ///< by thread: how many run its chain, progress by progress in turn
  /// By thread: the one whose thread begins the calls of its task, which is a coroutine; none: it
  /// has a thread. Empty: all have.
  list<std::size_t> begun_by;

  /// Whether the host thread that runs one end of an edge is another than the one of the other end.
  constexpr bool crosses(const edge& e) const {
    const std::size_t thread = thread_of[e.producer];
    return thread != thread_of[e.consumer] || e.delta % static_cast<int>(workers[thread]) != 0;
  }
};

/// Everything that is derived from a valid declaration.
struct plan {
  graph resolved;
  /// Nodes of one progress: `pull`, the tasks, `deliver`. Keeps every edge of delta 0, and every
  /// thread's chain is in this order.
  list<std::size_t> order;
  list<edge> edges;           ///< every happens-before edge, with the reason for it
  list<std::size_t> copies;   ///< by slot
  list<std::size_t> fillers;  ///< by slot: the node that is first to use a copy for a batch
  list<std::size_t> tickets;
  list<edge> stream_waits;  ///< between streams, full list
  thread_map threads;
  list<edge> host_waits;  ///< between host threads, with a barrier per progress

  constexpr std::size_t in_flight() const {
    return static_cast<std::size_t>(resolved.max_lookahead) + 1;
  }
  /// Whether it has one stream, one thread and one batch at a time, with results on the host. (Of a
  /// coroutine there is no thread.)
  constexpr bool runs_serially() const {
    std::size_t others = 0;
    for (std::size_t t = 1; t < threads.names.size(); ++t)
      if (threads.begun_by.empty() || threads.begun_by[t] == none) ++others;
    return resolved.streams.size() == 1 && resolved.max_lookahead == 0 && others == 0 &&
           threads.workers[0] == 1 && resolved.nodes[resolved.deliver()].stream == none;
  }
};

}  // namespace stretto::planner
