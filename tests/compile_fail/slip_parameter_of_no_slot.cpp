// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # A plain parameter among `in` and `out`
//
// Parameters that say which slots they are stand in any order, so one that does not say it could
// be any slot. Only the first may be another: the context.
//
// expect-error: a_parameter_of_a_task_is_neither_in_nor_out_nor_inout_nor_takes_as_others_are<h2d, (stretto::invalid::)?argument<2, int ?&>
// expect-text: parameter 2 of task `h2d`, `int ?&`, is neither `in`, `out`, `inout` nor `takes`, as others are; say of each which slot it is
// expect-lines: 15
#include <stretto/stretto.hpp>

namespace st = stretto;

struct raw_batch : st::slot<int> {};
struct batch : st::slot<int> {};
struct loss : st::slot<float> {};

struct h2d {
  using stream = st::stream<"memcpy">;
  static constexpr int lookahead = 1;
#ifdef FIXED
  void operator()(st::in<raw_batch> in, st::out<batch> out) const { out = *in; }
#else
  void operator()(st::in<raw_batch> in, int& out) const { out = *in; }
#endif
};

struct forward {
  using stream = st::stream<"compute">;
  void operator()(st::in<batch> in, st::out<loss> out) const { out = static_cast<float>(*in); }
};

struct training : st::schedule<st::source<raw_batch>, st::result<loss>,
                               st::streams<"memcpy", "compute">, h2d, forward> {};

float sum(const int (&batches)[3]) {
  st::pipeline<training> pipeline;
  float total = 0;
  for (const float l : pipeline.run(batches)) total += l;
  return total;
}
