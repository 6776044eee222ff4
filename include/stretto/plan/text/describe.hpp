// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <stretto/compiled/linkage.hpp>
#include <stretto/plan/derive/plan_size.hpp>
#include <stretto/plan/layout/modelled_period.hpp>
#include <stretto/plan/model/declaration.hpp>
#include <stretto/plan/model/plan.hpp>
#include <stretto/plan/model/view.hpp>
#include <stretto/plan/text/plan_view.hpp>
#include <string>
#include <string_view>

namespace stretto::planner {

/// Whether the text of a plan says how long a progress takes.
constexpr bool tells_times(const declaration& d) { return d.generated > 0 || has_weights(d); }

/// That no two tasks of a plan work at the same time, and what would let them; and what bounds keep
/// `pipelined` from.
struct told_overlap {
  std::size_t tracks = 0;   ///< 0: nothing is told
  std::size_t threads = 0;  ///< if fewer, those are streams
  view<int> raised{};       ///< by task, then `pull`: what `pipelined` would do; empty: nothing
  view<int> unbounded{};    ///< what `pipelined` would do without bounds; empty: nothing is told
  exceeded_bounds held{};   ///< by which of them it is held back
};

/// A plan as text for a person. \p slot_bytes by slot; empty where sizes are not known. \p times:
/// what tasks' weights make of the plan, or null.
STRETTO_INLINE std::string describe(std::string_view title, const plan_view& p,
                                    view<std::size_t> slot_bytes, const modelled* times,
                                    const told_overlap& overlap = {});

/// A plan that is a value, likewise.
STRETTO_INLINE std::string describe(std::string_view title, const declaration& d, const plan& p,
                                    view<std::size_t> slot_bytes = {},
                                    const told_overlap& overlap = {});

}  // namespace stretto::planner

#if !defined(STRETTO_COMPILED)
#  include <stretto/plan/text/describe.ipp>
#endif
