// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # A function that fills the slot and returns a number
//
// A number says how much was read, or that something is wrong: -1 would be another batch, for ever.
//
// expect-error: a_function_as_source_must_return_optional_or_fill_the_slot<int, number>
// expect-text: a source that is a function returns a std::optional, empty at the end, or takes `int ?&` and returns whether it filled it; this one returns `int`
// expect-at: pipeline.run\(
// expect-lines: 18
#include <stretto/stretto.hpp>

namespace st = stretto;

struct number : st::slot<int> {};
struct square : st::slot<int> {};

struct multiply {
  void operator()(st::in<number> in, st::out<square> out) const { out = *in; }
};
struct training : st::schedule<st::source<number>, st::result<square>, multiply> {};

int read_into(int& number);

void run() {
  st::pipeline<training> pipeline;
#ifdef FIXED
  const auto read = [](int& number) { return read_into(number) > 0; };
  for (const int s : pipeline.run(read)) static_cast<void>(s);
#else
  for (const int s : pipeline.run(read_into)) static_cast<void>(s);
#endif
}
