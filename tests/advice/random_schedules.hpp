// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <array>
#include <optional>
#include <random>
#include <set>
#include <stretto/dynamic.hpp>
#include <stretto/dynamic/query/outline.hpp>
#include <string>

/// Random declarations as schedules that are values.
namespace random_schedules {

/// A declaration as a schedule; if \p on_host, of host tasks only, in groups with queues and
/// workers.
inline stretto::dynamic::schedule outline(const stretto::planner::declaration& d, bool on_host,
                                          std::mt19937& random) {
  stretto::dynamic::schedule s = stretto::dynamic::detail::outliner(d).outline();
  if (!on_host) return s;
  const auto pick = [&](int least, int most) {
    return std::uniform_int_distribution<int>(least, most)(random);
  };
  s.streams.clear();
  std::set<std::string> threads;
  for (stretto::dynamic::task& t : s.tasks) {
    t.stream.clear();
    t.collective = false;
    t.observes.clear();
    t.mutates.clear();
    if (!t.thread.empty()) threads.insert(t.thread);
    if (pick(0, 2) == 0) t.thread = "caller";
  }
  for (const std::string& thread : threads)
    if (std::any_of(s.tasks.begin(), s.tasks.end(),
                    [&](const auto& t) { return t.thread == thread; }))
      s.groups.push_back({thread, pick(0, 1), pick(1, 2)});
  std::erase_if(s.groups, [](const auto& g) { return g.queue == 0 && g.workers == 1; });
  return s;
}

/// Gives every other slot a large type.
inline stretto::dynamic::schedule with_types(stretto::dynamic::schedule s) {
  std::set<std::string> all{s.source.slot};
  for (const stretto::dynamic::task& t : s.tasks)
    for (const stretto::dynamic::use& u : t.writes) all.insert(u.slot);
  bool large = false;
  for (const std::string& slot : all) {
    large = !large;
    if (large) {
      s.slot<std::array<char, 4096>>(slot);
    } else {
      s.slot<int>(slot);
    }
  }
  return s;
}

inline std::optional<stretto::dynamic::planned_schedule> planned(
    const stretto::dynamic::schedule& s) {
  try {
    return std::optional<stretto::dynamic::planned_schedule>(s);
  } catch (const stretto::dynamic::schedule_error&) {
    return std::nullopt;  // tasks of it race
  }
}

}  // namespace random_schedules
