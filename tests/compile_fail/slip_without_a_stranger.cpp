// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # A schedule without what is no task of it
//
// What was to be left out goes by another name, or has been left out before.
//
// expect-error: without_leaves_out_what_is_not_a_task_of_its_schedule<loss, evaluation
// expect-text: `without` of schedule `evaluation` leaves out `loss`, which is not a task of the schedule that it was given
// expect-at: pipeline<evaluation> pipeline
// expect-lines: 15
#include <stretto/stretto.hpp>

namespace st = stretto;

struct raw : st::slot<int> {};
struct loss : st::slot<int> {};

struct forward {
  void operator()(st::in<raw> in, st::out<loss> out) const { out = *in; }
};
struct backward {
  void operator()(st::in<loss>) const {}
};
struct optimizer {
  using depends_on = st::depends_on<backward>;
  void operator()(st::in<raw>) const {}
};

struct training : st::schedule<st::source<raw>, st::result<loss>, forward, backward, optimizer> {};
#ifdef FIXED
struct evaluation : st::without<training, backward, optimizer> {};
#else
struct evaluation : st::without<training, backward, loss> {};
#endif

void run() { st::pipeline<evaluation> pipeline; }
