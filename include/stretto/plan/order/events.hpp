// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <stretto/plan/model/algorithm.hpp>
#include <stretto/plan/model/list.hpp>
#include <stretto/plan/model/plan.hpp>
#include <stretto/plan/model/view.hpp>
#include <stretto/plan/order/fewest_waits.hpp>
#include <stretto/plan/order/happens_before.hpp>

namespace stretto::planner {

/// By node: how many events it takes in turn, for \p waits of streams and of host tasks; 0 if
/// nobody waits for it. One more than needed would do no harm; with one less a thread that runs
/// ahead would record an event again before a slower one has waited for it, and that one would wait
/// for more than it should.
constexpr list<std::size_t> event_counts(const plan& p, view<edge> stream_waits,
                                         view<edge> blocking_waits) {
  list<std::size_t> counts(p.order.size(), 0);
  const happens_before submission = submission_order(p);
  const int most = 2 * static_cast<int>(p.in_flight()) + 2;
  const auto count = [&](view<edge> waits) {
    for (const edge& e : waits) {
      const int later = submission.distance(e.consumer, e.producer, most);
      std::size_t& known = counts[e.producer];
      known = larger(known, larger(std::size_t{1}, static_cast<std::size_t>(e.delta + later)));
    }
  };
  count(stream_waits);
  count(blocking_waits);
  return counts;
}

}  // namespace stretto::planner
