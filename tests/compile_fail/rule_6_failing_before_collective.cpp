// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # A collective comes after a task whose failures drop batches
//
// A task fails on one rank, and there the collective would not run for that batch, while the
// others wait for it. A failure that ends the run of one rank ends that of the others.
//
// expect-error: rule_6_a_collective_drops_batches_or_comes_after_a_task_that_may<sum, parse, [a-z:]*on_failure
// expect-text: rule 6: task `sum` is a collective, but does not run for batches that `parse` drops if it fails .its `on_failure`., of which ranks would disagree; let its failures end the run, as they do without, or catch what is thrown and write that to a slot
// expect-at: pipeline<training> pipeline
// expect-lines: 15
#include <stretto/stretto.hpp>

namespace st = stretto;

struct sample : st::slot<int> {};
struct parsed : st::slot<int> {};
struct total : st::slot<int> {};

struct parse {
#ifndef FIXED
  using on_failure = st::on_failure<st::drop>;
#endif
  void operator()(st::in<sample> in, st::out<parsed> out) const { out = *in; }
};

struct sum {
  static constexpr bool collective = true;
  void operator()(st::in<parsed> in, st::out<total> out) const { out = *in; }
};

struct training : st::schedule<st::source<sample>, st::result<total>, parse, sum> {};

void run() { st::pipeline<training> pipeline; }
