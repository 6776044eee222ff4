// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # A device's timeline watches a pipeline that launches graphs
//
// It records events around each task's work on its stream. A graph does the work of several tasks
// in one launch, on one stream or on many.
//
// expect-error: this observer times tasks one by one, and graphs launch several of them at once
// expect-lines: 40
#include <stretto/device/timeline.hpp>
#include <stretto/stretto.hpp>
#include "../support/loading.hpp"

struct training : st::schedule<st::source<raw>, st::streams<"copies">, load> {};

#ifdef FIXED
using device = st::device::backend<driver>;
#else
using device = st::device::backend<driver, true>;
#endif
using pipeline = st::pipeline<training, device, st::device::timeline<driver>>;
pipeline* made(st::testing::recording::world& w) { return new pipeline{driver(w)}; }
