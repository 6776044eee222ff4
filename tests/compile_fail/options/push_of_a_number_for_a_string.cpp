// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # A number is pushed to a slot of strings
//
// A `std::string` takes a number for a character, but only where it is assigned.
//
// expect-error: what_is_pushed_is_a_number_that_the_slot_of_the_source_takes_for_something_else<int, .*
// expect-text: what is pushed has type `int`, of which no `std::.*` is made: the slot of the source would take it for something else, as a string takes a number for a character; convert it
// expect-at: push\(
// expect-lines: 18
#include <stretto/push.hpp>
#include <stretto/stretto.hpp>
#include <string>

namespace st = stretto;

struct number : st::slot<std::string> {};
struct square : st::slot<std::string> {};

struct multiply {
  void operator()(st::in<number> in, st::out<square> out) const { out = *in; }
};
struct training : st::schedule<st::source<number>, st::result<square>, multiply> {};

bool push(int n) {
  st::pipeline<training> pipeline;
  st::push_run steps(pipeline);
#ifdef FIXED
  return steps.push(std::to_string(n));
#else
  return steps.push(n);
#endif
}
