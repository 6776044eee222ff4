// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # What is pushed can only be moved
//
// What is pushed is copied, unless it is given away. What cannot be copied is to be given away.
//
// expect-error: what_is_pushed_can_only_be_moved<std::unique_ptr<int.*>>
// expect-text: can be moved into the slot of the source, but not copied: give it away, `push\(std::move\(batch\)\)`
// expect-at: push\(
// expect-lines: 18
// expect-compilers: each
#include <memory>
#include <stretto/push.hpp>
#include <stretto/stretto.hpp>
#include <utility>

namespace st = stretto;

struct number : st::slot<std::unique_ptr<int>> {};
struct square : st::slot<int> {};

struct multiply {
  using reads = st::reads<number>;
  using writes = st::writes<square>;
  void operator()(const std::unique_ptr<int>& in, int& out) const { out = *in * *in; }
};

struct training : st::schedule<st::source<number>, st::result<square>, multiply> {};

int train(std::unique_ptr<int> batch) {
  st::pipeline<training> pipeline;
  st::push_run steps(pipeline);
  int total = 0;
#ifdef FIXED
  if (steps.push(std::move(batch))) total += steps.result();
#else
  if (steps.push(batch)) total += steps.result();
#endif
  while (steps.flush()) total += steps.result();
  return total;
}
