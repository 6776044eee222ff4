// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <stretto/plan/rules/subject.hpp>
#include <string_view>
#include <utility>

namespace stretto::plan::rules {

/// Rule 1: there is a task, and task names are unique and not empty.
constexpr void check_names(const subject& s, findings& found) {
  const auto& tasks = s.declared.tasks;
  if (tasks.empty()) found.push_back({kind::empty_schedule});
  std::vector<std::pair<std::string_view, std::size_t>> by_name;
  for (std::size_t t = 0; t < tasks.size(); ++t) {
    if (tasks[t].id.text.empty()) {
      found.push_back({kind::empty_name, t});
    } else {
      by_name.emplace_back(tasks[t].id.text, t);
    }
  }
  std::sort(by_name.begin(), by_name.end());
  std::size_t bearer = 0;
  for (std::size_t i = 1; i < by_name.size(); ++i) {
    if (by_name[i].first != by_name[bearer].first) {
      bearer = i;
    } else {
      found.push_back({kind::duplicate_name, by_name[i].second, by_name[bearer].second});
    }
  }
}

}  // namespace stretto::plan::rules
