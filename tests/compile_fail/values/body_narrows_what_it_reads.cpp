// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # A callable that takes a number that it reads as a narrower one
//
// expect-error: the callable takes a number that it reads as one that cannot hold all its values
// expect-lines: 30
#include <stretto/dynamic.hpp>

namespace dynamic = stretto::dynamic;

dynamic::body twice() {
#ifdef FIXED
  return dynamic::body::with<const double&, int&>(
      [](double in, int& out) { out = 2 * static_cast<int>(in); });
#else
  return dynamic::body::with<const double&, int&>([](int in, int& out) { out = 2 * in; });
#endif
}
