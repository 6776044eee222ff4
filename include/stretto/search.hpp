// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Schedules that are looked for: `search::find_schedule` finds lookaheads, threads and order of a
/// schedule's tasks from what they cost, and says what is proved of them.

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wshadow"
#include <stretto/search/as_replan.hpp>
#include <stretto/search/evaluation.hpp>
#include <stretto/search/find_schedule.hpp>
#include <stretto/search/least_period.hpp>
#include <stretto/search/problem.hpp>
#include <stretto/search/solve.hpp>
#pragma GCC diagnostic pop
