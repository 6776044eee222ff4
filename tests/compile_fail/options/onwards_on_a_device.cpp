// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # A run that goes on from earlier batches, and tasks on a device
//
// What slots on a device hold of earlier batches, and how far ranks that work together are, is not
// handed from run to run.
//
// expect-error: a run that goes on from earlier batches, and the position of a pipeline, go with tasks on the host
// expect-lines: 40
#include <stretto/device/backend.hpp>
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

using pipeline = st::pipeline<training, st::device::backend<driver>>;
void train(pipeline& p) {
#ifdef FIXED
  auto run = p.run([](auto&) { return false; });
#else
  auto run = p.run([](auto&) { return false; }, st::onwards);
#endif
  run.next();
}
