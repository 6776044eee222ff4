// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # What is asked loses a part in the slot
//
// A request is what the slot of the source holds. The language makes an integer of any fraction or
// larger integer, and a bool of any number, and nobody would see it happen.
//
// expect-error: what_is_asked_is_a_number_of_which_the_slot_of_the_source_cuts_something_off<double, int>
// expect-text: what is asked has type `double`, of which the slot of the source, of type `int`, would lose a part: give the slot a type that holds it, or convert it
// expect-at: ask\(
// expect-lines: 18
// expect-compilers: each
#include <stretto/serve.hpp>
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
  st::server squares(pipeline);
#ifdef FIXED
  return squares.ask(std::stoi(text)).get();
#else
  return squares.ask(std::stod(text)).get();
#endif
}
