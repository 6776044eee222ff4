// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Tasks that are coroutines, whose thread goes on while they are suspended: `suspendable`.

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wshadow"
#include <stretto/run/session/begun_call.hpp>
#include <stretto/run/suspendable.hpp>
#pragma GCC diagnostic pop
