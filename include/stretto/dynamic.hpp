// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// The runtime version: pipelines whose shape is known only when the program runs. The same rules,
/// plans, options and errors as those of `stretto.hpp`, derived by the same code.

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wshadow"
#include <stretto/dynamic/execute/pipeline.hpp>
#include <stretto/dynamic/query/device_plan.hpp>
#include <stretto/dynamic/query/diagnose.hpp>
#include <stretto/dynamic/query/planned.hpp>
#include <stretto/dynamic/query/projection.hpp>
#include <stretto/dynamic/values/edit.hpp>
#include <stretto/dynamic/values/replan.hpp>
#include <stretto/dynamic/values/schedule.hpp>
#include <stretto/dynamic/values/transfer.hpp>
#include <stretto/run/pace.hpp>
#include <stretto/run/stop.hpp>
#pragma GCC diagnostic pop
