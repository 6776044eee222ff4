// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// All that is compiled once where STRETTO_COMPILED is defined. Include it in one file of a
/// program.

#if !defined(STRETTO_COMPILED)
#  error "stretto/compiled.hpp is for where STRETTO_COMPILED is defined"
#endif

#include <stretto/advice/advice.ipp>
#include <stretto/advice/candidates.ipp>
#include <stretto/advice/change.ipp>
#include <stretto/advice/fidelity.ipp>
#include <stretto/advice/moved_along.ipp>
#include <stretto/advice/price.ipp>
#include <stretto/advice/search.ipp>
#include <stretto/advice/spelled.ipp>
#include <stretto/advice/split.ipp>
#include <stretto/dynamic/execute/host.ipp>
#include <stretto/dynamic/execute/layout.ipp>
#include <stretto/dynamic/header.ipp>
#include <stretto/dynamic/query/declared.ipp>
#include <stretto/dynamic/query/device_plan.ipp>
#include <stretto/dynamic/query/diagnose.ipp>
#include <stretto/dynamic/query/misuse.ipp>
#include <stretto/dynamic/query/part_of_role.ipp>
#include <stretto/dynamic/query/planned.ipp>
#include <stretto/dynamic/query/projection.ipp>
#include <stretto/dynamic/values/edit.ipp>
#include <stretto/dynamic/values/replan.ipp>
#include <stretto/dynamic/values/schedule.ipp>
#include <stretto/dynamic/values/slot_access.ipp>
#include <stretto/picture/diagram.ipp>
#include <stretto/picture/dot.ipp>
#include <stretto/picture/mermaid.ipp>
#include <stretto/plan/text/describe.ipp>
#include <stretto/plan/text/explain.ipp>
#include <stretto/plan/text/plan_view.ipp>
#include <stretto/plan/text/plan_writer.ipp>
#include <stretto/plan/text/viewed_plan.ipp>
#include <stretto/plan/text/witness.ipp>
#include <stretto/run/accounting.ipp>
#include <stretto/run/error.ipp>
#include <stretto/run/observer_error.ipp>
#include <stretto/run/patience.ipp>
#include <stretto/run/position.ipp>
#include <stretto/run/record.ipp>
#include <stretto/run/report.ipp>
#include <stretto/run/slot_storage.ipp>
#include <stretto/run/text_builder.ipp>
#include <stretto/run/threads/affinity.ipp>
#include <stretto/run/threads/attached_threads.ipp>
#include <stretto/run/threads/attachments.ipp>
#include <stretto/run/threads/core_quota.ipp>
#include <stretto/run/threads/run_maker.ipp>
#include <stretto/run/threads/thread_team.ipp>
#include <stretto/run/wait/futex.ipp>
#include <stretto/search/as_replan.ipp>
#include <stretto/search/assign_lookaheads.ipp>
#include <stretto/search/beam_search.ipp>
#include <stretto/search/cost_ranges.ipp>
#include <stretto/search/find_schedule.ipp>
#include <stretto/search/find_schedules.ipp>
#include <stretto/search/find_streams.ipp>
#include <stretto/search/least_period.ipp>
#include <stretto/search/list_schedule.ipp>
#include <stretto/search/solve.ipp>
#include <stretto/search/thread_counts.ipp>
