// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <stretto/cuda/driver.hpp>
#include <stretto/cuda/pause.hpp>
#include <stretto/device/padding.hpp>

namespace stretto::cuda {

/// `stretto::padding` that pads kernels, too, by a kernel that waits behind a task's work:
/// `pipeline<training, on_cuda, cuda::padding>`.
using padding = device::padding<driver, pause>;

}  // namespace stretto::cuda
