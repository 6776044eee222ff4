// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # A thread of a task without a name
//
// A thread is told apart by its name. A task that names no thread goes by its stream.
//
// expect-error: a_stream_or_a_thread_has_no_name<load
// expect-text: the thread of task `load` has no name: write `using thread = stretto::thread<"name">;`, or drop it
// expect-at: pipeline<training> pipeline
// expect-lines: 15
#include <stretto/stretto.hpp>

namespace st = stretto;

struct raw_batch : st::slot<int> {};
struct batch : st::slot<int> {};

struct load {
#ifdef FIXED
  using thread = st::thread<"files">;
#else
  using thread = st::thread<"">;
#endif
  void operator()(st::in<raw_batch> in, st::out<batch> out) const { out = *in; }
};

struct training : st::schedule<st::source<raw_batch>, st::result<batch>, load> {};

void run() { st::pipeline<training> pipeline; }
