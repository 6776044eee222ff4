// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <stretto/dynamic/values/concat.hpp>
#include <stretto/dynamic/values/schedule.hpp>
#include <stretto/plan/rules/nearest_name.hpp>
#include <stretto/plan/text/sentence.hpp>
#include <stretto/run/error.hpp>
#include <string>
#include <string_view>

namespace stretto::dynamic::detail {

[[noreturn]] STRETTO_INLINE void refuse_task(const schedule& s, std::string_view name) {
  planner::nearest_name nearest(name);
  for (const task& t : s.tasks) nearest.consider(t.name);
  const std::string_view meant = nearest.name();
  throw usage_error(joined("schedule ", planner::quoted(s.name), " has no task ",
                           planner::quoted(name), meant.empty() ? "" : "; did you mean ",
                           meant.empty() ? std::string() : planner::quoted(meant) + "?"));
}

}  // namespace stretto::dynamic::detail
