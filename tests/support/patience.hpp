// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <chrono>

namespace tested {

/// How long a test waits for what has to come before it takes it for a hang. Far longer than other
/// programs keep the cores from it: where all is well nobody waits that long.
inline constexpr std::chrono::seconds patience{600};

}  // namespace tested
