// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # The value of a slot that a schedule does not have
//
// expect-error: no slot of this schedule
// expect-lines: 12
#include <stretto/stretto.hpp>

namespace st = stretto;

struct batch : st::slot<int> {};
struct loss : st::slot<float> {};
struct other : st::slot<float> {};

struct train {
  float total = 0;
  void operator()(st::in<batch> in, st::out<loss> out) { out = total += static_cast<float>(*in); }
};

struct training : st::schedule<st::source<batch>, st::result<loss>, train> {};

bool look(st::pipeline<training>& pipeline) {
#ifdef FIXED
  return pipeline.task<train>().total > 0 && pipeline.recover<loss>(0) != nullptr;
#else
  return pipeline.task<train>().total > 0 && pipeline.recover<other>(0) != nullptr;
#endif
}
