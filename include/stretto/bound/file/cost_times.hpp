// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <functional>
#include <map>
#include <string>

namespace stretto::bound::detail {

/// What tasks take for a batch, in nanoseconds, by name.
using cost_times = std::map<std::string, long long, std::less<>>;

/// Up to here a double is a whole number of nanoseconds that fits.
inline constexpr double longest_cost = 4e18;

}  // namespace stretto::bound::detail
