// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # Items that are consumed are listed in `writes`
//
// `consumes` is an entry of `reads`, `produces` one of `writes`. A parameter may be either,
// wherever it stands.
//
// expect-error: consumes_is_for_reads_and_produces_is_for_writes<filter
// expect-text: task `filter` lists `consumes<filtered>` where it cannot be: `consumes` is for `reads`, `produces` for `writes`
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
#ifdef FIXED
  using writes = st::writes<st::produces<filtered>>;
#else
  using writes = st::writes<st::consumes<filtered>>;
#endif
  void operator()(st::consumes<sample, 2> in, st::produces<filtered> out) const {
    out = in[0] + in[1];
  }
};
struct average {
  void operator()(st::consumes<filtered, 3> in, st::out<mean> out) const { out = in[0] + in[2]; }
};

struct training : st::schedule<st::source<frame>, st::result<mean>, split, filter, average> {};

void run() { st::pipeline<training> pipeline; }
