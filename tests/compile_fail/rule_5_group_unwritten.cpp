// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # A slot is read before it is written for the batch's group
//
// What a task writes that runs once per four batches belongs to the group of four. A plain read is
// of the group that the batch at hand is in, and `step` writes that with its last batch only. Read
// as `latest<slot>`, it is what was written last, held until it is written again, and nothing at
// the start; `latest<slot, 1>` is what it was one batch earlier, for tasks that `step` comes
// after.
//
// expect-error: rule_5_a_slot_is_read_before_it_is_written_for_the_group_of_the_batch<forward, step, weights, (stretto::invalid::)?read_stretto_latest_of<weights> ?>
// expect-text: rule 5: task `forward` reads slot `weights` for every batch, but `step` writes it once per 4 batches \(phase 3\), and has not for the group of that batch by then; read it as `latest`
// expect-at: pipeline<training> pipeline
// expect-lines: 15
#include <stretto/stretto.hpp>

namespace st = stretto;

struct sample : st::slot<int> {};
struct gradient : st::slot<float> {};
struct weights : st::slot<float> {};
struct loss : st::slot<float> {};

struct forward {
#ifdef FIXED
  void operator()(st::in<sample> in, st::latest<weights, 1> w, st::out<gradient> out) const {
    out = static_cast<float>(*in) * w.value_or(1.0F);
  }
#else
  void operator()(st::in<sample> in, st::in<weights> w, st::out<gradient> out) const {
    out = static_cast<float>(*in) * *w;
  }
#endif
};

struct step {
  static constexpr int every = 4;
  void operator()(st::window<gradient, 4> g, st::out<weights> w) const { w = g[0] + g[3]; }
};

struct training : st::schedule<st::source<sample>, forward, step> {};

void run() { st::pipeline<training> pipeline; }
