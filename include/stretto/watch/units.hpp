// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdio>
#include <string>

namespace stretto::watch::detail {

/// A number to three digits with a unit.
inline std::string in_units(std::chrono::duration<double> time) {
  struct unit {
    double least;
    double scale;
    const char* name;
  };
  constexpr std::array<unit, 3> units{{{1, 1, "s"}, {1e-3, 1e3, "ms"}, {1e-6, 1e6, "us"}}};
  unit in{0, 1e9, "ns"};
  for (std::size_t u = units.size(); u-- > 0;)
    if (time.count() >= units[u].least) in = units[u];
  const double value = time.count() * in.scale;
  std::array<char, 48> text{};
  std::snprintf(text.data(), text.size(), "%.*f %s",
                value >= 99.95   ? 0
                : value >= 9.995 ? 1
                                 : 2,
                value, in.name);
  return text.data();
}

}  // namespace stretto::watch::detail
