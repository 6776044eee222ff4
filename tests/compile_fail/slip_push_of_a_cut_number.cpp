// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # What is pushed loses a part in the slot
//
// The language makes an integer of any fraction or larger integer, and a bool of any number. Of
// what is pushed nobody would see it happen.
//
// expect-error: what_is_pushed_is_a_number_of_which_the_slot_of_the_source_cuts_something_off<double, int>
// expect-text: what is pushed has type `double`, of which the slot of the source, of type `int`, would lose a part: give the slot a type that holds it, or convert it
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
  if (steps.push(std::stod(text))) total += steps.result();
#endif
  while (steps.flush()) total += steps.result();
  return total;
}
