// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # A generic callable that takes what it is to write by value
//
// expect-error: the callable takes by value or as const what it is to write: take it as T&
// expect-lines: 30
#include <stretto/dynamic.hpp>

namespace dynamic = stretto::dynamic;

dynamic::body twice() {
#ifdef FIXED
  return dynamic::body::with<const int&, int&>([](auto in, auto& out) { out = 2 * in; });
#else
  return dynamic::body::with<const int&, int&>([](auto in, auto out) { out = 2 * in; });
#endif
}
