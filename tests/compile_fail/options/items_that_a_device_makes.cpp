// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # Items of a slot whose values a device makes
//
// Each of its values has memory of its own; items lie side by side.
//
// expect-error: items of a slot whose values the device makes
// expect-lines: 40
#include <stretto/device/backend.hpp>
#include <stretto/stretto.hpp>
#include "../../support/recording/driver_interface.hpp"

namespace st = stretto;
using driver = st::testing::recording::driver;
using cell = st::device::pinned_array<int, 1, driver>;

struct raw : st::slot<cell> {};
#ifdef FIXED
struct piece : st::slot<int> {};
#else
struct piece : st::slot<cell> {};
#endif

struct cut {
  void operator()(st::in<raw>, st::produces<piece, 4>) const {}
};
struct look {
  void operator()(st::consumes<piece, 2>) const {}
};
struct touch {
  using stream = st::stream<"copies">;
  void operator()(st::in<raw>) const {}
};

struct training : st::schedule<st::source<raw>, st::streams<"copies">, cut, look, touch> {};

void train(const driver& device) { st::pipeline<training, st::device::backend<driver>> p(device); }
