// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Schedules of types as values, for the runtime version: `dynamic::from_types` with the bodies of
/// the tasks, `dynamic::outline` without. Apart from dynamic.hpp, because it needs both versions,
/// and whoever builds schedules as values does not pay for types.

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wshadow"
#include <stretto/dynamic/query/from_types.hpp>
#pragma GCC diagnostic pop
