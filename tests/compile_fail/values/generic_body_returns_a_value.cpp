// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # A generic callable that returns what belongs in a slot
//
// expect-error: the callable returns a value, which nobody takes: write it to a slot, or return nothing
// expect-lines: 30
#include <stretto/dynamic.hpp>

namespace dynamic = stretto::dynamic;

dynamic::body twice() {
#ifdef FIXED
  return dynamic::body::with<const int&, int&>([](auto in, auto& out) { out = 2 * in; });
#else
  return dynamic::body::with<const int&>([](auto in) { return 2 * in; });
#endif
}
