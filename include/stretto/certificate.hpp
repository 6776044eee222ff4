// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// What code that `search::as_replan` makes has compilers check: `tasks_are`, `costs_are`,
/// `bound_of`, `is_optimal`. A part of `<stretto/bound.hpp>` that takes less time to compile.

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wshadow"
#include <stretto/bound/bound_of.hpp>
#include <stretto/bound/costs_are.hpp>
#include <stretto/bound/least_of.hpp>
#include <stretto/static/query/tasks_are.hpp>
#pragma GCC diagnostic pop
