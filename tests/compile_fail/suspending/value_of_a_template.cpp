// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # A body that is a coroutine by a template
//
// expect-error: the callable is a coroutine by a call operator that is overloaded or a template
// expect-lines: 40
// expect-compilers: each, not nvcc
#include <stretto/dynamic.hpp>
#include <stretto/suspend.hpp>

namespace st = stretto;

st::dynamic::task look() {
  return {
      .name = "look",
      .reads = {"number"},
#ifdef FIXED
      .body = st::dynamic::body::with<const int&>([](const int&) -> st::suspendable { co_return; })
#else
      .body = st::dynamic::body::with<const int&>([](const auto&) -> st::suspendable { co_return; })
#endif
  };
}
