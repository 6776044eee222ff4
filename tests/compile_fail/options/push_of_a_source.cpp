// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # A source is pushed
//
// What fills a slot where a batch is pushed is called once, and nobody asks it whether there is a
// batch.
//
// expect-error: a_function_that_is_pushed_says_whether_there_is_a_batch<.*, int>
// expect-text: what is pushed is a function that says whether it filled the slot, as a source does; nobody asks it that: each push is a batch; let it take `int ?&` and return nothing, or hand it to `run`
// expect-at: push\(
// expect-lines: 18
#include <stretto/push.hpp>
#include <stretto/stretto.hpp>

namespace st = stretto;

struct number : st::slot<int> {};
struct square : st::slot<int> {};

struct multiply {
  void operator()(st::in<number> in, st::out<square> out) const { out = *in; }
};
struct training : st::schedule<st::source<number>, st::result<square>, multiply> {};

bool push(int left) {
  st::pipeline<training> pipeline;
  st::push_run steps(pipeline);
#ifdef FIXED
  return left > 0 && steps.push([left](int& slot) { slot = left; });
#else
  return steps.push([left](int& slot) {
    slot = left;
    return left > 0;
  });
#endif
}
