// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <functional>
#include <map>
#include <stretto/bound/costs.hpp>
#include <string>

namespace stretto::bound::detail {

/// What tasks take for a batch, in nanoseconds, by name. The names of the costs themselves are of
/// no account.
using cost_times = std::map<std::string, task_cost, std::less<>>;

/// Up to here a double is a whole number of nanoseconds that fits.
inline constexpr double longest_cost = 4e18;

}  // namespace stretto::bound::detail
