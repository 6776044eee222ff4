// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # `phase` given as a type
//
// In a task `phase` is a number, as `every` is. The type of one, or a type that stands for one, is
// not looked at.
//
// expect-error: the_every_or_the_phase_of_a_task_is_not_a_static_constexpr_int<step>
// expect-text: the `every` or the `phase` of task `step` is not a constant number: write `static constexpr int every = 4;`
// expect-at: pipeline<training> pipeline
// expect-lines: 15
#include <stretto/stretto.hpp>

namespace st = stretto;

struct gradient : st::slot<float> {};
struct weights : st::slot<float> {};

struct step {
#ifdef FIXED
  static constexpr int every = 4;
  static constexpr int phase = 2;
#else
  using phase = std::integral_constant<int, 2>;
#endif
  using reads = st::reads<gradient>;
  using writes = st::writes<weights>;
  void operator()(float in, float& out) const { out -= in; }
};

struct training : st::schedule<st::source<gradient>, step> {};

void run() { st::pipeline<training> pipeline; }
