// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include "work.hpp"

namespace camera {

/// Records `frames` frames by a Stretto pipeline: with_stretto.cpp.
outcome run_stretto(std::size_t frames);

/// Records them by hand-written threads: by_hand.cpp.
outcome run_by_hand(std::size_t frames);

}  // namespace camera
