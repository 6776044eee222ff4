// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Requests that any threads make of a pipeline and that are answered one by one: `server`.

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wshadow"
#include <stretto/serve/server.hpp>
#pragma GCC diagnostic pop
