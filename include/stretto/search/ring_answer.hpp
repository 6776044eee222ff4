// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cstddef>
#include <stretto/search/batch_graph.hpp>
#include <stretto/search/evaluation.hpp>
#include <stretto/search/fire_order.hpp>
#include <stretto/search/least_period.hpp>
#include <stretto/search/problem.hpp>
#include <stretto/search/solve.hpp>
#include <utility>
#include <vector>

namespace stretto::search::detail {

/// The answer that threads, lookaheads and a wished-for order make. A ring of a slot has as many
/// copies as there are batches in flight, and only as few as it needs if these are too many bytes.
inline answer ring_answer(const problem& p, const batch_graph& g, std::vector<int> lookahead,
                          std::vector<number> thread, const std::vector<number>& wanted) {
  answer a;
  a.lookahead = std::move(lookahead);
  a.thread = std::move(thread);
  a.order = order_of_a_progress(p, g, a.lookahead, wanted);
  for (const int ahead : a.lookahead) a.in_flight = (std::max)(a.in_flight, ahead + 1);
  long long bytes = 0;
  for (const problem::slot& s : p.slot_list) {
    a.copies.push_back((std::max)(a.in_flight, evaluation::least_copies(p, a, s)));
    bytes += a.copies.back() * s.bytes;
  }
  if (bytes > p.bytes)
    for (std::size_t s = 0; s < p.slot_list.size(); ++s)
      a.copies[s] = evaluation::least_copies(p, a, p.slot_list[s]);
  return a;
}

/// An answer, if it is one, as what was found, with the bounds that every problem has.
inline solution as_solution(const problem& p, const answer& a) {
  solution s;
  const least_period least = find_least_period(p);
  s.least = least.period;
  s.why = least.why;
  for (const problem::slot& x : p.slot_list) s.least_bytes += x.bytes;
  s.none = s.least_bytes > p.bytes;
  const evaluation as_it_is(p, a);
  if (as_it_is.wrong() != illegal::no) return s;
  s.found = true;
  s.best = a;
  s.period = as_it_is.period();
  s.bytes = as_it_is.bytes();
  s.fewest_in_flight = a.in_flight == 1;
  return s;
}

}  // namespace stretto::search::detail
