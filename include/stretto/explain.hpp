// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Why one run of a task waits for another, and interleavings that show what is wrong with a
/// schedule.

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wshadow"
#include <stretto/static/query/explain.hpp>
#include <stretto/static/query/fingerprint.hpp>
#include <stretto/static/query/witness.hpp>
#pragma GCC diagnostic pop
