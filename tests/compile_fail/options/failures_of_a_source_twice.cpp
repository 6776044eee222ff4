// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # A source with two of `on_failure`
//
// One of them would not be looked at.
//
// expect-error: a_source_is_placed_twice<stretto::on_failure<
// expect-text: the source is placed twice: `on_failure<stretto::verdict::drop>` says what an entry before it has said; keep one
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
using from = st::source<sample, st::on_failure<st::drop, st::max_failures<9>>>;
#else
using from =
    st::source<sample, st::on_failure<st::drop, st::max_failures<9>>, st::on_failure<st::drop>>;
#endif

struct training : st::schedule<from, st::result<parsed>, parse> {};

void run() { st::pipeline<training> pipeline; }
