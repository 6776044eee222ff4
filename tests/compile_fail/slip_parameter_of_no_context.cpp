// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # A first parameter that is neither a slot nor the context
//
// In front of parameters that say which slots they are, a body may take the context of its
// pipeline, or what that converts to, such as the stream where streams are on a device.
//
// expect-error: a_parameter_of_a_task_is_neither_in_nor_out_nor_inout_nor_takes_as_others_are<h2d, (stretto::invalid::)?argument<1, const char ?\*>
// expect-error-nvcc: a_parameter_of_a_task_is_neither_in_nor_out_nor_inout_nor_takes_as_others_are<h2d, (stretto::invalid::)?argument<1, const char ?\*>
// expect-text: parameter 1 of task `h2d`, `const char ?\*`, is neither `in`, `out`, `inout` nor `takes`, as others are
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
  void operator()(const st::task_context&, st::in<raw_batch> in, st::out<batch> out) const {
    out = *in;
  }
#else
  void operator()(const char*, st::in<raw_batch> in, st::out<batch> out) const { out = *in; }
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
