// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # A stream of a task without a name
//
// A stream is told apart by its name. A task that names no stream is a task of the host.
//
// expect-error: a_stream_or_a_thread_has_no_name<load
// expect-text: the stream of task `load` has no name: write `using stream = stretto::stream<"name">;`, or drop it
// expect-at: pipeline<training> pipeline
// expect-lines: 15
#include <stretto/stretto.hpp>

namespace st = stretto;

struct raw_batch : st::slot<int> {};
struct batch : st::slot<int> {};

struct load {
#ifdef FIXED
  using stream = st::stream<"memcpy">;
#else
  using stream = st::stream<"">;
#endif
  void operator()(st::in<raw_batch> in, st::out<batch> out) const { out = *in; }
};

struct training
    : st::schedule<st::source<raw_batch>, st::result<batch>, st::streams<"memcpy">, load> {};

void run() { st::pipeline<training> pipeline; }
