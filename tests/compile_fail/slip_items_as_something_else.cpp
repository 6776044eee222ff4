// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # A body takes items as something else
//
// Of items that a task lists, its body gets an object: `consumes` or `produces` with the number
// that the list says, or what they convert to, a `std::span`.
//
// expect-error: a_task_does_not_take_what_it_reads_or_writes<filter
// expect-text: task `filter` does not take slot `consumes<sample, 2>` where its body gets it
// expect-at: pipeline<training> pipeline
// expect-lines: 15
#include <array>
#include <stretto/stretto.hpp>

namespace st = stretto;

struct frame : st::slot<std::array<int, 6>> {};
struct sample : st::slot<int> {};
struct filtered : st::slot<int> {};
struct mean : st::slot<int> {};

struct split {
  void operator()(st::in<frame> in, st::produces<sample, 6> out) const {
    for (std::size_t i = 0; i < 6; ++i) out[i] = (*in)[i];
  }
};

struct filter {
  using reads = st::reads<st::consumes<sample, 2>>;
  using writes = st::writes<st::produces<filtered>>;
#ifdef FIXED
  void operator()(st::consumes<sample, 2> in, st::produces<filtered> out) const {
#else
  void operator()(st::consumes<sample, 3> in, st::produces<filtered> out) const {
#endif
      out = in[0] + in[1];
}
}
;
struct average {
  void operator()(st::consumes<filtered, 3> in, st::out<mean> out) const { out = in[0] + in[2]; }
};

struct training : st::schedule<st::source<frame>, st::result<mean>, split, filter, average> {};

void run() { st::pipeline<training> pipeline; }
