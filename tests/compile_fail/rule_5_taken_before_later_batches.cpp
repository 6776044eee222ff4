// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # The value of a slot is taken that a later batch looks back at
//
// Whoever takes a value is the last to use it. A task that reads `previous` or a `window` of the
// slot uses the value for the batches after it, too.
//
// expect-error: rule_5_a_task_takes_the_value_of_a_slot_that_another_uses_for_a_later_batch<store, smooth, sample
// expect-text: rule 5: task `store` takes the value of slot `sample`, which `smooth` still uses for a later batch; let task `store` read it instead of taking it
// expect-at: pipeline<smoothing> pipeline
// expect-lines: 16
// expect-compilers: each
#include <stretto/stretto.hpp>

namespace st = stretto;

struct sample : st::slot<float> {};
struct mean : st::slot<float> {};
struct stored : st::slot<float> {};

struct smooth {
  void operator()(st::in<sample> now, st::previous<sample> before, st::out<mean> out) const {
    out = (*now + before.value_or(*now)) / 2;
  }
};
struct store {
#ifdef FIXED
  void operator()(st::in<sample> from, st::out<stored> to) const { to = *from; }
#else
  void operator()(st::takes<sample> from, st::out<stored> to) const { to = *from; }
#endif
};

struct smoothing : st::schedule<st::source<sample>, st::result<mean, stored>, smooth, store> {};

float sum(const float (&samples)[3]) {
  st::pipeline<smoothing> pipeline;
  float total = 0;
  for (const auto& [m, s] : pipeline.run(samples)) total += m + s;
  return total;
}
