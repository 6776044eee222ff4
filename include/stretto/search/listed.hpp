// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <stretto/search/batch_graph.hpp>
#include <stretto/search/fire_order.hpp>
#include <stretto/search/problem.hpp>
#include <stretto/search/thread_maps.hpp>
#include <vector>

namespace stretto::search::detail {

/// Threads by a list scheduler: in the order of the longest paths to the end of a batch.
struct listed {
  std::vector<number> thread;
  queues waiting;

  listed(const problem& p, const batch_graph& g, bool by_stream)
      : thread(thread_maps(p).greedy(order(p, g))), waiting(p, thread, by_stream) {}

  static std::vector<number> order(const problem& p, const batch_graph& g) {
    const std::vector<number> none(p.tasks.size(), no_number);
    return order_of_a_progress(p, g, std::vector<int>(p.tasks.size(), 0),
                               priorities(p, g, queues(p, none, true), fire_order::critical_path));
  }
};

}  // namespace stretto::search::detail
