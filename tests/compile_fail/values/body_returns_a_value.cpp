// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # A callable that returns what belongs in a slot
//
// expect-error: the callable returns a value, which nobody takes: write it to a slot, or return nothing
// expect-lines: 30
#include <stretto/dynamic.hpp>

namespace dynamic = stretto::dynamic;

dynamic::body twice() {
#ifdef FIXED
  return [](const int& in, int& out) { out = 2 * in; };
#else
  return [](const int& in) { return 2 * in; };
#endif
}
