// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # `lookahead<'2'>` in `place`
//
// As an `int` it would be 50.
//
// expect-error: a_task_or_the_source_is_placed_by_what_is_no_whole_number<
// expect-text: a task or the source is placed by .lookahead<.*>., which is no whole number
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
using placed = st::place<parse, st::lookahead<2>>;
#else
using placed = st::place<parse, st::lookahead<'2'>>;
#endif
struct training : st::schedule<st::source<sample>, st::result<parsed>, placed, parse> {};

void run() { st::pipeline<training> pipeline; }
