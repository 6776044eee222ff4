// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <stretto/dynamic/query/declared.hpp>
#include <stretto/dynamic/query/diagnose.hpp>
#include <stretto/dynamic/query/misuse.hpp>
#include <stretto/plan/make_plan.hpp>
#include <stretto/plan/model/text_builder.hpp>
#include <stretto/plan/rules/diagnose.hpp>
#include <stretto/plan/text/sentence.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace stretto::dynamic {

STRETTO_INLINE std::string diagnosis::sentence(const planner::declaration& d,
                                               std::size_t number) const {
  if (number < misuses.size()) return misuses[number];
  return planner::sentence(d, found.findings[number - misuses.size()], found.cycle);
}

STRETTO_INLINE std::vector<std::string> diagnosis::sentences(const planner::declaration& d,
                                                             std::size_t most) const {
  std::vector<std::string> all;
  for (std::size_t i = 0; i < size() && i < most; ++i) all.push_back(sentence(d, i));
  return all;
}

STRETTO_INLINE std::vector<std::string> diagnosis::sentences(const schedule& s,
                                                             std::size_t most) const {
  return sentences(declared(s).value(), most);
}

namespace detail {

[[gnu::cold, gnu::noinline]] inline std::string refusal(std::string_view schedule,
                                                        std::string_view first, std::size_t all) {
  planner::text_builder text;
  text.add("schedule ").quoted(schedule).add(": ").add(first);
  if (all > 1) text.add(" (and ").number(static_cast<long long>(all - 1)).add(" more)");
  return text.text();
}

}  // namespace detail

STRETTO_INLINE schedule_error::schedule_error(const std::string& schedule,
                                              std::vector<std::string> sentences, std::size_t all)
    : std::invalid_argument(detail::refusal(schedule, sentences.front(), all)),
      sentences_(std::move(sentences)) {}

namespace detail {

STRETTO_INLINE diagnosis examine(const schedule& s, const planner::declaration& d,
                                 planner::plan& made) {
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

STRETTO_INLINE diagnosis diagnose(const schedule& s) {
  planner::plan made;
  return detail::examine(s, declared(s).value(), made);
}

}  // namespace stretto::dynamic
