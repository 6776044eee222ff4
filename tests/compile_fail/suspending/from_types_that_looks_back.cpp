// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # A coroutine of types that looks back, as a value
//
// expect-error: a task that is a coroutine uses slots of its own batch only
// expect-lines: 60
// expect-compilers: each, not nvcc
#include <stretto/from_types.hpp>
#include <stretto/stretto.hpp>
#include <stretto/suspend.hpp>

namespace st = stretto;

struct number : st::slot<int> {};
struct square : st::slot<int> {};

struct multiply {
#ifdef FIXED
  st::suspendable operator()(st::in<number> in, st::out<square> out) {
    *out = *in;
    co_return;
  }
#else
  st::suspendable operator()(st::previous<number> in, st::out<square> out) {
    *out = in ? *in : 0;
    co_return;
  }
#endif
};
struct job : st::schedule<st::source<number>, st::result<square>, multiply> {};

void run() { static_cast<void>(st::dynamic::from_types<job>()); }
