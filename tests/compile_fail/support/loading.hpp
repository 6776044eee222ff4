// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <stretto/device/backend.hpp>
#include <stretto/stretto.hpp>
#include "../../support/recording/driver_interface.hpp"

// What cases of a device have in common: a slot that is loaded on a stream.

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
