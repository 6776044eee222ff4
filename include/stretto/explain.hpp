// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Why one run of a task waits for another, and interleavings that show what is wrong with a
/// schedule.

#include <stretto/static/query/explain.hpp>
#include <stretto/static/query/witness.hpp>
