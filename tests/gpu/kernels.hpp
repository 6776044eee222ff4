// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cuda_runtime_api.h>
#include <cstddef>

/// Kernels that take their time, so that what does not wait for them reads what was there before.
namespace kernels {

/// Long against the submission of a whole progress.
inline constexpr unsigned long_us = 500;

/// Occupies the stream for so long.
void spin(unsigned us, cudaStream_t s);
/// After a spin: out[i] = value.
void write(unsigned us, int value, int* out, std::size_t count, cudaStream_t s);
/// After a spin: out[i] = in[i] + addend.
void add(unsigned us, const int* in, int addend, int* out, std::size_t count, cudaStream_t s);
/// Writes where there is no memory.
void crash(cudaStream_t s);
/// A launch that is refused: more threads in a block than there can be.
void refused(cudaStream_t s);

}  // namespace kernels
