// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # A schedule without a task, twice
//
// One of the two was to be another task.
//
// expect-error: without_leaves_out_a_task_twice<backward
// expect-text: `without` leaves out task `backward` twice; name it once
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
struct evaluation : st::without<training, backward, backward> {};
#endif

void run() { st::pipeline<evaluation> pipeline; }
