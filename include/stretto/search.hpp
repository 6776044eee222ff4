// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Schedules that are looked for: `search::find_schedule` finds lookaheads, threads and order of a
/// schedule's tasks from what they cost, and says what is proved of them, `try_thread_counts` how
/// many threads are worth having. `search::list_schedule`, `assign_lookaheads` and `beam_search`
/// are the original engine's tools, as a starting point and for comparison.

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wshadow"
#include <stretto/search/as_replan.hpp>
#include <stretto/search/assign_lookaheads.hpp>
#include <stretto/search/authored.hpp>
#include <stretto/search/beam_search.hpp>
#include <stretto/search/cost_ranges.hpp>
#include <stretto/search/evaluation.hpp>
#include <stretto/search/find_schedule.hpp>
#include <stretto/search/find_schedules.hpp>
#include <stretto/search/find_streams.hpp>
#include <stretto/search/fire_order.hpp>
#include <stretto/search/least_period.hpp>
#include <stretto/search/limits.hpp>
#include <stretto/search/list_schedule.hpp>
#include <stretto/search/problem.hpp>
#include <stretto/search/solve.hpp>
#include <stretto/search/thread_counts.hpp>
#pragma GCC diagnostic pop
