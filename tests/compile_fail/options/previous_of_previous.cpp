// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # What an earlier batch held of what an earlier batch held
//
// One entry says how many batches back.
//
// expect-error: a_task_looks_back_at_what_looks_back_itself<multiply
// expect-text: task `multiply` reads `previous<.*>`; what looks back is of a slot: say in one how many batches, as `previous<slot, 2>`
// expect-at: pipeline<training> pipeline
// expect-lines: 22
#include <array>
#include <stretto/stretto.hpp>

namespace st = stretto;

struct number : st::slot<int> {};
struct square : st::slot<int> {};

struct multiply {
#ifdef FIXED
  void operator()(st::previous<number, 2> in, st::out<square> out) const {
    out = in.has_value() ? *in : 0;
  }
#else
  void operator()(st::previous<st::previous<number>> in, st::out<square> out) const { out = *in; }
#endif
};
struct training : st::schedule<st::source<number>, st::result<square>, multiply> {};

void run() {
  st::pipeline<training> pipeline;
  for (const int s : pipeline.run(std::array{5})) static_cast<void>(s);
}
