// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// What a plan can reach at best, and what keeps it from more: `bound_of`, by weights or by costs
/// that a timeline measured; what any plan of its tasks can reach at best: `least_of`; what its
/// calls can, if tasks consume items: `calls_bound_of`; its run in virtual time: `simulate`; and
/// what threads of a run waited for: `idle_of`.

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wshadow"
#include <stretto/bound/batch_cycles.hpp>
#include <stretto/bound/begins_of.hpp>
#include <stretto/bound/bound_of.hpp>
#include <stretto/bound/calls_bound.hpp>
#include <stretto/bound/calls_bound_of.hpp>
#include <stretto/bound/cost_of.hpp>
#include <stretto/bound/costs.hpp>
#include <stretto/bound/costs_are.hpp>
#include <stretto/bound/curve.hpp>
#include <stretto/bound/cycles.hpp>
#include <stretto/bound/idle_of.hpp>
#include <stretto/bound/idle_times.hpp>
#include <stretto/bound/is_optimal.hpp>
#include <stretto/bound/least_of.hpp>
#include <stretto/bound/measured_costs.hpp>
#include <stretto/bound/order_of_work.hpp>
#include <stretto/bound/plan_bound.hpp>
#include <stretto/bound/plan_least.hpp>
#include <stretto/bound/queues_of.hpp>
#include <stretto/bound/simulate.hpp>
#include <stretto/bound/simulation.hpp>
#include <stretto/bound/steady_state.hpp>
#include <stretto/bound/thread_arcs.hpp>
#include <stretto/bound/virtual_time.hpp>
#include <stretto/static/query/fingerprint.hpp>
#include <stretto/static/query/tasks_are.hpp>
#pragma GCC diagnostic pop
