// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <stretto/observe/timeline.hpp>
#include <stretto/plan/model/edge.hpp>
#include <stretto/plan/text/plan_view.hpp>
#include <utility>
#include <vector>

namespace stretto::report::detail {

/// How many copies of a slot were in use on average, from the begin of the task that writes one to
/// the end of the last task that reads it; 0 if the record has no batch of which both are known. Of
/// a timeline that was paused: in the stretch that has most batches.
inline double used_copies(const timeline& record, const planner::plan_view& plan,
                          std::size_t slot) {
  using seconds = timeline::seconds;
  struct use {
    timeline::clock::time_point begin{};
    timeline::clock::time_point end{};
    bool is_written = false;
    bool is_read = false;
  };
  std::vector<std::size_t> writers;
  std::vector<std::pair<std::size_t, std::ptrdiff_t>> readers;  // and which batch to their own
  std::map<std::ptrdiff_t, use> uses;                           // by batch of the writer
  for (const planner::edge& e : plan.edges) {
    if (e.why != planner::reason::data || e.slot != slot) continue;
    writers.push_back(e.producer);
    const auto ahead = static_cast<std::ptrdiff_t>(plan.lag[e.consumer]) -
                       static_cast<std::ptrdiff_t>(plan.lag[e.producer]) - e.delta;
    readers.emplace_back(e.consumer, ahead);
  }
  const std::uint32_t stretch = record.ends_of_batches().stretch;
  for (std::size_t t = 0; t < record.threads().size(); ++t)
    for (const timeline::span& s : record.spans(t)) {
      if (s.stretch != stretch) continue;
      for (const std::size_t node : writers) {
        if (node != s.task) continue;
        use& u = uses[static_cast<std::ptrdiff_t>(s.batch)];
        u.begin = u.is_written ? (std::min)(u.begin, s.begin) : s.begin;
        u.is_written = true;
      }
      for (const auto& [node, shift] : readers) {
        if (node != s.task) continue;
        use& u = uses[static_cast<std::ptrdiff_t>(s.batch) + shift];
        u.end = u.is_read ? (std::max)(u.end, s.end) : s.end;
        u.is_read = true;
      }
    }
  seconds held{};
  timeline::clock::time_point first{};
  timeline::clock::time_point last{};
  bool any = false;
  for (const auto& [batch, u] : uses) {
    if (!u.is_written || !u.is_read || u.end <= u.begin) continue;
    held += u.end - u.begin;
    first = any ? (std::min)(first, u.begin) : u.begin;
    last = any ? (std::max)(last, u.end) : u.end;
    any = true;
  }
  return any ? held / seconds(last - first) : 0;
}

}  // namespace stretto::report::detail
