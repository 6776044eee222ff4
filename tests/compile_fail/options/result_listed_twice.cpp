// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # A slot is listed twice in `result`
//
// expect-error: a_result_is_listed_twice<loss>
// expect-text: slot `loss` is listed twice in `result`; list it once
// expect-lines: 15
#include <stretto/stretto.hpp>

namespace st = stretto;

struct batch : st::slot<int> {};
struct loss : st::slot<float> {};

struct train {
  void operator()(st::in<batch> in, st::out<loss> out) const { out = static_cast<float>(*in); }
};

#ifdef FIXED
struct training : st::schedule<st::source<batch>, st::result<loss>, train> {};
#else
struct training : st::schedule<st::source<batch>, st::result<loss, loss>, train> {};
#endif

void run() { st::pipeline<training> pipeline; }
