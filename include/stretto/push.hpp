// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Batches that are pushed into a pipeline one at a time: `push_run`.

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wshadow"
#include <stretto/run/push_run.hpp>
#pragma GCC diagnostic pop
