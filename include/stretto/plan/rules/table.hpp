// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <stretto/plan/rules/finding.hpp>
#include <stretto/plan/rules/races.hpp>
#include <stretto/plan/rules/rule.hpp>
#include <stretto/plan/rules/rule_1_names.hpp>
#include <stretto/plan/rules/rule_2_offsets.hpp>
#include <stretto/plan/rules/rule_3_streams.hpp>
#include <stretto/plan/rules/rule_4_writers.hpp>
#include <stretto/plan/rules/rule_5_reads.hpp>
#include <stretto/plan/rules/rule_6_dependencies.hpp>
#include <stretto/plan/rules/rule_7_acyclic.hpp>
#include <stretto/plan/rules/rule_9_items.hpp>
#include <string_view>

namespace stretto::planner {

/// All rules that a declaration can break, in the order in which it is checked against them. (Rule
/// 8 is about the emitted plan: see rule_8_emission.hpp.)
inline constexpr rules::rule all_rules[] = {
    rules::rule_1, rules::rule_2, rules::rule_3, rules::rule_4,   rules::rule_5,
    rules::rule_6, rules::rule_7, rules::rule_9, rules::no_races,
};

/// The rule that a kind breaks.
constexpr const rules::rule& rule_with(finding_kind k) {
  const rules::rule* found = all_rules;
  while (found->number != rule_of(k)) ++found;
  return *found;
}

/// What the file of its rule says of a kind.
constexpr const rules::kind_row& row_of(finding_kind k) {
  const rules::kind_row* found = rule_with(k).kinds;
  while (found->what != k) ++found;
  return *found;
}

constexpr std::string_view kind_name(finding_kind k) { return row_of(k).name; }

}  // namespace stretto::planner
