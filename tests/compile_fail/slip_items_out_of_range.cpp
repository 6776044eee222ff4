// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # A call consumes no item
//
// Each call of a task consumes or produces 1 to 65,536 items of a slot. A task that uses nothing of
// a slot does not name it.
//
// expect-error: a_task_consumes_or_produces_1_to_65536_items_per_call<filter
// expect-text: task `filter` has `consumes<sample, 0>`; each call consumes or produces 1 to 65,536 items of a slot
// expect-at: pipeline<training> pipeline
// expect-lines: 15
#include <array>
#include <stretto/stretto.hpp>

namespace st = stretto;

struct frame : st::slot<std::array<int, 6>> {};
struct sample : st::slot<int> {};

struct split {
  void operator()(st::in<frame> in, st::produces<sample, 6> out) const {
    for (std::size_t i = 0; i < 6; ++i) out[i] = (*in)[i];
  }
};

struct filter {
#ifdef FIXED
  void operator()(st::consumes<sample, 2>) const {}
#else
  void operator()(st::consumes<sample, 0>) const {}
#endif
};

struct training : st::schedule<st::source<frame>, split, filter> {};

void run() { st::pipeline<training> pipeline; }
