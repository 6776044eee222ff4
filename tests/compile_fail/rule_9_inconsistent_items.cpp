// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # What is produced is not what is consumed
//
// The numbers of calls of tasks that consume and produce items follow from each other, along the
// slots that they share. Where two ways lead from one task to another, both must come to one number
// of calls; otherwise items would be left over with each batch, or missing.
//
// expect-error: rule_9_the_numbers_of_items_that_two_tasks_consume_or_produce_are_inconsistent<average, filter, filtered
// expect-text: rule 9: task `average` consumes 1 item of slot `filtered` per call, but `filter` produces 1, and by other slots `average` is called 1 time per 3 calls of `filter`; let `average` consume 3
// expect-at: pipeline<training> pipeline
// expect-lines: 15
#include <array>
#include <stretto/stretto.hpp>

namespace st = stretto;

struct frame : st::slot<std::array<int, 6>> {};
struct sample : st::slot<int> {};
struct filtered : st::slot<int> {};
struct mean : st::slot<int> {};

struct split {
  void operator()(st::in<frame> in, st::produces<sample, 6> out) const {
    for (std::size_t i = 0; i < 6; ++i) out[i] = (*in)[i];
  }
};

struct filter {
  void operator()(st::consumes<sample, 2> in, st::produces<filtered> out) const {
    out = in[0] + in[1];
  }
};
struct average {  // of a whole frame
#ifdef FIXED
  void operator()(st::consumes<sample, 6> all, st::consumes<filtered, 3> sums,
#else
  void operator()(st::consumes<sample, 6> all, st::consumes<filtered> sums,
#endif
                  st::out<mean> out) const {
    out = (all[0] + sums[0]) / 2;
  }
};

struct training : st::schedule<st::source<frame>, st::result<mean>, split, filter, average> {};

void run() { st::pipeline<training> pipeline; }
