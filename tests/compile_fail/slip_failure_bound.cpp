// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # A bound of no failures
//
// `max_failures` is how many failures of the task drop their batches in a run, one at least. Of a
// task none of whose failures is to do so there is no `on_failure`.
//
// expect-error: on_failure_takes_one_max_failures_of_1_or_more<parse, stretto::max_failures<0>
// expect-text: `on_failure` of task `parse` is given `max_failures<0>`; it takes one `max_failures<N>` of 1 or more, or none for any number; without `on_failure`, the first failure ends the run
// expect-at: pipeline<training> pipeline
// expect-lines: 15
#include <stretto/stretto.hpp>

namespace st = stretto;

struct sample : st::slot<int> {};
struct parsed : st::slot<int> {};

struct parse {
#ifdef FIXED
  using on_failure = st::on_failure<st::drop, st::max_failures<10>>;
#else
  using on_failure = st::on_failure<st::drop, st::max_failures<0>>;
#endif
  void operator()(st::in<sample> in, st::out<parsed> out) const { out = *in; }
};

struct training : st::schedule<st::source<sample>, st::result<parsed>, parse> {};

void run() { st::pipeline<training> pipeline; }
