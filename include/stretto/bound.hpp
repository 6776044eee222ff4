// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// What a plan can reach at best, and what keeps it from more: `bound_of`, by weights or by costs
/// that a timeline measured.

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wshadow"
#include <stretto/bound/bound_of.hpp>
#include <stretto/bound/cycles.hpp>
#include <stretto/bound/measured_costs.hpp>
#include <stretto/bound/plan_bound.hpp>
#pragma GCC diagnostic pop
