// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # A collective comes after a source whose failures drop batches
//
// The source of one rank fails, and there the collective would not run for that batch, while the
// others wait for it. A failure that ends the run of one rank ends that of the others.
//
// expect-error: rule_6_a_collective_comes_after_a_source_that_drops_batches<sum, stretto::source<sample
// expect-text: rule 6: task `sum` is a collective, but does not run for batches that the source drops if it fails .its `on_failure`., of which ranks would disagree; let its failures end the run, as they do without, or catch what is thrown in the source, and go on to the next there
// expect-at: pipeline<training> pipeline
// expect-lines: 15
#include <stretto/stretto.hpp>

namespace st = stretto;

struct sample : st::slot<int> {};
struct parsed : st::slot<int> {};

struct sum {
  static constexpr bool collective = true;
  void operator()(st::in<sample> in, st::out<parsed> out) const { out = *in; }
};
#ifdef FIXED
using from = st::source<sample>;
#else
using from = st::source<sample, st::on_failure<st::drop>>;
#endif

struct training : st::schedule<from, st::result<parsed>, sum> {};

void run() { st::pipeline<training> pipeline; }
