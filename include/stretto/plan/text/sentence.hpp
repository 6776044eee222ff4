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

/// Adds a finding in one line, for a person: rule, task, culprit and, where there is one, the
/// repair. \p broken: a row of the rule; \p cycle is the diagnosis's, for findings of rule 7.
constexpr void add_sentence(text_builder& to, int rule,
                            void (*say)(const rules::statement&, text_builder&),
                            const rules::statement& s) {
  if (rule == 0) {
    to.add("race: ");
  } else {
    to.add("rule ").number(rule).add(": ");
  }
  say(s, to);
}

/// A finding in one line, for a person: rule, task, culprit and, where there is one, the repair.
/// \p cycle is the diagnosis's, for findings of rule 7.
constexpr std::string sentence(const declaration& d, const finding& f,
                               view<std::size_t> cycle = {}) {
  const rules::rule& broken = rule_with(f.what);
  text_builder text;
  add_sentence(text, broken.number, broken.sentence, {d, f, cycle, repair_of(d, f)});
  return text.text();
}

}  // namespace stretto::planner
