// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # `max_failures` of a source on its own
//
// It bounds `on_failure`, and stands in it. Where a source has no `on_failure`, its first failure
// ends the run.
//
// expect-error: max_failures_of_a_source_is_given_without_on_failure<stretto::max_failures<3>
// expect-text: the source is given `max_failures<3>`, and not what becomes of its failures: write `stretto::on_failure<stretto::drop, stretto::max_failures<3>>`
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
using from = st::source<sample, st::on_failure<st::drop, st::max_failures<3>>>;
#else
using from = st::source<sample, st::max_failures<3>>;
#endif

struct training : st::schedule<from, st::result<parsed>, parse> {};

void run() { st::pipeline<training> pipeline; }
