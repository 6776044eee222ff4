// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # A server of a schedule that breaks a rule
//
// One error, that of the pipeline: nothing follows of the run that the server would have.
//
// expect-error: rule_5_
// expect-text: rule 5: the result `loss` is handed out for every batch, but `train` writes it once per 4 batches
// expect-lines: 20
#include <stretto/serve.hpp>
#include <stretto/stretto.hpp>

namespace st = stretto;

struct batch : st::slot<int> {};
struct loss : st::slot<float> {};

struct train {
#ifndef FIXED
  static constexpr int every = 4;
#endif
  void operator()(st::in<batch> in, st::out<loss> out) const { out = static_cast<float>(*in); }
};

struct training : st::schedule<st::source<batch>, st::result<loss>, train> {};

float ask(int value) {
  st::pipeline<training> pipeline;
  st::server server(pipeline);
  return server.ask(value).get();
}
