// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <stretto/plan/model/list.hpp>
#include <stretto/plan/model/name_index.hpp>
#include <stretto/plan/model/text_builder.hpp>
#include <stretto/plan/rules/rule.hpp>

namespace stretto::planner::kind {
inline constexpr finding_kind empty_schedule = kind_of_rule(1, 1);
inline constexpr finding_kind duplicate_name = kind_of_rule(1, 2);
inline constexpr finding_kind empty_name = kind_of_rule(1, 3);
inline constexpr finding_kind reserved_name = kind_of_rule(1, 4);
}  // namespace stretto::planner::kind

namespace stretto::planner::rules {

/// Rule 1: there is a task; task names are unique, not empty, and not those of the two host tasks
/// that every plan has.
constexpr void check_names(const subject& s, findings& found) {
  const auto& tasks = s.declared.tasks;
  if (tasks.empty()) found.push_back({kind::empty_schedule});
  list<name> shown;
  shown.reserve(tasks.size());  // the index refers to them
  name_index texts(tasks.size());
  list<std::size_t> bearers;
  for (std::size_t t = 0; t < tasks.size(); ++t) {
    if (tasks[t].id.text.empty()) {
      found.push_back({kind::empty_name, t});
      continue;
    }
    if (tasks[t].id.text == pull_name || tasks[t].id.text == deliver_name) {
      found.push_back({kind::reserved_name, t});
      continue;
    }
    shown.push_back(name(tasks[t].id.text));
    const std::size_t number = texts.number(shown.back());
    if (number == bearers.size()) {
      bearers.push_back(t);
    } else {
      found.push_back({kind::duplicate_name, t, bearers[number]});
    }
  }
}

constexpr repair repair_of_names(const declaration&, const finding& f) {
  if (f.what == kind::empty_schedule) return {};
  return {remedy::rename, f.task};
}

constexpr void sentence_on_names(const statement& s, text_builder& to) {
  if (s.f.what == kind::empty_schedule) return s.say(to, "the schedule has no task; list one");
  if (s.f.what == kind::empty_name)
    return s.say(to, "task number $n (from 0) has an empty name; give it a `name`",
                 static_cast<int>(s.f.task));
  const task& t = s.at_fault();
  if (s.f.what == kind::reserved_name)
    return s.say(to, t.id.text == pull_name
                         ? "$w has the name of what takes batches from the source, a task of every "
                           "plan; give it a `name` of its own"
                         : "$w has the name of what hands results out, a task of every plan; give "
                           "it a `name` of its own");
  s.say(to, t.id == s.second().id ? "$w is listed twice; drop one, or give it a `name` of its own"
                                  : "two tasks are named $o; give one of them a `name` of its own");
}

inline constexpr rule rule_1{
    .number = 1,
    .kinds =
        {
            {kind::empty_schedule, "empty_schedule"},
            {kind::duplicate_name, "duplicate_name", "name"},
            {kind::empty_name, "empty_name", "name"},
            {kind::reserved_name, "reserved_name", "name"},
        },
    .check = check_names,
    .fix = repair_of_names,
    .sentence = sentence_on_names,
};

}  // namespace stretto::planner::rules
