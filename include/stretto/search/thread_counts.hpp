// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <initializer_list>
#include <stretto/bound/costs.hpp>
#include <stretto/dynamic/values/schedule.hpp>
#include <stretto/plan/model/text_builder.hpp>
#include <stretto/plan/model/view.hpp>
#include <stretto/run/error.hpp>
#include <stretto/search/find_schedule.hpp>
#include <stretto/search/least_period.hpp>
#include <string>
#include <utility>
#include <vector>

namespace stretto::search {

/// What is found with the first thread of those that limits name, with the first two, and so on, up
/// to as many as can make a difference. Made by `try_thread_counts`.
class thread_counts {
 public:
  thread_counts(std::vector<found_schedule> found, std::size_t offered)
      : found_(std::move(found)), offered_(offered) {}

  /// With one thread, two, ...: at least with one, and none takes longer than the one before.
  const std::vector<found_schedule>& found() const& { return found_; }
  std::vector<found_schedule> found() && { return std::move(found_); }
  /// The fewest threads of the shortest period.
  std::size_t worth_having() const {
    std::size_t fewest = found_.size();
    while (fewest > 1 && !(found_.back().period < found_[fewest - 2].period)) --fewest;
    return fewest;
  }
  const found_schedule& best() const { return found_[worth_having() - 1]; }

  /// A line for each number of threads, and one that says how many are worth having.
  std::string text() const {
    planner::text_builder out;
    for (std::size_t i = 0; i < found_.size(); ++i) {
      const found_schedule& f = found_[i];
      out.count(i + 1, " thread", " threads").add(": a progress takes ");
      out.quotient(f.period.time, f.period.progresses);
      if (f.optimal()) out.add(", the least that it can");
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

 private:
  std::vector<found_schedule> found_;
  std::size_t offered_;
};

namespace detail {

/// Whether more threads cannot make a period shorter.
inline bool bounds_any_threads(const found_schedule& f) {
  return f.optimal() && f.reason != proof::why::threads && f.reason != proof::why::crowd &&
         f.reason != proof::why::search;
}

}  // namespace detail

/// Looks with one thread of \p within, with two and so on, each time as `find_schedule` does, up to
/// all that are named, or to where it is proved that more do not help. Throws what that throws, and
/// `usage_error` if \p within names no threads.
inline thread_counts try_thread_counts(const dynamic::schedule& s, planner::view<task_cost> costs,
                                       const limits& within, const effort& how = {}) {
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
inline thread_counts try_thread_counts(const dynamic::schedule& s,
                                       std::initializer_list<task_cost> costs, const limits& within,
                                       const effort& how = {}) {
  return try_thread_counts(s, planner::view<task_cost>(costs.begin(), costs.size()), within, how);
}

}  // namespace stretto::search
