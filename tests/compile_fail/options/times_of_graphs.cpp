// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # A device's timeline watches a pipeline that launches graphs
//
// It records events around each task's work on its stream. A graph does the work of several tasks
// in one launch, on one stream or on many.
//
// expect-error: this observer times tasks one by one, and graphs launch several of them at once
// expect-lines: 40
#include <stretto/device/backend.hpp>
#include <stretto/device/timeline.hpp>
#include <stretto/stretto.hpp>
#include "../../support/recording/driver.hpp"

namespace st = stretto;
using driver = st::testing::recording::driver;
using stream = st::testing::recording::stream;

struct raw : st::slot<st::device::pinned_array<int, 1, driver>> {};
struct batch : st::slot<st::device::array<int, 1, driver>> {};

struct load {
  using stream = st::stream<"copies">;
  using reads = st::reads<raw>;
  using writes = st::writes<batch>;
  void operator()(::stream, const auto&, auto&) const {}
};

struct training : st::schedule<st::source<raw>, st::streams<"copies">, load> {};

#ifdef FIXED
using device = st::device::backend<driver>;
#else
using device = st::device::backend<driver, true>;
#endif
using pipeline = st::pipeline<training, device, st::device::timeline<driver>>;
pipeline* made(st::testing::recording::world& w) { return new pipeline{driver(w)}; }
