// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>
#include <stretto/plan/layout/modulo_evaluation.hpp>
#include <stretto/plan/layout/modulo_placement.hpp>
#include <stretto/plan/layout/modulo_problem.hpp>
#include <stretto/plan/layout/modulo_problem_of.hpp>
#include <stretto/plan/layout/modulo_search.hpp>
#include <stretto/plan/model/edge.hpp>
#include <stretto/search/problem.hpp>

/// Problems of the search at run time as those of the one at compile time, and its answers back.
namespace as_modulo {

inline stretto::planner::modulo_problem problem(const stretto::search::problem& p) {
  namespace planner = stretto::planner;
  planner::modulo_problem made;
  made.threads = p.threads;
  for (const auto& t : p.tasks) {
    made.weight.push_back(planner::modulo_scale * t.weight);
    // What no host thread runs is on a thread of its own.
    made.thread.push_back(!t.host                                  ? made.threads++
                          : t.thread == stretto::search::no_number ? planner::none
                                                                   : t.thread);
    std::uint64_t held = 0;
    for (const auto r : t.on) held |= std::uint64_t{1} << r;
    made.holds.push_back(held);
    made.least.push_back(t.least);
    made.most.push_back(t.most < p.in_flight ? t.most : p.in_flight - 1);
  }
  made.weight.push_back(planner::modulo_scale * p.pull_weight);
  made.weight.push_back(0);
  for (const auto& a : p.arcs) made.arcs.push_back({a.from, a.to, a.ago});
  for (const auto& a : p.progresses) made.progresses.push_back({a.from, a.to, a.ago});
  for (const auto& s : p.slot_list) {
    const std::size_t first = made.readers.size();
    for (const auto& r : s.readers) made.readers.push_back({r.node, r.ago});
    made.slot_list.push_back(
        {s.bytes, s.writer, {first, made.readers.size()}, made.slot_list.size()});
  }
  made.offered = p.choices();
  made.in_flight = p.in_flight;
  made.bytes = p.bytes;
  return made;
}

/// As the compiler searches: in parts.
inline stretto::planner::modulo_progress found(const stretto::planner::modulo_problem& p) {
  stretto::planner::modulo_progress s;
  while (s.now != stretto::planner::modulo_progress::phase::over)
    s = stretto::planner::modulo_search(p, s).run();
  return s;
}

inline stretto::search::answer answer(const stretto::search::problem& p,
                                      const stretto::planner::modulo_problem& as,
                                      const stretto::planner::modulo_placed& at) {
  namespace search = stretto::search;
  const stretto::planner::modulo_placement by(as);
  search::answer a;
  a.in_flight = at.in_flight;
  for (std::size_t t = 0; t < p.tasks.size(); ++t) {
    a.lookahead.push_back(at.ahead(t));
    a.thread.push_back(p.tasks[t].host ? static_cast<search::number>(at.thread[t])
                                       : search::no_number);
  }
  for (const std::size_t t : stretto::planner::modulo_evaluation(as).order(at, by))
    a.order.push_back(static_cast<search::number>(t));
  for (const auto& s : as.slot_list) a.copies.push_back(by.copies(at, s));
  return a;
}

}  // namespace as_modulo
