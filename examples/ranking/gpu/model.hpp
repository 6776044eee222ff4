// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cublas_v2.h>
#include <cuda_runtime_api.h>
#include <cstddef>
#include <cstdint>
#include <memory>
#include "../embedding.hpp"
#include "../model.hpp"
#include "kernels.hpp"
#include "packed.hpp"

/// The step of training on a device: products of matrices by cuBLAS, the rest by kernels.
namespace ranking::gpu {

/// Throws `std::runtime_error` naming \p what unless a call of the CUDA runtime succeeded.
void check(cudaError_t status, const char* what);

/// Device memory of a model's; unlike slots, it outlives the pipelines.
class device_floats {
 public:
  device_floats() = default;
  explicit device_floats(std::size_t count);
  device_floats(const float* from, std::size_t count);

  float* get() const { return memory_.get(); }
  std::size_t size() const { return size_; }

 private:
  struct give_back {
    void operator()(float* memory) const { cudaFree(memory); }
  };
  std::unique_ptr<float[], give_back> memory_;
  std::size_t size_ = 0;
};

/// A network's numbers on the device, laid out as `network` lays them out.
class device_network {
 public:
  explicit device_network(const network& from);

  static constexpr std::size_t size =
      hidden1 * inputs + hidden2 * hidden1 + hidden1 + 2 * hidden2 + 1;
  float* values() const { return memory_.get(); }
  float* weight1() const { return values(); }
  float* weight2() const { return weight1() + hidden1 * inputs; }
  float* bias1() const { return weight2() + hidden2 * hidden1; }
  float* bias2() const { return bias1() + hidden1; }
  float* weight3() const { return bias2() + hidden2; }
  float* bias3() const { return weight3() + hidden2; }

 private:
  device_floats memory_;
};

/// Products of matrices on one stream, always computed the same way: memory of its own, no atomics.
class products {
 public:
  explicit products(cudaStream_t s);
  products(const products&) = delete;
  products& operator=(const products&) = delete;
  ~products();

  /// c = a · b, of m × k and k × n numbers, by columns; either transposed if said so.
  void multiply(bool a_transposed, bool b_transposed, std::size_t m, std::size_t n, std::size_t k,
                const float* a, const float* b, float* c) const;
  /// y = a · x, of m × n numbers.
  void multiply(std::size_t m, std::size_t n, const float* a, const float* x, float* y) const;

 private:
  cublasHandle_t handle_ = nullptr;
  device_floats workspace_;
};

/// What training changes.
struct model {
  model(const embedding_table& table, const network& first_weights);

  device_floats table;
  device_network weights;
  device_network gradients;
  device_network squares;
  device_floats ones;  // to add up columns with
};

/// What forward leaves for backward, for the samples of a batch.
template <class Float>
struct activations_in {
  Float* input;
  Float* hidden1;
  Float* hidden2;
  Float* loss;
  Float* slope;

  static constexpr std::size_t floats(std::size_t samples) {
    return samples * (inputs + gpu::hidden1 + gpu::hidden2 + 2);
  }
  activations_in(Float* memory, std::size_t samples)
      : input(memory),
        hidden1(input + samples * inputs),
        hidden2(hidden1 + samples * gpu::hidden1),
        loss(hidden2 + samples * gpu::hidden2),
        slope(loss + samples) {}
};
using activations_view = activations_in<float>;
using const_activations_view = activations_in<const float>;

/// What backward needs room for; `by_input` is the derivatives by the embeddings.
struct gradients_view {
  float* by_input;
  float* by_hidden2;
  float* by_hidden1;

  static constexpr std::size_t floats(std::size_t samples) {
    return samples * (embedded + gpu::hidden2 + gpu::hidden1);
  }
  gradients_view(float* memory, std::size_t samples)
      : by_input(memory),
        by_hidden2(by_input + samples * embedded),
        by_hidden1(by_hidden2 + samples * gpu::hidden2) {}
};

/// \p by is of the stream.
void forward(const model& m, const products& by, const std::uint32_t* batch, activations_view out,
             cudaStream_t s);
void backward(const model& m, const products& by, const const_activations_view& in,
              gradients_view out, cudaStream_t s);
/// Adds up the gradients of each row, \p by_row, and concludes; \p loss is of each sample.
void finalize(const model& m, const std::uint32_t* batch, const float* loss, const float* by_input,
              float longest, float* by_row, outcome* out, cudaStream_t s);
void optimize(const model& m, const std::uint32_t* batch, const float* by_row, float decay,
              const outcome* how, cudaStream_t s);

}  // namespace ranking::gpu
