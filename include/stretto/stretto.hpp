// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Declaring, checking, planning and running. Observers and drawings (observe/) are included on
/// their own.

// GCC compares the locals of a template with the global names of the file that instantiates it.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wshadow"
#include <stretto/errors/emit.hpp>
// First, because compilers list the headers through which they came to the place of an error.

#include <stretto/declare/access.hpp>
#include <stretto/declare/communicator.hpp>
#include <stretto/declare/fields.hpp>
#include <stretto/declare/history.hpp>
#include <stretto/declare/items.hpp>
#include <stretto/declare/on_failure.hpp>
#include <stretto/declare/role.hpp>
#include <stretto/declare/schedule.hpp>
#include <stretto/declare/slot.hpp>
#include <stretto/declare/stream.hpp>
#include <stretto/declare/task.hpp>
#include <stretto/declare/thread.hpp>
#include <stretto/declare/verdict.hpp>
#include <stretto/declare/without.hpp>
#include <stretto/static/execute/pipeline.hpp>
#include <stretto/static/query/describe.hpp>
#include <stretto/static/query/modelled_period.hpp>
#include <stretto/static/query/plan_of.hpp>
#include <stretto/static/query/projection.hpp>
#pragma GCC diagnostic pop
