// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <stretto/dynamic/values/schedule.hpp>

/// Other plans of the tasks of a schedule.
namespace stretto::dynamic {

namespace detail {

/// The thread group that the calling thread was to run may have no tasks any more.
inline void keep_caller_runs(schedule& s) {
  bool there = s.source.thread == s.caller_runs;
  for (const task& t : s.tasks)
    there = there || (!t.thread.empty()   ? t.thread
                      : !t.stream.empty() ? t.stream
                                          : std::string("host")) == s.caller_runs;
  if (!there) s.caller_runs = "caller";
}

}  // namespace detail

/// Every task that names no thread on the calling thread: as `threads<on_caller>`.
inline schedule on_caller(schedule s) {
  for (task& t : s.tasks)
    if (t.thread.empty()) t.thread = "caller";
  s.groups.clear();
  s.generated = 0;
  detail::keep_caller_runs(s);
  return s;
}

/// Every task that names no thread on a thread of its own: as `threads<per_task>`.
inline schedule per_task(schedule s) {
  for (task& t : s.tasks)
    if (t.thread.empty()) t.thread = t.name;
  s.generated = 0;
  detail::keep_caller_runs(s);
  return s;
}

/// The tasks of a schedule, one batch after the other: lookahead 0, one stream, the calling thread.
/// A `same_progress_sync` between tasks of different lookahead speaks of batches in flight
/// together, which there are none of here, and is dropped; an order is kept among tasks of one
/// lookahead. The tasks keep their lookaheads, which say in what order they update a slot that
/// several write.
inline schedule serial(schedule s) {
  s.serial = true;
  return s;
}

}  // namespace stretto::dynamic
