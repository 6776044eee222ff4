// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <stretto/dynamic/values/replan.hpp>
#include <string>

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

STRETTO_INLINE schedule on_caller(schedule s) {
  for (task& t : s.tasks)
    if (t.thread.empty()) t.thread = "caller";
  s.groups.clear();
  s.generated = 0;
  detail::keep_caller_runs(s);
  return s;
}

STRETTO_INLINE schedule per_task(schedule s) {
  for (task& t : s.tasks)
    if (t.thread.empty()) t.thread = t.name;
  s.generated = 0;
  detail::keep_caller_runs(s);
  return s;
}

STRETTO_INLINE schedule serial(schedule s) {
  s.serial = true;
  return s;
}

STRETTO_INLINE schedule pipelined(schedule s) {
  s.pipelined = true;
  return s;
}

}  // namespace stretto::dynamic
