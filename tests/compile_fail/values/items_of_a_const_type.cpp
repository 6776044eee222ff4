// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # A callable that takes items of a type that is const
//
// expect-error: a slot's type is default-constructible \(or made of a place on a device\), no const and no array
// expect-lines: 30
#include <stretto/dynamic.hpp>

namespace dynamic = stretto::dynamic;

dynamic::body first() {
#ifdef FIXED
  return [](dynamic::consumes<int> in, int& out) { out = in[0]; };
#else
  return [](dynamic::consumes<const int> in, int& out) { out = in[0]; };
#endif
}
