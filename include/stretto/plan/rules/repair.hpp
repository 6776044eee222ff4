// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <stretto/plan/model/declaration.hpp>
#include <stretto/plan/rules/finding.hpp>
#include <stretto/plan/rules/rule.hpp>
#include <stretto/plan/rules/table.hpp>

namespace stretto::planner {

/// What to do about a finding of `diagnose(d)`.
constexpr repair repair_of(const declaration& d, const finding& f) {
  return rule_with(f.what).fix(d, f);
}

}  // namespace stretto::planner
