// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <stretto/plan/model/plan.hpp>
#include <stretto/plan/rules/finding.hpp>
#include <string_view>
#include <vector>
#include "runs.hpp"

namespace conformance {

/// A plan, whichever front end made it: looks into one that lives elsewhere.
struct plan_view {
  std::span<const std::size_t> order;
  std::span<const std::size_t> lag;
  std::size_t in_flight = 0;
  std::span<const std::size_t> tickets;
  std::span<const stretto::planner::edge> edges;
  std::span<const stretto::planner::edge> stream_waits;
  std::span<const std::string_view> thread_names;
  std::span<const std::size_t> thread_of;
  std::span<const std::size_t> chained;
  std::span<const stretto::planner::range> chains;
};

/// Really runs a pipeline, with N batches.
using run_function = std::function<fire_table(std::size_t batches)>;

/// The plan on one of a record's thread maps; no name: on one that the record does not have.
struct plan_on_threads {
  std::string_view map;
  plan_view plan;
  run_function run{};  ///< on those threads; null: is not run
};

/// What Stretto says of a record, in strict mode. A valid one comes with its plans, of which the
/// first answers for all that threads have no part in.
struct judged {
  const stretto::planner::declaration* declared = nullptr;
  std::span<const stretto::planner::finding> findings;
  std::vector<plan_on_threads> plans;
  run_function run{};  ///< on one thread; null: what fires is what the plan says
};

}  // namespace conformance
