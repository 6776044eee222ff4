// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

namespace stretto::advising::detail {

/// Whether a / b < c / d, exactly, however large they are: by Euclid's algorithm, which compares
/// quotients and goes on with what is left. The divisors are more than 0.
constexpr bool is_less(unsigned long long a, unsigned long long b, unsigned long long c,
                       unsigned long long d) {
  while (a / b == c / d) {
    const unsigned long long left = a % b;
    const unsigned long long other = c % d;
    if (left == 0 || other == 0) return left == 0 && other != 0;
    a = d;  // left / b < other / d where d / other < b / left
    c = b;
    b = other;
    d = left;
  }
  return a / b < c / d;
}

}  // namespace stretto::advising::detail
