// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # A body that is a coroutine and refers to its context
//
// expect-error: a task that is a coroutine takes its context by value
// expect-lines: 40
// expect-compilers: each, not nvcc
#include <stretto/dynamic.hpp>
#include <stretto/suspend.hpp>

namespace st = stretto;

st::dynamic::task look() {
  return {.name = "look",
          .reads = {"number"},
#ifdef FIXED
          .body = [](st::task_context, const int&) -> st::suspendable { co_return; }
#else
          .body = [](const st::task_context&, const int&) -> st::suspendable { co_return; }
#endif
  };
}
