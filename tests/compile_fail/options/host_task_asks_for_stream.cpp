// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # A host task asks for a stream
//
// Only a task on a stream has one to ask for. What another one would put on the device's default
// stream is in no order with the streams of the pipeline.
//
// expect-error: a task without a stream asks for one
// expect-lines: 40
#include <stretto/device/backend.hpp>
#include <stretto/stretto.hpp>
#include "../../support/recording/driver_interface.hpp"

namespace st = stretto;
using driver = st::testing::recording::driver;
using stream = st::testing::recording::stream;

struct raw : st::slot<int> {};
struct seen : st::slot<int> {};
struct batch : st::slot<int> {};

struct look {
  using reads = st::reads<raw>;
  using writes = st::writes<seen>;
#ifdef FIXED
  void operator()(st::context auto&, int in, int& out) const { out = in; }
#else
  void operator()(stream, int in, int& out) const { out = in; }
#endif
};
struct load {
  using stream = st::stream<"copies">;
  using reads = st::reads<seen>;
  using writes = st::writes<batch>;
  void operator()(::stream, int in, int& out) const { out = in; }
};

struct training
    : st::schedule<st::source<raw>, st::result<batch>, st::streams<"copies">, look, load> {};

using pipeline = st::pipeline<training, st::device::backend<driver>>;
pipeline* made(st::testing::recording::world& w) { return new pipeline{driver(w)}; }
