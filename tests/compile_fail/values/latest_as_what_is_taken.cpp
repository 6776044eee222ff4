// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # A callable that takes what was written last as what it may move from
//
// expect-error: what an earlier batch left can only be read, and items are referred to: take `previous<T>`, `latest<T>`, `consumes<T>` and `produces<T>` by value
// expect-error-nvcc: what an earlier batch left can only be read, and items are referred to: take .previous<T>., .latest<T>., .consumes<T>. and .produces<T>. by value
// expect-lines: 30
#include <stretto/dynamic.hpp>

namespace dynamic = stretto::dynamic;

dynamic::body smooth() {
#ifdef FIXED
  return [](dynamic::latest<int> in, int& out) { out = in ? *in : 0; };
#else
  return [](dynamic::latest<int>&& in, int& out) { out = in ? *in : 0; };
#endif
}
