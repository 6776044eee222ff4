// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <initializer_list>
#include <stretto/bound/costs.hpp>
#include <stretto/compiled/linkage.hpp>
#include <stretto/dynamic/values/schedule.hpp>
#include <stretto/plan/model/view.hpp>
#include <stretto/search/find_schedule.hpp>
#include <stretto/search/limits.hpp>
#include <stretto/search/solve.hpp>
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
  std::string text() const;

 private:
  std::vector<found_schedule> found_;
  std::size_t offered_;
};

/// Looks with one thread of \p within, with two and so on, each time as `find_schedule` does, up to
/// all that are named, or to where it is proved that more do not help. Throws what that throws, and
/// `usage_error` if \p within names no threads.
STRETTO_INLINE thread_counts try_thread_counts(const dynamic::schedule& s,
                                               planner::view<task_cost> costs, const limits& within,
                                               const effort& how = {});
inline thread_counts try_thread_counts(const dynamic::schedule& s,
                                       std::initializer_list<task_cost> costs, const limits& within,
                                       const effort& how = {}) {
  return try_thread_counts(s, planner::view<task_cost>(costs.begin(), costs.size()), within, how);
}

}  // namespace stretto::search

#if !defined(STRETTO_COMPILED)
#  include <stretto/search/thread_counts.ipp>
#endif
