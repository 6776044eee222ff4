// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <stretto/compiled/linkage.hpp>
#include <stretto/plan/model/declaration.hpp>
#include <stretto/plan/model/edge.hpp>
#include <stretto/plan/model/list.hpp>
#include <stretto/plan/model/plan.hpp>
#include <stretto/plan/model/view.hpp>
#include <stretto/plan/text/plan_view.hpp>
#include <string>

namespace stretto::planner {

/// Why the run of \p before at progress i - \p delta comes before the run of \p after at progress
/// i: the places of a shortest chain of edges from the one to the other. Empty if nothing orders
/// them. \p effects: the edges that order effects.
STRETTO_INLINE list<std::size_t> why_ordered(view<edge> effects, std::size_t nodes,
                                             std::size_t before, std::size_t after, int delta);

/// That chain as text for a person. Of the plan only its declaration, its slots and when its nodes
/// run are looked at.
STRETTO_INLINE std::string explain(const plan_view& p, view<edge> effects, std::size_t before,
                                   std::size_t after, int delta);

/// Of a plan that is a value.
STRETTO_INLINE std::string explain(const declaration& d, const plan& p, std::size_t before,
                                   std::size_t after, int delta);

}  // namespace stretto::planner

#if !defined(STRETTO_COMPILED)
#  include <stretto/plan/text/explain.ipp>
#endif
