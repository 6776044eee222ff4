// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # Parameters of a template say nothing
//
// What a task without lists reads and writes is read off the parameters of its call operator. Of a
// template they are not known before it is called (the type of a context in front may be deduced),
// and of an overloaded call operator it is not known which are meant. So such a body needs the
// lists.
//
// expect-error: a_task_lists_no_slots_and_its_call_operator_is_private_overloaded_or_a_template<check>
// expect-text: task `check` lists no slots, and its parameters cannot say which, because it has no call operator that is public, not overloaded and no template
// expect-lines: 15
#include <stretto/stretto.hpp>

namespace st = stretto;

struct raw_batch : st::slot<int> {};
struct batch : st::slot<int> {};
struct loss : st::slot<float> {};

struct h2d {
  using stream = st::stream<"memcpy">;
  static constexpr int lookahead = 1;
  void operator()(st::context auto&, st::in<raw_batch> in, st::out<batch> out) const { out = *in; }
};

struct forward {
  using stream = st::stream<"compute">;
  void operator()(st::in<batch> in, st::out<loss> out) const { out = static_cast<float>(*in); }
};

struct check {
#ifdef FIXED
  using reads = st::reads<batch, loss>;
#endif
  void operator()(auto batch, auto loss) const { static_cast<void>(batch == loss); }
};

struct training : st::schedule<st::source<raw_batch>, st::result<loss>,
                               st::streams<"memcpy", "compute">, h2d, forward, check> {};

float sum(const int (&batches)[3]) {
  st::pipeline<training> pipeline;
  float total = 0;
  for (const float l : pipeline.run(batches)) total += l;
  return total;
}
