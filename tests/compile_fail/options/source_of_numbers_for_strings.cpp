// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # A source of numbers for a slot of strings
//
// A `std::string` takes a number for a character, but only where it is assigned.
//
// expect-error: the_source_yields_numbers_that_its_slot_takes_for_something_else<int, .*
// expect-text: the source yields `int`, of which no `std::.*` is made: slot `number` would take it for something else, as a string takes a number for a character; convert it
// expect-at: pipeline.run\(
// expect-lines: 18
#include <stretto/stretto.hpp>
#include <string>
#include <vector>

namespace st = stretto;

struct number : st::slot<std::string> {};
struct square : st::slot<std::string> {};

struct multiply {
  void operator()(st::in<number> in, st::out<square> out) const { out = *in; }
};
struct training : st::schedule<st::source<number>, st::result<square>, multiply> {};

void run(const std::vector<int>& numbers, const std::vector<std::string>& texts) {
  st::pipeline<training> pipeline;
#ifdef FIXED
  static_cast<void>(numbers);
  for (const std::string& s : pipeline.run(texts)) static_cast<void>(s);
#else
  static_cast<void>(texts);
  for (const std::string& s : pipeline.run(numbers)) static_cast<void>(s);
#endif
}
