// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # Ranks add up fractions into whole numbers
//
// expect-error: all_reduce: `out` would lose a part of the numbers of `in`: let both hold one type
// expect-lines: 30
#include <stretto/local.hpp>
#include <stretto/stretto.hpp>
#include <vector>

namespace st = stretto;

#ifdef FIXED
using number = double;
#else
using number = int;
#endif

void sum(const st::local::in_context& ranks, const std::vector<double>& in,
         std::vector<number>& out) {
  ranks.all_reduce(in, out);
}
