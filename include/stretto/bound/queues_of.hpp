// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cstddef>
#include <map>
#include <stretto/bound/bound_of.hpp>
#include <stretto/bound/idle_times.hpp>
#include <stretto/bound/slot_queues.hpp>
#include <stretto/observe/recorded_counter.hpp>
#include <stretto/observe/timeline.hpp>
#include <stretto/plan/text/plan_view.hpp>
#include <stretto/plan/text/viewed_plan.hpp>
#include <stretto/static/query/plan_view.hpp>
#include <string>
#include <vector>

namespace stretto {

namespace bound::detail {

/// How many batches wait in each slot that a task reads.
inline std::vector<recorded_counter> queue_lengths(const planner::plan_view& plan,
                                                   const timeline& record) {
  check_record(plan, record);
  std::vector<recorded_counter> all;
  if (record.tasks().empty()) return all;
  const auto queues = slot_queues(plan);
  std::vector<observe::counted> waiting(queues.size());
  // A batch that is written in one stretch and read in another has waited, nobody knows how long.
  for (const timeline::stretch_spans& of : record.spans_by_stretch()) {
    std::vector<std::map<std::size_t, timeline::span>> ran(record.tasks().size());  // task, batch
    for (const std::vector<timeline::span>& of_thread : of.by_thread)
      for (const timeline::span& s : of_thread) ran[s.task][s.batch] = s;
    for (std::size_t i = 0; i < queues.size(); ++i) {
      const slot_queue& q = queues[i];
      for (const auto& [batch, first] : ran[q.writers.front()]) {
        timeline::clock::time_point written = first.end;
        timeline::clock::time_point read{};
        for (const std::size_t w : q.writers)
          if (const auto run = ran[w].find(batch); run != ran[w].end())
            written = (std::max)(written, run->second.end);
        for (const std::size_t r : q.readers)
          if (const auto run = ran[r].find(batch); run != ran[r].end())
            read = (std::max)(read, run->second.begin);
        if (read <= written) continue;  // at once, or by none that is recorded
        waiting[i].up(written);
        waiting[i].down(read);
      }
    }
  }
  for (std::size_t i = 0; i < queues.size(); ++i)
    all.push_back(waiting[i].under("waiting in " + std::string(plan.slot_list[queues[i].slot].text),
                                   "batches"));
  return all;
}

}  // namespace bound::detail

/// How many batches waited in each slot of a recorded run, from the end of the task that wrote it
/// to the begin of the last one that read it: for `write_trace` and `write_perfetto`. Those of a
/// device are by when work was submitted. An invalid schedule is an error. Throws `usage_error` if
/// the record is of another schedule.
template <class Schedule>
std::vector<recorded_counter> queues_of(const timeline& record) {
  return bound::detail::queue_lengths(typed::plan_view_of<Schedule>, record);
}
/// Of a schedule that is a value: \p planned is a `dynamic::planned_schedule`.
template <bound::planned Planned>
std::vector<recorded_counter> queues_of(const Planned& planned, const timeline& record) {
  const planner::viewed_plan viewed(planned.declaration(), planned.plan());
  return bound::detail::queue_lengths(viewed.view(), record);
}

}  // namespace stretto
