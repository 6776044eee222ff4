// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cuda_runtime_api.h>
#include <cstddef>
#include <cstdint>
#include "packed.hpp"

/// What the step does besides products of matrices. Matrices have a column for each sample. Every
/// sum is taken in an order that follows from the batch alone, so results are the same to the last
/// bit however the work is spread. A launch that fails is told by the CUDA runtime's last error.
namespace ranking::gpu {

/// What a step leaves behind.
struct outcome {
  float loss = 0.0F;    // mean over the batch
  float norm = 0.0F;    // of all gradients together, before clipping
  float weight = 0.0F;  // of all samples together
  float scale = 0.0F;   // what they are multiplied by, so that they are not longer than allowed
};

/// A table row: the embedding, then its optimizer state.
inline constexpr std::size_t row_size = 2 * width;

/// Each sample's input: its embeddings, one behind the other, then its numbers.
void gather(layout l, const std::uint32_t* batch, const float* table, float* input, cudaStream_t s);

/// hidden = max(hidden + bias, 0), for a layer of \p size.
void add_bias(std::size_t size, std::size_t samples, const float* bias, float* hidden,
              cudaStream_t s);

/// The last layer, whose one output is the logit, and the losses: `loss` and `slope`, its
/// derivative by the logit over the weight of the batch, for each sample.
void measure(layout l, const std::uint32_t* batch, const float* hidden, const float* weight,
             const float* bias, float* loss, float* slope, cudaStream_t s);

/// The way back through the last layer: by_hidden = slope * weight where hidden > 0, else 0; and
/// the gradient of the last bias.
void output_backward(std::size_t samples, const float* hidden, const float* weight,
                     const float* slope, float* by_hidden, float* by_bias, cudaStream_t s);

/// by_hidden = 0 where hidden is.
void mask(std::size_t count, const float* hidden, float* by_hidden, cudaStream_t s);

/// Adds up the gradients of each row that the batch touches, place by place.
void add_up_rows(layout l, const std::uint32_t* batch, const float* by_input, float* by_row,
                 cudaStream_t s);

/// The loss of the batch, the norm of all its gradients, and how to clip them.
void conclude(layout l, const std::uint32_t* batch, std::size_t weights, const float* gradients,
              const float* by_row, const float* loss, float longest, outcome* out, cudaStream_t s);

/// An Adagrad step of the network.
void step_network(const std::uint32_t* batch, std::size_t weights, const float* gradients,
                  const outcome* how, float* squares, float* values, cudaStream_t s);
/// An Adagrad step of the rows that the batch touches.
void step_rows(layout l, const std::uint32_t* batch, const float* by_row, float decay,
               const outcome* how, float* table, cudaStream_t s);

}  // namespace ranking::gpu
