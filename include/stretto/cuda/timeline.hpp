// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <stretto/cuda/driver.hpp>
#include <stretto/device/timeline.hpp>

namespace stretto::cuda {

/// `stretto::timeline` that also records when the device began and ended each task's work:
/// `pipeline<training, on_cuda, cuda::timeline>`.
using timeline = device::timeline<driver>;

}  // namespace stretto::cuda
