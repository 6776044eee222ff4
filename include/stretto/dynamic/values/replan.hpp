// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <stretto/compiled/linkage.hpp>
#include <stretto/dynamic/values/schedule.hpp>
#include <string>
#include <vector>

/// Other plans of the tasks of a schedule.
namespace stretto::dynamic {

/// A schedule without some of its tasks, by name, as by `stretto::without`: no `depends_on`,
/// `cross_iter_depends_on`, `same_progress_sync` or order names them any more, and nothing is said
/// of slots that nobody else uses. Throws `usage_error` if there is no task of a name, or if it is
/// listed twice.
STRETTO_INLINE schedule without(schedule s, const std::vector<std::string>& names);

/// Every task that names no thread on the calling thread: as `threads<on_caller>`.
STRETTO_INLINE schedule on_caller(schedule s);

/// Every task that names no thread on a thread of its own: as `threads<per_task>`.
STRETTO_INLINE schedule per_task(schedule s);

/// The tasks of a schedule, one batch after the other: lookahead 0, one stream, the calling thread.
/// A `same_progress_sync` between tasks of different lookahead speaks of batches in flight
/// together, which there are none of here, and is dropped; an order is kept among tasks of one
/// lookahead. The tasks keep their lookaheads, which say in what order they update a slot that
/// several write.
STRETTO_INLINE schedule serial(schedule s);

/// The tasks of a schedule with lookaheads raised so that those on different threads or streams
/// work on different batches at the same time: as few as give the least modelled period, or, where
/// no task has a weight, as would if all were equally busy and each spent its time in any one of
/// its tasks. What is declared is the least; a task that gives an offset of a slot stays where it
/// is. No further than `max_in_flight` and `max_bytes` of the schedule let them be. Of a serial
/// schedule nothing is raised.
STRETTO_INLINE schedule pipelined(schedule s);

}  // namespace stretto::dynamic

#if !defined(STRETTO_COMPILED)
#  include <stretto/dynamic/values/replan.ipp>
#endif
