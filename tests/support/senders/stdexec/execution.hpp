// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Stands in for stdexec where that is not there: senders and receivers as C++26 words them
/// ([exec]), as far as tests and docs use them. It looks at what those who take part do; a breach
/// of the protocol ends the program with a sentence (stand_in/breach.hpp).

#include "../stand_in/connect.hpp"
#include "../stand_in/continues_on.hpp"
#include "../stand_in/just.hpp"
#include "../stand_in/run_loop.hpp"
#include "../stand_in/schedulers.hpp"
#include "../stand_in/starts_on.hpp"
#include "../stand_in/stop_tokens.hpp"
#include "../stand_in/sync_wait.hpp"
#include "../stand_in/task.hpp"
#include "../stand_in/then.hpp"
#include "../stand_in/when_all.hpp"
