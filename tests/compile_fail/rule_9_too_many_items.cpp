// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # A batch would have too many items
//
// Numbers of items that have no divisor in common multiply: a task that consumes 7,001 items of
// what comes by the 7,000 makes a batch of 49,007,000. A slot has room for 65,536 items per batch.
// Numbers that have more divisors in common make batches smaller.
//
// expect-error: rule_9_a_batch_would_have_more_than_65536_items_of_a_slot<
// expect-text: rule 9: task `split` produces items of slot `sample`, and with all the numbers of items of the schedule a batch would have more than 65536; let calls consume and produce more items, or numbers that have more divisors in common
// expect-at: pipeline<training> pipeline
// expect-lines: 15
#include <stretto/stretto.hpp>

namespace st = stretto;

struct frame : st::slot<int> {};
struct sample : st::slot<int> {};
struct filtered : st::slot<int> {};
struct mean : st::slot<int> {};

struct split {
  void operator()(st::in<frame> in, st::produces<sample, 7000> out) const { out[0] = *in; }
};
struct filter {
#ifdef FIXED
  void operator()(st::consumes<sample, 3500> in, st::produces<filtered> out) const { out = in[0]; }
#else
  void operator()(st::consumes<sample, 7001> in, st::produces<filtered> out) const { out = in[0]; }
#endif
};
struct average {
  void operator()(st::consumes<filtered, 2> in, st::out<mean> out) const { out = in[0]; }
};

struct training : st::schedule<st::source<frame>, st::result<mean>, split, filter, average> {};

void run() { st::pipeline<training> pipeline; }
