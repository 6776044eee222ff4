// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # A coroutine in an outline
//
// expect-error: a task of this schedule is a coroutine, which a schedule that is a value learns of its body
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
  const auto values = st::dynamic::from_types<job>();
#else
  const auto values = st::dynamic::outline<job>();
#endif
  st::pipeline<job> pipeline;
  for (const int s : pipeline.run(std::array{1})) static_cast<void>(s);
}
