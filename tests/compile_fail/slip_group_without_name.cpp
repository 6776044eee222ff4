// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # A thread group without a name
//
// A thread group is told apart by its name, which is that of its thread.
//
// expect-error: a_stream_or_a_thread_has_no_name<(st|stretto)::group<
// expect-text: `group<"", load>` has no name, so that nothing can be there; name it, or drop it
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
struct training : st::schedule<st::source<raw_batch>, st::result<batch>,
                               st::threads<st::group<"files", load>>, load> {};
#else
struct training : st::schedule<st::source<raw_batch>, st::result<batch>,
                               st::threads<st::group<"", load>>, load> {};
#endif

void run() { st::pipeline<training> pipeline; }
