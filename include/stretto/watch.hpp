// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Long runs: the observer `monitor`, which any thread may look at while tasks run, its figures as
/// a line and as metrics, and `watchdog`, which says who waits for what when nothing moves. And
/// several of them, measured against each other: `measure_in_turn`.

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wshadow"
#include <stretto/watch/activity.hpp>
#include <stretto/watch/in_turn.hpp>
#include <stretto/watch/metrics.hpp>
#include <stretto/watch/monitor.hpp>
#include <stretto/watch/padding.hpp>
#include <stretto/watch/padding_result.hpp>
#include <stretto/watch/slope.hpp>
#include <stretto/watch/status_line.hpp>
#include <stretto/watch/watchdog.hpp>
#pragma GCC diagnostic pop
