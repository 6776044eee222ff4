// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # A host task reads a slot whose memory is transient
//
// Such memory is given back in the order of streams, after the last task that uses the batch. Who
// is on no stream is in no such order.
//
// expect-error: a slot whose memory is transient is used by a task without a stream
// expect-lines: 40
#include <cstddef>
#include <stretto/device/backend.hpp>
#include <stretto/stretto.hpp>
#include "../../support/recording/driver_interface.hpp"

namespace st = stretto;
using driver = st::testing::recording::driver;
using stream = st::testing::recording::stream;

struct raw : st::slot<int> {};
#ifdef FIXED
struct scratch : st::slot<st::device::buffer<int, driver>> {};
#else
struct scratch : st::slot<st::device::transient_buffer<int, driver>> {};
#endif
struct seen : st::slot<std::size_t> {};

struct load {
  using stream = st::stream<"copies">;
  using reads = st::reads<raw>;
  using writes = st::writes<scratch>;
  void operator()(::stream, int in, auto& out) const { out.resize(static_cast<std::size_t>(in)); }
};
struct look {
  using reads = st::reads<scratch>;
  using writes = st::writes<seen>;
  void operator()(const auto& in, std::size_t& out) const { out = in.size(); }
};

struct training
    : st::schedule<st::source<raw>, st::result<seen>, st::streams<"copies">, load, look> {};

using pipeline = st::pipeline<training, st::device::backend<driver>>;
pipeline* made(st::testing::recording::world& w) { return new pipeline{driver(w)}; }
