// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels.hpp"

namespace ranking::gpu {
namespace {

constexpr unsigned block = 256;
constexpr float tiny = 1e-8F;

unsigned blocks_for(std::size_t threads) {
  return static_cast<unsigned>((threads + block - 1) / block);
}

/// The number of the calling thread among all.
__device__ std::size_t self() { return std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; }

__device__ const facts& facts_of(const std::uint32_t* batch) {
  return *reinterpret_cast<const facts*>(batch);
}
__device__ const float* floats(const std::uint32_t* words) {
  return reinterpret_cast<const float*>(words);
}

/// A sum over a block: the threads' parts added in pairs, always the same.
__device__ float block_sum(float part, float* shared) {
  shared[threadIdx.x] = part;
  __syncthreads();
  for (unsigned half = blockDim.x / 2; half > 0; half /= 2) {
    if (threadIdx.x < half) shared[threadIdx.x] += shared[threadIdx.x + half];
    __syncthreads();
  }
  const float sum = shared[0];
  __syncthreads();
  return sum;
}

__global__ void gather_kernel(layout l, const std::uint32_t* batch, const float* table,
                              float* input) {
  const std::size_t i = self();
  if (i >= l.samples * inputs) return;
  const std::size_t sample = i / inputs;
  const std::size_t at = i % inputs;
  if (at >= embedded) {
    input[i] = floats(batch + l.number)[sample * numbers + (at - embedded)];
    return;
  }
  const std::uint32_t index = batch[l.index_at + sample * features + at / width];
  const std::uint32_t key = batch[l.key + index];
  input[i] = table[std::size_t{key} * row_size + at % width];
}

__global__ void add_bias_kernel(std::size_t size, std::size_t count, const float* bias,
                                float* hidden) {
  const std::size_t i = self();
  if (i < count) hidden[i] = fmaxf(hidden[i] + bias[i % size], 0.0F);
}

__global__ void measure_kernel(layout l, const std::uint32_t* batch, const float* hidden,
                               const float* weight, const float* bias, float* loss, float* slope) {
  const std::size_t i = self();
  if (i >= l.samples) return;
  float logit = *bias;
  for (std::size_t h = 0; h < hidden2; ++h) logit += weight[h] * hidden[i * hidden2 + h];
  const float late = floats(batch + l.late)[i];
  const float own = floats(batch + l.weight)[i];
  const float small = expf(-fabsf(logit));
  const float chance = (logit >= 0.0F ? 1.0F : small) / (1.0F + small);
  loss[i] = own * (fmaxf(logit, 0.0F) - logit * late + log1pf(small));
  slope[i] = own * (chance - late) / fmaxf(facts_of(batch).weight, 1.0F);
}

__global__ void output_backward_kernel(std::size_t samples, const float* hidden,
                                       const float* weight, const float* slope, float* by_hidden) {
  const std::size_t i = self();
  if (i >= samples * hidden2) return;
  by_hidden[i] = hidden[i] > 0.0F ? slope[i / hidden2] * weight[i % hidden2] : 0.0F;
}

__global__ void sum_kernel(std::size_t count, const float* values, float* sum) {
  __shared__ float shared[block];
  float part = 0.0F;
  for (std::size_t i = threadIdx.x; i < count; i += blockDim.x) part += values[i];
  part = block_sum(part, shared);
  if (threadIdx.x == 0) *sum = part;
}

__global__ void mask_kernel(std::size_t count, const float* hidden, float* by_hidden) {
  const std::size_t i = self();
  if (i < count && !(hidden[i] > 0.0F)) by_hidden[i] = 0.0F;
}

__global__ void add_up_rows_kernel(layout l, const std::uint32_t* batch, const float* by_input,
                                   float* by_row) {
  const std::size_t i = self();
  const std::size_t row = i / width;
  if (row >= facts_of(batch).rows) return;
  const std::uint32_t* const start = batch + l.start;
  float sum = 0.0F;
  for (std::uint32_t p = start[row]; p < start[row + 1]; ++p)
    sum += by_input[std::size_t{batch[l.place + p]} * width + i % width];
  by_row[i] = sum;
}

__global__ void conclude_kernel(layout l, const std::uint32_t* batch, std::size_t weights,
                                const float* gradients, const float* by_row, const float* loss,
                                float longest, outcome* out) {
  __shared__ float shared[block];
  const facts& all = facts_of(batch);
  float losses = 0.0F;
  for (std::size_t i = threadIdx.x; i < l.samples; i += blockDim.x) losses += loss[i];
  losses = block_sum(losses, shared);
  float squares = 0.0F;
  for (std::size_t i = threadIdx.x; i < weights; i += blockDim.x)
    squares += gradients[i] * gradients[i];
  for (std::size_t i = threadIdx.x; i < all.rows * width; i += blockDim.x)
    squares += by_row[i] * by_row[i];
  squares = block_sum(squares, shared);
  if (threadIdx.x != 0) return;
  const float norm = sqrtf(squares);
  *out = {losses / fmaxf(all.weight, 1.0F), norm, all.weight,
          norm <= longest ? 1.0F : longest / norm};
}

__device__ void adagrad(float rate, float gradient, float& square, float& weight) {
  square += gradient * gradient;
  weight -= rate * gradient / (sqrtf(square) + tiny);
}

__global__ void step_network_kernel(const std::uint32_t* batch, std::size_t weights,
                                    const float* gradients, const outcome* how, float* squares,
                                    float* values) {
  const std::size_t i = self();
  if (i < weights)
    adagrad(facts_of(batch).network_rate, how->scale * gradients[i], squares[i], values[i]);
}

__global__ void step_rows_kernel(layout l, const std::uint32_t* batch, const float* by_row,
                                 float decay, const outcome* how, float* table) {
  const std::size_t i = self();
  const std::size_t row = i / width;
  if (row >= facts_of(batch).rows) return;
  float* const weight = table + std::size_t{batch[l.key + row]} * row_size + i % width;
  adagrad(facts_of(batch).embedding_rate, how->scale * by_row[i] + decay * *weight, weight[width],
          *weight);
}

}  // namespace

void gather(layout l, const std::uint32_t* batch, const float* table, float* input,
            cudaStream_t s) {
  gather_kernel<<<blocks_for(l.samples * inputs), block, 0, s>>>(l, batch, table, input);
}

void add_bias(std::size_t size, std::size_t samples, const float* bias, float* hidden,
              cudaStream_t s) {
  add_bias_kernel<<<blocks_for(size * samples), block, 0, s>>>(size, size * samples, bias, hidden);
}

void measure(layout l, const std::uint32_t* batch, const float* hidden, const float* weight,
             const float* bias, float* loss, float* slope, cudaStream_t s) {
  measure_kernel<<<blocks_for(l.samples), block, 0, s>>>(l, batch, hidden, weight, bias, loss,
                                                         slope);
}

void output_backward(std::size_t samples, const float* hidden, const float* weight,
                     const float* slope, float* by_hidden, float* by_bias, cudaStream_t s) {
  output_backward_kernel<<<blocks_for(samples * hidden2), block, 0, s>>>(samples, hidden, weight,
                                                                         slope, by_hidden);
  sum_kernel<<<1, block, 0, s>>>(samples, slope, by_bias);
}

void mask(std::size_t count, const float* hidden, float* by_hidden, cudaStream_t s) {
  mask_kernel<<<blocks_for(count), block, 0, s>>>(count, hidden, by_hidden);
}

void add_up_rows(layout l, const std::uint32_t* batch, const float* by_input, float* by_row,
                 cudaStream_t s) {
  add_up_rows_kernel<<<blocks_for(l.places * width), block, 0, s>>>(l, batch, by_input, by_row);
}

void conclude(layout l, const std::uint32_t* batch, std::size_t weights, const float* gradients,
              const float* by_row, const float* loss, float longest, outcome* out, cudaStream_t s) {
  conclude_kernel<<<1, block, 0, s>>>(l, batch, weights, gradients, by_row, loss, longest, out);
}

void step_network(const std::uint32_t* batch, std::size_t weights, const float* gradients,
                  const outcome* how, float* squares, float* values, cudaStream_t s) {
  step_network_kernel<<<blocks_for(weights), block, 0, s>>>(batch, weights, gradients, how, squares,
                                                            values);
}

void step_rows(layout l, const std::uint32_t* batch, const float* by_row, float decay,
               const outcome* how, float* table, cudaStream_t s) {
  step_rows_kernel<<<blocks_for(l.places * width), block, 0, s>>>(l, batch, by_row, decay, how,
                                                                  table);
}

}  // namespace ranking::gpu
