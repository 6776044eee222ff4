// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # A source with an `on_failure`
//
// There is no batch yet that could be dropped. A source that goes on to the next one catches its
// own errors.
//
// expect-error: a_placement_is_not_a_stream_a_lookahead_a_thread_or_a_weight<stretto::on_failure<
// expect-text: `on_failure<stretto::verdict::drop>` is no placement; `stream`, `lookahead`, `thread` and `weight` are
// expect-at: pipeline<training> pipeline
// expect-lines: 15
#include <stretto/stretto.hpp>

namespace st = stretto;

struct sample : st::slot<int> {};
struct parsed : st::slot<int> {};

struct parse {
  void operator()(st::in<sample> in, st::out<parsed> out) const { out = *in; }
};
#ifdef FIXED
using from = st::source<sample>;
#else
using from = st::source<sample, st::on_failure<st::drop>>;
#endif

struct training : st::schedule<from, st::result<parsed>, parse> {};

void run() { st::pipeline<training> pipeline; }
