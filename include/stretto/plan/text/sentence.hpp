// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <stretto/plan/model/declaration.hpp>
#include <stretto/plan/model/text_builder.hpp>
#include <stretto/plan/model/view.hpp>
#include <stretto/plan/rules/finding.hpp>
#include <stretto/plan/rules/repair.hpp>
#include <stretto/plan/rules/rule.hpp>
#include <stretto/plan/rules/table.hpp>
#include <stretto/plan/rules/wording.hpp>
#include <string>

namespace stretto::planner {

/// How a finding is said. Where it is a constant, nothing of the other rules is compiled.
struct saying {
  int rule = 0;
  repair (*fix)(const declaration&, const finding&) = nullptr;
  void (*say)(const rules::statement&, text_builder&) = nullptr;
};
constexpr saying saying_of(finding_kind k) {
  const rules::rule& broken = rule_with(k);
  return {broken.number, broken.fix, broken.sentence};
}

/// Adds a finding in one line, for a person: rule, task, culprit and, where there is one, the
/// repair. \p cycle is the diagnosis's, for findings of rule 7; \p how: `saying_of` its kind.
[[gnu::cold]] constexpr void add_sentence(text_builder& text, const declaration& d,
                                          const finding& f, view<std::size_t> cycle,
                                          const saying& how) {
  if (how.rule == 0) {
    text.add("race: ");
  } else {
    text.add("rule ").number(how.rule).add(": ");
  }
  (*how.say)({d, f, cycle, (*how.fix)(d, f)}, text);
}

/// A finding in one line.
[[gnu::cold]] constexpr std::string sentence(const declaration& d, const finding& f,
                                             view<std::size_t> cycle, const saying& how) {
  text_builder text;
  add_sentence(text, d, f, cycle, how);
  return text.text();
}
[[gnu::cold]] constexpr std::string sentence(const declaration& d, const finding& f,
                                             view<std::size_t> cycle = {}) {
  return sentence(d, f, cycle, saying_of(f.what));
}

}  // namespace stretto::planner
