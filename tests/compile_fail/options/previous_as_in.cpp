// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # What an earlier batch held, as an `in`
//
// `previous` is a parameter by itself.
//
// expect-error: a_task_reads_what_is_not_a_slot<multiply, stretto::in<stretto::previous<number
// expect-text: task `multiply` has `in<.*>`, and `in` is of a slot: take or list what is in it as it is, `previous<number>`
// expect-at: pipeline<training> pipeline
// expect-lines: 22
#include <array>
#include <stretto/stretto.hpp>

namespace st = stretto;

struct number : st::slot<int> {};
struct square : st::slot<int> {};

struct multiply {
#ifdef FIXED
  void operator()(st::previous<number> in, st::out<square> out) const {
    out = in.has_value() ? *in : 0;
  }
#else
  void operator()(st::in<st::previous<number>> in, st::out<square> out) const { out = *in; }
#endif
};
struct training : st::schedule<st::source<number>, st::result<square>, multiply> {};

void run() {
  st::pipeline<training> pipeline;
  for (const int s : pipeline.run(std::array{5})) static_cast<void>(s);
}
