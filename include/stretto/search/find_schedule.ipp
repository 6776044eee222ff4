// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cstddef>
#include <stretto/bound/costs.hpp>
#include <stretto/dynamic/values/schedule.hpp>
#include <stretto/plan/model/graph.hpp>
#include <stretto/plan/model/name_list.hpp>
#include <stretto/plan/model/text_builder.hpp>
#include <stretto/plan/model/view.hpp>
#include <stretto/search/find_schedule.hpp>
#include <stretto/search/found_by.hpp>
#include <stretto/search/least_period.hpp>
#include <stretto/search/limits.hpp>
#include <stretto/search/schedule_problem.hpp>
#include <stretto/search/solve.hpp>
#include <string>

namespace stretto::search {

namespace detail {
// Said again: found_by.hpp includes this file where it is the first to be included.
template <class Look, class Finish>
found_schedule found_by(const dynamic::schedule& s, planner::view<task_cost> costs,
                        const limits& within, const Look& look, const Finish& finish);
}  // namespace detail

STRETTO_INLINE bool found_schedule::least_goes_by_in_flight() const {
  const auto is_deliver = [](const std::string& name) { return name == planner::deliver_name; };
  return reason == proof::why::search ||
         (reason == proof::why::cycle && std::any_of(because.begin(), because.end(), is_deliver));
}

namespace detail {

/// Adds up to how many batches in flight a period is known to be the least.
inline void add_in_flight(planner::text_builder& out, const found_schedule& f) {
  if (!f.least_goes_by_in_flight()) return;
  out.add(" with at most ");
  out.count(static_cast<std::size_t>(f.most_in_flight), " batch in flight", " batches in flight");
}

}  // namespace detail

STRETTO_INLINE std::string found_schedule::text() const {
  planner::text_builder out;
  out.add("a progress takes ").quotient(period.time, period.progresses);
  if (optimal()) {
    out.add(", the least that it can");
  } else {
    out.add("; no schedule takes less than ").quotient(least.time, least.progresses);
  }
  const bool by_threads = reason == proof::why::thread || reason == proof::why::threads ||
                          reason == proof::why::crowd || reason == proof::why::search;
  if (by_threads) out.add(" on these threads");
  detail::add_in_flight(out, *this);
  out.add(": ");
  switch (reason) {
    case proof::why::task: out.add("that is what a task takes by itself"); break;
    case proof::why::thread: out.add("the thread is busy"); break;
    case proof::why::resource: out.add("what excludes each other is busy"); break;
    case proof::why::threads: out.add("all threads are busy"); break;
    case proof::why::streams: out.add("all streams that are offered are busy"); break;
    case proof::why::crowd:
      out.add("a thread has ").number(share).add(" of these tasks at least");
      break;
    case proof::why::cycle: out.add("tasks wait for each other over batches"); break;
    case proof::why::search: out.add("each order of the tasks was tried or ruled out"); break;
    case proof::why::none: out.add("nothing takes any time"); break;
  }
  if (!busy.empty()) out.add(", ").quoted(busy);
  if (!because.empty())
    planner::add_names(out.add(": "), because, reason == proof::why::cycle ? " > " : ", ");
  out.add("\n");
  out.count(static_cast<std::size_t>(in_flight), " batch in flight", " batches in flight");
  if (fewest_in_flight) out.add(", the fewest");
  if (bytes > 0) {
    out.add("; ").number(static_cast<long long>(bytes)).add(" bytes");
    if (bytes == least_bytes) out.add(", the fewest");
  }
  out.add("\n").count(static_cast<std::size_t>(hand_overs), " hand-over", " hand-overs");
  out.add(" between threads");
  if (spare) {
    const long long percent = 100 * spare->time / spare->progresses;
    out.add("; of a tenth that a task may take longer, ").number(percent).add(" % is to spare");
  }
  return out.add("\n").text();
}

STRETTO_INLINE found_schedule find_schedule(const dynamic::schedule& s,
                                            planner::view<task_cost> costs, const limits& within,
                                            const effort& how) {
  return detail::found_by(
      s, costs, within,
      [&](const detail::schedule_problem& asked, std::string& refused) {
        refused = "no schedule has been found within these limits: take more steps";
        effort more = how;
        more.known = asked.known(s);
        return detail::find_best(asked.asked(), more);
      },
      [&](const detail::schedule_problem& asked, solution& found) {
        detail::refine(asked.asked(), found, how);
      });
}

}  // namespace stretto::search
