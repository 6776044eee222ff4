// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <stretto/plan/model/list.hpp>
#include <stretto/plan/model/name_index.hpp>
#include <stretto/plan/rules/subject.hpp>

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

}  // namespace stretto::planner::rules
