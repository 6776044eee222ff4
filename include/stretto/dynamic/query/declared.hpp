// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <stretto/compiled/linkage.hpp>
#include <stretto/dynamic/values/schedule.hpp>
#include <stretto/plan/model/declaration.hpp>
#include <stretto/plan/rules/pipelined_choice.hpp>
#include <string_view>
#include <vector>

namespace stretto::dynamic {

namespace detail {
class declaration_filler;
}  // namespace detail

/// A schedule as the planner takes it. Refers to the strings of the schedule, which must outlive it
/// unchanged. What `serial` says is applied.
class declared {
 public:
  explicit declared(const schedule& s);
  // Views point into the vectors' items, which stay where they are when a vector is moved.
  declared(declared&&) = default;
  declared& operator=(declared&&) = default;
  declared(const declared&) = delete;
  declared& operator=(const declared&) = delete;
  ~declared() = default;

  const planner::declaration& value() const { return value_; }

 private:
  friend detail::declaration_filler;

  std::vector<planner::task> tasks_;
  std::vector<planner::access> accesses_;
  std::vector<planner::dependency> dependencies_;
  std::vector<name> names_;
  std::vector<std::string_view> roles_;
  std::vector<std::string_view> streams_;
  std::vector<std::string_view> thread_names_;
  std::vector<name> results_;
  std::vector<planner::slack> slacks_;
  std::vector<planner::turn> turns_;
  std::vector<planner::pointing> points_;
  std::vector<planner::thread_group> groups_;
  std::vector<planner::slot_size> sizes_;
  planner::pipelined_choice choice_;
  planner::declaration value_;
};

}  // namespace stretto::dynamic

#if !defined(STRETTO_COMPILED)
#  include <stretto/dynamic/query/declared.ipp>
#endif
