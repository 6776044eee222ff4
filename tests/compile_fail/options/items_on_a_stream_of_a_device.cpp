// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # A task on a stream of a device that takes items of a slot
//
// Its body puts work on the stream once per batch, for all items at once.
//
// expect-error: a task on a stream consumes or produces items of slots
// expect-lines: 40
#include <stretto/device/backend.hpp>
#include <stretto/stretto.hpp>
#include "../../support/recording/driver_interface.hpp"

namespace st = stretto;
using driver = st::testing::recording::driver;
using cell = st::device::pinned_array<int, 1, driver>;

struct raw : st::slot<cell> {};
struct piece : st::slot<int> {};

struct cut {
  void operator()(st::in<raw>, st::produces<piece, 4>) const {}
};
struct load {
#ifndef FIXED
  using stream = st::stream<"copies">;
#endif
  void operator()(st::consumes<piece, 2>) const {}
};
struct touch {
  using stream = st::stream<"copies">;
  void operator()(st::in<raw>) const {}
};

struct training : st::schedule<st::source<raw>, st::streams<"copies">, cut, load, touch> {};

void train(const driver& device) { st::pipeline<training, st::device::backend<driver>> p(device); }
