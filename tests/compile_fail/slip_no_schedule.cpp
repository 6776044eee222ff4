// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # What is given to the pipeline is not a schedule
//
// A pipeline is made of a schedule: a struct derived from `stretto::schedule<...>`, so that
// messages show a short name. A single task is not one.
//
// expect-error: what_was_given_as_a_schedule_is_none_or_is_not_defined_here<forward>
// expect-text: `forward` is not a schedule, or not defined here
// expect-lines: 15
#include <stretto/stretto.hpp>

namespace st = stretto;

struct raw_batch : st::slot<int> {};
struct batch : st::slot<int> {};
struct loss : st::slot<float> {};

struct h2d {
  using stream = st::stream<"memcpy">;
  static constexpr int lookahead = 1;
  using reads = st::reads<raw_batch>;
  using writes = st::writes<batch>;
  void operator()(int in, int& out) const { out = in; }
};

struct forward {
  using stream = st::stream<"compute">;
  using reads = st::reads<batch>;
  using writes = st::writes<loss>;
  void operator()(int in, float& out) const { out = static_cast<float>(in); }
};

struct training : st::schedule<st::source<raw_batch>, st::result<loss>,
                               st::streams<"memcpy", "compute">, h2d, forward> {};

#ifdef FIXED
st::pipeline<training> pipeline;
#else
st::pipeline<forward> pipeline;
#endif
