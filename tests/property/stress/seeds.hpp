// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <vector>
#include "subject.hpp"

namespace stress {

/// Of all translation units of schedules; generated.
std::vector<maker> all_makers();

}  // namespace stress
