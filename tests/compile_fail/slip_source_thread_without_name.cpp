// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # The source is pulled by a thread without a name
//
// A thread is told apart by its name. A source that names no thread is pulled by the calling one.
//
// expect-error: a_stream_or_a_thread_has_no_name<(st|stretto)::thread<
// expect-text: `thread<"">` has no name, so that nothing can be there; name it, or drop it
// expect-at: pipeline<training> pipeline
// expect-lines: 15
#include <stretto/stretto.hpp>

namespace st = stretto;

struct raw_batch : st::slot<int> {};
struct batch : st::slot<int> {};

struct load {
  void operator()(st::in<raw_batch> in, st::out<batch> out) const { out = *in; }
};

#ifdef FIXED
struct training
    : st::schedule<st::source<raw_batch, st::thread<"files">>, st::result<batch>, load> {};
#else
struct training : st::schedule<st::source<raw_batch, st::thread<"">>, st::result<batch>, load> {};
#endif

void run() { st::pipeline<training> pipeline; }
