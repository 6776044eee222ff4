// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Runs, attached threads and requests as senders of stdexec: `run_as_sender`, `attach_as_sender`,
/// `ask_as_sender`. The target is `stretto::senders`.

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wshadow"
#include <stretto/senders/ask_as_sender.hpp>
#include <stretto/senders/attach_as_sender.hpp>
#include <stretto/senders/run_as_sender.hpp>
#pragma GCC diagnostic pop
