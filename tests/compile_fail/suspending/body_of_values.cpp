// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # A coroutine as a body that is a value
//
// expect-error: the callable is a coroutine, which tasks of types may be
// expect-lines: 40
// expect-compilers: each, not nvcc
#include <stretto/dynamic.hpp>
#include <stretto/suspend.hpp>

namespace st = stretto;

st::dynamic::task look() {
  return {.name = "look",
          .reads = {"number"},
#ifdef FIXED
          .body = [](const int&) {}
#else
          .body = [](const int&) -> st::suspendable { co_return; }
#endif
  };
}
