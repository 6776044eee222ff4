// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # A coroutine in a schedule that is to be a value
//
// expect-error: a task of this schedule is a coroutine, which tasks of values cannot be
// expect-lines: 40
// expect-compilers: each, not nvcc
#include <array>
#include <stretto/from_types.hpp>
#include <stretto/stretto.hpp>
#include <stretto/suspend.hpp>

namespace st = stretto;

struct number : st::slot<int> {};
struct square : st::slot<int> {};

struct multiply {
  using reads = st::reads<number>;
  using writes = st::writes<square>;
  st::suspendable operator()(const int& in, int& out) {
    out = in;
    co_return;
  }
};
struct job : st::schedule<st::source<number>, st::result<square>, multiply> {};
template <>
inline constexpr bool stretto::works_in_turn<job> = true;

void run() {
#ifdef FIXED
  st::pipeline<job> pipeline;
#else
  const auto values = st::dynamic::from_types<job>();
  st::pipeline<job> pipeline;
#endif
  for (const int s : pipeline.run(std::array{1})) static_cast<void>(s);
}
