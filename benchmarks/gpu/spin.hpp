// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cuda_runtime_api.h>

namespace benchmarks {

/// Occupies a stream for a number of microseconds; 0: an empty kernel.
void spin(unsigned us, cudaStream_t s);

}  // namespace benchmarks
