// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <stdexcept>
#include <stretto/dynamic/query/declared.hpp>
#include <stretto/dynamic/query/misuse.hpp>
#include <stretto/dynamic/values/schedule.hpp>
#include <stretto/plan/model/text_builder.hpp>
#include <stretto/plan/rules/diagnose.hpp>
#include <stretto/plan/text/sentence.hpp>
#include <string>
#include <string_view>
#include <utility>
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
  std::string sentence(const planner::declaration& d, std::size_t number) const {
    if (number < misuses.size()) return misuses[number];
    return planner::sentence(d, found.findings[number - misuses.size()], found.cycle);
  }
  /// The first ones as sentences.
  std::vector<std::string> sentences(const planner::declaration& d, std::size_t most = 100) const {
    std::vector<std::string> all;
    for (std::size_t i = 0; i < size() && i < most; ++i) all.push_back(sentence(d, i));
    return all;
  }
  std::vector<std::string> sentences(const schedule& s, std::size_t most = 100) const {
    return sentences(declared(s).value(), most);
  }
};

namespace detail {

[[gnu::cold, gnu::noinline]] inline std::string refusal(std::string_view schedule,
                                                        std::string_view first, std::size_t all) {
  planner::text_builder text;
  text.add("schedule ").quoted(schedule).add(": ").add(first);
  if (all > 1) text.add(" (and ").number(static_cast<long long>(all - 1)).add(" more)");
  return text.text();
}

}  // namespace detail

/// A schedule that cannot be planned or run. what() is the first thing wrong with it, and how many
/// more there are.
class schedule_error : public std::invalid_argument {
 public:
  schedule_error(const std::string& schedule, std::vector<std::string> sentences, std::size_t all)
      : std::invalid_argument(detail::refusal(schedule, sentences.front(), all)),
        sentences_(std::move(sentences)) {}

  /// What is wrong, one sentence for each, at most a hundred.
  const std::vector<std::string>& sentences() const { return sentences_; }

 private:
  std::vector<std::string> sentences_;
};

namespace detail {

/// Checks a declaration, and plans it into \p made where nothing is wrong.
inline diagnosis examine(const schedule& s, const planner::declaration& d, planner::plan& made) {
  diagnosis result;
  result.misuses = find_misuse(s, d);
  if (!result.ok()) return result;
  result.found = planner::check_rules(d);
  if (!result.ok()) return result;
  made = planner::make_plan(d);
  result.found.findings = planner::check_races(d, made);
  return result;
}

}  // namespace detail

/// Checks a schedule against all rules, and for races. Total: any schedule gets a diagnosis.
inline diagnosis diagnose(const schedule& s) {
  planner::plan made;
  return detail::examine(s, declared(s).value(), made);
}

}  // namespace stretto::dynamic
