// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// The observer `replay`: recordings of what tasks did stand in for them, which shows how much of
/// their time is exposed.

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wshadow"
#include <stretto/watch/recorded_value.hpp>
#include <stretto/watch/recording.hpp>
#include <stretto/watch/replay.hpp>
#include <stretto/watch/replay_result.hpp>
#pragma GCC diagnostic pop
