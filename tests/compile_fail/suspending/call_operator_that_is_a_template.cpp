// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # A coroutine by a call operator that is a template
//
// expect-error: (a_task_is_a_coroutine_by_a_call_operator_that_is_overloaded_or_a_template|task .multiply. is a coroutine, but by a call operator that is overloaded)
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
#ifdef FIXED
  st::suspendable operator()(const int& in, int& out) {
    out = in;
    co_return;
  }
#else
  st::suspendable operator()(const auto& in, int& out) {
    out = in;
    co_return;
  }
#endif
};
struct job : st::schedule<st::source<number>, st::result<square>, multiply> {};
template <>
inline constexpr bool stretto::works_in_turn<job> = true;

void run() {
  st::pipeline<job> pipeline;
  for (const int s : pipeline.run(std::array{1})) static_cast<void>(s);
}
