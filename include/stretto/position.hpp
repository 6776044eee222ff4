// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Where pipelines are between batches, with what later ones look back at: `position`, `from`.

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wshadow"
#include <stretto/run/position.hpp>
#pragma GCC diagnostic pop
