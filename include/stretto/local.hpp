// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Ranks of one process: each is a pipeline on a thread of its own. For schedules with roles.

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wshadow"
#include <stretto/errors/emit.hpp>
// First, because compilers list the headers through which they came to the place of an error.

#include <stretto/local/collectives.hpp>
#pragma GCC diagnostic pop
