// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <stretto/plan/model/graph.hpp>
#include <stretto/plan/model/list.hpp>

namespace stretto::planner {

/// What can be wrong with a schedule: one of the constants of namespace `kind`, to which the file
/// of each rule adds its own.
enum class finding_kind : int {};

/// \p rule: 1 to 99, or 0 for what is not among the rules; \p number: counts the kinds of a rule
/// from 1.
constexpr finding_kind kind_of_rule(int rule, int number) {
  return static_cast<finding_kind>(100 * rule + number);
}

/// The rule that a kind breaks; 0 for a race, which is not among the rules.
constexpr int rule_of(finding_kind k) { return static_cast<int>(k) / 100; }

/// One violation. `task` is the task at fault, `other` the second task involved (or `none`), and
/// `where`/`position` the entry of the task's declaration that is the culprit, if one is. (For
/// `field::order` there is no task at fault, and `position` counts through the schedule's turns.)
struct finding {
  finding_kind what{};
  std::size_t task = none;
  std::size_t other = none;
  field where = field::reads;
  std::size_t position = none;
};

constexpr int rule_of(const finding& f) { return rule_of(f.what); }

/// No more pairs of tasks than this are reported to write the same slot or to race. 10,000 tasks
/// that forget one thing are 50 million pairs, which nobody reads and few have the memory for.
inline constexpr std::size_t most_pairs = 100000;

/// Everything that is wrong with a schedule.
struct diagnosis {
  list<finding> findings;  ///< by rule, then by task
  list<std::size_t>
      cycle;  ///< the tasks of a cycle: each waits for the next; `none` between cycles
};

}  // namespace stretto::planner
