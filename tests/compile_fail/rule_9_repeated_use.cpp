// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # A task that is called several times writes one value
//
// A task that is called three times for a batch would write a slot of one value three times, and
// only the last value would be seen. Let it produce items of the slot, and another task make one
// value of them.
//
// expect-error: rule_9_a_task_that_is_called_several_times_for_a_batch_writes_or_takes_a_slot_of_one_value<filter, mean
// expect-text: rule 9: task `filter` is called 3 times per batch and writes slot `mean`, which has one value per batch; produce items of it, or write it in a task that is called once
// expect-at: pipeline<training> pipeline
// expect-lines: 15
#include <array>
#include <stretto/stretto.hpp>

namespace st = stretto;

struct frame : st::slot<std::array<int, 6>> {};
struct sample : st::slot<int> {};
struct mean : st::slot<int> {};

struct split {
  void operator()(st::in<frame> in, st::produces<sample, 6> out) const {
    for (std::size_t i = 0; i < 6; ++i) out[i] = (*in)[i];
  }
};

struct filter {
#ifdef FIXED
  void operator()(st::consumes<sample, 6> in, st::out<mean> out) const { out = in[0] + in[1]; }
#else
  void operator()(st::consumes<sample, 2> in, st::out<mean> out) const { out = in[0] + in[1]; }
#endif
};

struct training : st::schedule<st::source<frame>, st::result<mean>, split, filter> {};

void run() { st::pipeline<training> pipeline; }
