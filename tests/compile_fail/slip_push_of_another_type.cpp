// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # What is pushed does not go into the slot
//
// What is pushed is assigned to the slot of the source, or is a function that fills it.
//
// expect-error: what_is_pushed_does_not_go_into_the_slot_of_the_source<std::.*string.*, int>
// expect-text: what is pushed has type `std::.*string.*`, and the slot of the source `int`: push what can be assigned to that, or a function that takes `int ?&` and fills it
// expect-at: push\(
// expect-lines: 18
// expect-compilers: each
#include <stretto/push.hpp>
#include <stretto/stretto.hpp>
#include <string>

namespace st = stretto;

struct number : st::slot<int> {};
struct square : st::slot<int> {};

struct multiply {
  using reads = st::reads<number>;
  using writes = st::writes<square>;
  void operator()(int in, int& out) const { out = in * in; }
};

struct training : st::schedule<st::source<number>, st::result<square>, multiply> {};

int train(const std::string& text) {
  st::pipeline<training> pipeline;
  st::push_run steps(pipeline);
  int total = 0;
#ifdef FIXED
  if (steps.push(std::stoi(text))) total += steps.result();
#else
  if (steps.push(text)) total += steps.result();
#endif
  while (steps.flush()) total += steps.result();
  return total;
}
