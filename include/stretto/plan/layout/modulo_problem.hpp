// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>
#include <stretto/plan/model/graph.hpp>
#include <stretto/plan/model/list.hpp>

namespace stretto::planner {

/// Lookaheads, threads and an order that are to be found for tasks of known weight. Nodes are the
/// tasks, then `pull`, then `deliver`.
struct modulo_problem {
  /// `to` on a batch comes after `from` on the batch \c ago before; or at a progress after the one
  /// \c ago progresses before.
  struct arc {
    std::size_t from = 0;
    std::size_t to = 0;
    int ago = 0;
  };
  struct reader {
    std::size_t node = 0;
    int ago = 0;
  };
  /// What is written once for a batch, and read.
  struct slot {
    long long bytes = 0;
    std::size_t writer = 0;
    range readers{};
    std::size_t number = 0;  ///< in the graph
  };

  list<long long> weight;     ///< by node
  list<std::size_t> thread;   ///< by task: the thread that it has to be on, or none
  list<std::uint64_t> holds;  ///< by task: a bit for each stream, and for collectives
  list<int> least;            ///< by task: its lookahead
  list<int> most;             ///< by task: its lookahead
  list<arc> arcs;             ///< by batch, except those between the tasks of a slot
  list<arc> progresses;       ///< by progress
  list<slot> slot_list;
  list<reader> readers;
  std::size_t threads = 0;  ///< all
  std::size_t offered = 0;  ///< those that a task may be on that has to be on none: the first ones
  int in_flight = 1;        ///< batches, at most
  long long bytes = 0;      ///< of all copies, at most

  constexpr std::size_t tasks() const { return thread.size(); }
  constexpr std::size_t pull() const { return tasks(); }
  constexpr std::size_t deliver() const { return tasks() + 1; }
  constexpr std::size_t nodes() const { return tasks() + 2; }

  /// All arcs by batch.
  constexpr list<arc> by_batch() const {
    list<arc> all;
    all.reserve(arcs.size() + readers.size());
    for (const slot& s : slot_list)
      for (std::size_t i = s.readers.first; i < s.readers.last; ++i)
        all.push_back({s.writer, readers[i].node, readers[i].ago});
    all.append(arcs);
    return all;
  }
};

}  // namespace stretto::planner
