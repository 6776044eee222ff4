// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// The runtime version: pipelines whose shape is known only when the program runs. The same rules,
/// plans, options and errors as those of `stretto.hpp`, derived by the same code.

#include <stretto/dynamic/diagnose.hpp>
#include <stretto/dynamic/edit.hpp>
#include <stretto/dynamic/from.hpp>
#include <stretto/dynamic/pipeline.hpp>
#include <stretto/dynamic/planned.hpp>
#include <stretto/dynamic/replan.hpp>
#include <stretto/dynamic/schedule.hpp>
#include <stretto/execute/pace.hpp>
#include <stretto/execute/stop.hpp>
