// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # A collective comes after a task that may drop batches
//
// A collective runs on all ranks or on none. Each rank drops batches by what it has of them, so
// that some would wait for others for ever. Where ranks are to drop a batch together, let a
// collective agree on it first, write that to a slot, and let the tasks that use the batch look
// there.
//
// expect-error: rule_6_a_collective_drops_batches_or_comes_after_a_task_that_may<sum, filter
// expect-text: rule 6: task `sum` is a collective, but does not run for batches that `filter` drops, of which ranks would disagree; let `filter` keep all, and write what it thinks of them to a slot
// expect-at: pipeline<training> pipeline
// expect-lines: 15
#include <stretto/stretto.hpp>

namespace st = stretto;

struct sample : st::slot<int> {};
struct gradient : st::slot<float> {};
struct total : st::slot<float> {};

struct filter {
#ifdef FIXED
  void operator()(st::in<sample> in, st::out<gradient> out) const {
    out = *in > 0 ? static_cast<float>(*in) : 0.0F;
  }
#else
  st::verdict operator()(st::in<sample> in, st::out<gradient> out) const {
    out = static_cast<float>(*in);
    return *in > 0 ? st::keep : st::drop;
  }
#endif
};

struct sum {
  static constexpr bool collective = true;
  void operator()(st::in<gradient> in, st::out<total> out) const { out = *in; }
};

struct training : st::schedule<st::source<sample>, st::result<total>, filter, sum> {};

void run() { st::pipeline<training> pipeline; }
