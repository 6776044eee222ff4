// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # A bound of no failures of a source
//
// `max_failures` is how many failures of the source drop their batches in a run, one at least.
//
// expect-error: on_failure_takes_one_max_failures_of_1_or_more<stretto::source<sample
// expect-text: `on_failure` of the source is given `max_failures<0>`; it takes one `max_failures<N>` of 1 or more, or none for any number; without `on_failure`, the first failure ends the run
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
using from = st::source<sample, st::on_failure<st::drop, st::max_failures<0>>>;
#endif

struct training : st::schedule<from, st::result<parsed>, parse> {};

void run() { st::pipeline<training> pipeline; }
