// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # Two cycles of tasks that wait for each other
//
// Cycles that have no task in common are mended one by one, so all are told: in the error, and as
// findings of their own.
//
// expect-error: rule_7_tasks_wait_for_each_other_in_a_cycle<load, check, stretto::invalid::and_in_another_cycle<train, save>
// expect-text: rule 7: tasks wait for each other in a cycle: `load` waits for `check` waits for `load`; drop one of these waits, or make it one for an earlier batch \(cross_iter_depends_on\); another cycle: `train` waits for `save` waits for `train`
// expect-at: pipeline<training> pipeline
// expect-lines: 15
#include <stretto/stretto.hpp>

namespace st = stretto;

struct number : st::slot<int> {};
struct loss : st::slot<int> {};

struct check;
struct save;

struct load {
#ifndef FIXED
  using depends_on = st::depends_on<check>;
#endif
  void operator()(st::in<number> /*in*/) const {}
};
struct check {
  using depends_on = st::depends_on<load>;
  void operator()() const {}
};
struct train {
#ifdef FIXED
  using cross_iter_depends_on = st::cross_iter_depends_on<save>;
#else
  using depends_on = st::depends_on<save>;
#endif
  void operator()(st::in<number> in, st::out<loss> out) const { out = *in; }
};
struct save {
  using depends_on = st::depends_on<train>;
  void operator()() const {}
};

struct training : st::schedule<st::source<number>, st::result<loss>, load, check, train, save> {};

void run() { st::pipeline<training> pipeline; }
