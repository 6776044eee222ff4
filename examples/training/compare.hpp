// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include "work.hpp"

namespace training {

/// Trains on `batches` batches by a Stretto pipeline, and tests on `held_out`: with_stretto.cpp.
trained run_stretto(const dataset& data, const batch& held_out, std::size_t batches);

/// By the same pipeline, one task after the other.
trained run_serial(const dataset& data, const batch& held_out, std::size_t batches);

/// By hand-written threads: by_hand.cpp.
trained run_by_hand(const dataset& data, const batch& held_out, std::size_t batches);

}  // namespace training
