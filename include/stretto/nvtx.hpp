// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Ranges for profilers that read NVTX: one for each run of a task. The target is `stretto::nvtx`.

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wshadow"
#include <stretto/observe/nvtx.hpp>
#pragma GCC diagnostic pop
