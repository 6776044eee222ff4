// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # A task on a stream of a device whose failures drop batches
//
// The body of such a task returns before the stream has done what it could judge by. A task without
// a stream waits for that.
//
// expect-error: a task on a stream may drop batches, but the pipeline has its streams on a device
// expect-lines: 40
#include <stretto/stretto.hpp>
#include "../support/loading.hpp"

struct filter {
#ifndef FIXED
  using stream = st::stream<"copies">;
#endif
  using on_failure = st::on_failure<st::drop>;
  void operator()(st::in<raw>) const {}
};

struct training : st::schedule<st::source<raw>, st::streams<"copies">, load, filter> {};

void train(const driver& device) { st::pipeline<training, st::device::backend<driver>> p(device); }
