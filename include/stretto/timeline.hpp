// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// What ran when: the observer `timeline`, drawn as SVG and as text, and as a trace for Perfetto.

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wshadow"
#include <stretto/observe/draw.hpp>
#include <stretto/observe/draw_text.hpp>
#include <stretto/observe/perfetto.hpp>
#include <stretto/observe/recorded_counter.hpp>
#include <stretto/observe/timeline.hpp>
#include <stretto/observe/trace.hpp>
#pragma GCC diagnostic pop
