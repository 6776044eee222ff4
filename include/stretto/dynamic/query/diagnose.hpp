// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <stdexcept>
#include <stretto/compiled/linkage.hpp>
#include <stretto/dynamic/query/misuse.hpp>
#include <stretto/dynamic/values/schedule.hpp>
#include <stretto/plan/model/declaration.hpp>
#include <stretto/plan/model/plan.hpp>
#include <stretto/plan/rules/finding.hpp>
#include <string>
#include <vector>

namespace stretto::dynamic {

/// Everything that is wrong with a schedule. Sentences are made when asked for: a broken schedule
/// of thousands of tasks has thousands of findings.
struct diagnosis {
  /// What no rule is about: numbers out of range, thread groups that cannot be.
  std::vector<std::string> misuses{};
  /// Violations of the rules and races, in rule order; looked for where there is no misuse.
  planner::diagnosis found{};

  bool ok() const { return size() == 0; }
  std::size_t size() const { return misuses.size() + found.findings.size(); }

  /// One of them as a sentence: what is wrong, with which task, and how to fix it. \p d is what
  /// was diagnosed.
  std::string sentence(const planner::declaration& d, std::size_t number) const;
  /// The first ones as sentences.
  std::vector<std::string> sentences(const planner::declaration& d, std::size_t most = 100) const;
  std::vector<std::string> sentences(const schedule& s, std::size_t most = 100) const;
};

/// A schedule that cannot be planned or run. what() is the first thing wrong with it, and how many
/// more there are.
class schedule_error : public std::invalid_argument {
 public:
  schedule_error(const std::string& schedule, std::vector<std::string> sentences, std::size_t all);

  /// What is wrong, one sentence for each, at most a hundred.
  const std::vector<std::string>& sentences() const { return sentences_; }

 private:
  std::vector<std::string> sentences_;
};

namespace detail {

/// Checks a declaration, and plans it into \p made where nothing is wrong.
STRETTO_INLINE diagnosis examine(const schedule& s, const planner::declaration& d,
                                 planner::plan& made);

}  // namespace detail

/// Checks a schedule against all rules, and for races. Total: any schedule gets a diagnosis.
STRETTO_INLINE diagnosis diagnose(const schedule& s);

}  // namespace stretto::dynamic

#if !defined(STRETTO_COMPILED)
#  include <stretto/dynamic/query/diagnose.ipp>
#endif
