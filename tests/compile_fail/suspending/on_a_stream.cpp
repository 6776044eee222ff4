// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # A coroutine on a stream of a device
//
// What its body puts on the stream once it has been suspended would come in no order with what
// others put there. A task without a stream awaits, and one on the stream comes after it.
//
// expect-error: a task on a stream is a coroutine, but the pipeline has its streams on a device
// expect-lines: 40
// expect-compilers: each, not nvcc
#include <stretto/stretto.hpp>
#include <stretto/suspend.hpp>
#include "../support/loading.hpp"

struct ask {
#ifndef FIXED
  using stream = st::stream<"copies">;
#endif
  st::suspendable operator()(st::in<raw>) const { co_return; }
};

struct training : st::schedule<st::source<raw>, st::streams<"copies">, load, ask> {};

void train(const driver& device) { st::pipeline<training, st::device::backend<driver>> p(device); }
