// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # A schedule without some of its tasks, and none is named
//
// A copy of a schedule under another name is no schedule without something.
//
// expect-error: without_names_no_task_to_leave_out<evaluation
// expect-text: `without` of schedule `evaluation` names no task to leave out; name some, or use the schedule that it was given
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
struct evaluation : st::without<training> {};
#endif

void run() { st::pipeline<evaluation> pipeline; }
