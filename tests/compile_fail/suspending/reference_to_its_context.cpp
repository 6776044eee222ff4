// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # A coroutine that refers to its context
//
// expect-error: a task that is a coroutine takes its context by value
// expect-lines: 44
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
  st::suspendable operator()(st::task_context ctx, const int& in, int& out) {
    out = in + static_cast<int>(ctx.batch());
    co_return;
  }
#else
  st::suspendable operator()(const st::task_context& ctx, const int& in, int& out) {
    out = in + static_cast<int>(ctx.batch());
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
