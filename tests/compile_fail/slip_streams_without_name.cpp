// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # A stream is declared without a name
//
// No task can be on it: a stream is told apart by its name.
//
// expect-error: a_stream_or_a_thread_has_no_name<(st|stretto)::streams<
// expect-text: a stream is declared without a name; name it, or drop it
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
    : st::schedule<st::source<raw_batch>, st::result<batch>, st::streams<"memcpy">, load> {};
#else
struct training
    : st::schedule<st::source<raw_batch>, st::result<batch>, st::streams<"memcpy", "">, load> {};
#endif

void run() { st::pipeline<training> pipeline; }
