// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <stretto/compiled/linkage.hpp>
#include <stretto/dynamic/values/schedule.hpp>
#include <stretto/plan/model/declaration.hpp>
#include <stretto/plan/model/plan.hpp>
#include <string>
#include <string_view>

namespace stretto::dynamic::detail {

/// The part of a role of a schedule with roles that keeps all rules. \p d is its declaration, and
/// \p p its plan.
STRETTO_INLINE schedule project(const schedule& whole, const planner::declaration& d,
                                const planner::plan& p, std::string_view role);
/// That no task of a schedule has a role, as a sentence; empty: one has it.
STRETTO_INLINE std::string unknown_role(const schedule& whole, const planner::declaration& d,
                                        std::string_view role);

}  // namespace stretto::dynamic::detail

#if !defined(STRETTO_COMPILED)
#  include <stretto/dynamic/query/part_of_role.ipp>
#endif
