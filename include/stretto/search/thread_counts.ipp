// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <stretto/bound/costs.hpp>
#include <stretto/dynamic/values/schedule.hpp>
#include <stretto/plan/model/text_builder.hpp>
#include <stretto/plan/model/view.hpp>
#include <stretto/run/error.hpp>
#include <stretto/search/find_schedule.hpp>
#include <stretto/search/least_period.hpp>
#include <stretto/search/limits.hpp>
#include <stretto/search/solve.hpp>
#include <stretto/search/thread_counts.hpp>
#include <string>
#include <utility>
#include <vector>

namespace stretto::search {

STRETTO_INLINE std::string thread_counts::text() const {
  planner::text_builder out;
  for (std::size_t i = 0; i < found_.size(); ++i) {
    const found_schedule& f = found_[i];
    out.count(i + 1, " thread", " threads").add(": a progress takes ");
    out.quotient(f.period.time, f.period.progresses);
    if (f.optimal()) {
      out.add(", the least that it can");
      detail::add_in_flight(out, f);
    }
    out.add("\n");
  }
  const std::size_t worth = worth_having();
  out.count(worth, " thread is", " threads are").add(" worth having");
  if (worth < found_.size() || found_.size() < offered_) {
    out.add(": with more, no progress takes less");
  } else {
    out.add(", or more than are offered");
  }
  return out.add("\n").text();
}

namespace detail {

/// Whether more threads cannot make a period shorter.
inline bool bounds_any_threads(const found_schedule& f) {
  return f.optimal() && f.reason != proof::why::threads && f.reason != proof::why::crowd &&
         f.reason != proof::why::search;
}

}  // namespace detail

STRETTO_INLINE thread_counts try_thread_counts(const dynamic::schedule& s,
                                               planner::view<task_cost> costs, const limits& within,
                                               const effort& how) {
  if (within.threads.empty())
    throw usage_error(
        "how many threads are worth having is asked without any: name those that there "
        "can be in `threads` of the limits");
  std::vector<found_schedule> all;
  limits fewer = within;
  fewer.threads.clear();
  for (const std::string& thread : within.threads) {
    fewer.threads.push_back(thread);
    found_schedule next = find_schedule(s, costs, fewer, how);
    // What fewer threads do is there with more.
    if (!all.empty() && all.back().period < next.period) {
      const found_schedule more = std::move(next);
      next = all.back();
      next.least = more.least;
      next.reason = more.reason;
      next.because = more.because;
      next.busy = more.busy;
      next.share = more.share;
    }
    all.push_back(std::move(next));
    if (detail::bounds_any_threads(all.back())) break;
  }
  return {std::move(all), within.threads.size()};
}

}  // namespace stretto::search
