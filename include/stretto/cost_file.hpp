// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// What tasks take, as JSON files and out of traces, and records out of traces. Needs
/// nlohmann/json.

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wshadow"
#include <stretto/bound/file/cost_table.hpp>
#include <stretto/bound/file/read_trace.hpp>
#pragma GCC diagnostic pop
