// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <stretto/compiled/linkage.hpp>
#include <stretto/plan/model/declaration.hpp>
#include <stretto/plan/model/edge.hpp>
#include <stretto/plan/model/list.hpp>
#include <stretto/plan/model/plan.hpp>
#include <stretto/plan/text/plan_view.hpp>

namespace stretto::planner {

/// The view of a plan that is a value, and what such a plan does not hold itself. Refers to both
/// the declaration and the plan.
class viewed_plan {
 public:
  [[gnu::cold]] STRETTO_INLINE viewed_plan(const declaration& d, const plan& p);

  [[gnu::cold]] STRETTO_INLINE plan_view view() const;

 private:
  const declaration& declared_;
  const plan& plan_;
  list<std::size_t> lag_;
  list<std::size_t> stream_of_;
  list<std::size_t> queues_;
  list<edge> minimal_stream_waits_;
  list<edge> run_ahead_waits_;
};

}  // namespace stretto::planner

#if !defined(STRETTO_COMPILED)
#  include <stretto/plan/text/viewed_plan.ipp>
#endif
