// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// What code that `search::as_replan` makes has compilers check: `tasks_are`, `costs_are`,
/// `is_optimal_at`, `period_is`, `is_optimal`, `fingerprint`. A part of `<stretto/bound.hpp>` that
/// takes less time to compile.

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wshadow"
#include <stretto/bound/costs_are.hpp>
#include <stretto/bound/is_optimal.hpp>
#include <stretto/static/query/fingerprint.hpp>
#include <stretto/static/query/tasks_are.hpp>
#pragma GCC diagnostic pop
