// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <array>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <string>

namespace stretto::text {

/// A time as people read it: three digits and a unit, or 0. \p micro: what stands for microseconds.
inline std::string in_units(std::chrono::duration<double, std::nano> time,
                            const char* micro = "us") {
  struct unit {
    double nanoseconds;
    const char* name;
  };
  if (time.count() == 0) return "0";
  const std::array<unit, 3> units{{{1e9, "s"}, {1e6, "ms"}, {1e3, micro}}};
  unit in{1, "ns"};
  // What would be rounded to 1000 of a unit is 1 of the next.
  for (std::size_t u = units.size(); u-- > 0;)
    if (std::abs(time.count()) >= 0.9995 * units[u].nanoseconds) in = units[u];
  const double value = time.count() / in.nanoseconds;
  const double size = std::abs(value);
  std::array<char, 64> text{};
  std::snprintf(text.data(), text.size(), "%.*f %s",
                size >= 99.95   ? 0
                : size >= 9.995 ? 1
                                : 2,
                value, in.name);
  for (char& c : text)
    if (c == ',') c = '.';  // as some locales write it
  return text.data();
}

}  // namespace stretto::text
