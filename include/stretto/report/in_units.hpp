// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <string>

namespace stretto::report::detail {

/// A time as people read it, in three digits or more.
inline std::string in_units(double nanoseconds) {
  struct unit {
    double nanoseconds;
    const char* name;
  };
  if (nanoseconds == 0) return "0";
  constexpr std::array<unit, 4> units{{{1e9, "s"}, {1e6, "ms"}, {1e3, "\xC2\xB5s"}, {1, "ns"}}};
  unit in = units.back();
  for (std::size_t u = units.size(); u-- > 0;)
    if (std::abs(nanoseconds) >= units[u].nanoseconds) in = units[u];
  const double value = nanoseconds / in.nanoseconds;
  const double size = std::abs(value);
  std::array<char, 64> text{};
  std::snprintf(text.data(), text.size(), "%.*f %s",
                size >= 99.95   ? 0
                : size >= 9.995 ? 1
                                : 2,
                value, in.name);
  return text.data();
}

}  // namespace stretto::report::detail
