// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # A list that is gone before the run takes its elements
//
// A `std::initializer_list` refers to its elements. Those of one that is written where the run is
// made are gone at the end of that line.
//
// expect-error: the_elements_of_the_list_are_gone_before_the_run_takes_them<int, number>
// expect-text: the elements of a std::initializer_list that is written where the run is made are gone when the run takes them for slot `number`; give it a std::vector of `int`, or a list that has a name
// expect-at: pipeline.run\(
// expect-lines: 18
#include <initializer_list>
#include <stretto/stretto.hpp>

namespace st = stretto;

struct number : st::slot<int> {};
struct square : st::slot<int> {};

struct multiply {
  void operator()(st::in<number> in, st::out<square> out) const { out = *in; }
};
struct training : st::schedule<st::source<number>, st::result<square>, multiply> {};

void run() {
  st::pipeline<training> pipeline;
#ifdef FIXED
  const std::initializer_list<int> three{1, 2, 3};
  for (const int s : pipeline.run(three)) static_cast<void>(s);
#else
  for (const int s : pipeline.run(std::initializer_list<int>{1, 2, 3})) static_cast<void>(s);
#endif
}
