// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # A body that is a coroutine and asks for its slots by name
//
// expect-error: the callable is a coroutine that asks for its slots by name
// expect-lines: 40
// expect-compilers: each, not nvcc
#include <stretto/dynamic.hpp>
#include <stretto/suspend.hpp>

namespace st = stretto;

st::dynamic::task look() {
  return {.name = "look",
          .reads = {"number"},
#ifdef FIXED
          .body = [](const int&) -> st::suspendable { co_return; }
#else
          .body = [](st::dynamic::slot_access&) -> st::suspendable { co_return; }
#endif
  };
}
