// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # A phase that no int can be
//
// `phase` is an `int`, as `every` is. A number beyond that would be as if nobody had said it.
//
// expect-error: the_every_or_the_phase_of_a_task_is_not_a_static_constexpr_int<step>
// expect-text: the `every` or the `phase` of task `step` is not a constant number: write `static constexpr int every = 4;`
// expect-lines: 15
#include <stretto/stretto.hpp>

namespace st = stretto;

struct gradient : st::slot<float> {};
struct weights : st::slot<float> {};

struct step {
#ifdef FIXED
  static constexpr int every = 4;
  static constexpr int phase = 0;
#else
  static constexpr int every = 4;
  static constexpr long long phase = 4294967296;
#endif
  using reads = st::reads<gradient>;
  using writes = st::writes<weights>;
  void operator()(float in, float& out) const { out -= in; }
};

struct training : st::schedule<st::source<gradient>, step> {};

void run(const float (&gradients)[8]) {
  st::pipeline<training> pipeline;
  for ([[maybe_unused]] const auto batch : pipeline.run(gradients)) continue;
}
