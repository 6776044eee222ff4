// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <stretto/plan/model/declaration.hpp>
#include <stretto/plan/model/view.hpp>
#include <stretto/plan/rules/finding.hpp>
#include <stretto/plan/rules/repair.hpp>
#include <stretto/plan/rules/rule.hpp>
#include <stretto/plan/rules/table.hpp>
#include <stretto/plan/rules/wording.hpp>
#include <string>

namespace stretto::planner {

/// A finding in one line, for a person: rule, task, culprit and, where there is one, the repair.
/// \p cycle is the diagnosis's, for findings of rule 7.
constexpr std::string sentence(const declaration& d, const finding& f,
                               view<std::size_t> cycle = {}) {
  const rules::rule& broken = rule_with(f.what);
  const std::string name = broken.number == 0 ? "race" : "rule " + number(broken.number);
  return name + ": " + broken.sentence({d, f, cycle, repair_of(d, f)});
}

}  // namespace stretto::planner
