// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <stretto/cuda.hpp>
#include <stretto/cuda/cublas.hpp>

cublasHandle_t given(stretto::cuda::handle<stretto::cuda::cublas> h) { return h; }
