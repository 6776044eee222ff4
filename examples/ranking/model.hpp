// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>
#include <Eigen/Core>
#include <span>
#include <vector>
#include "embedding.hpp"
#include "encoding.hpp"

namespace ranking {

inline constexpr Eigen::Index embedded_size = key_count * embedding_size;
inline constexpr Eigen::Index input_size = embedded_size + number_count;
inline constexpr Eigen::Index hidden1_size = 64;
inline constexpr Eigen::Index hidden2_size = 32;

/// Numbers for every weight and bias of the network (its weights, or their gradients), in one
/// vector that the optimizer can walk over, seen as the matrices of its layers.
class network {
 public:
  template <Eigen::Index Rows, Eigen::Index Columns>
  using view = Eigen::Map<Eigen::Matrix<float, Rows, Columns>>;
  template <Eigen::Index Rows, Eigen::Index Columns>
  using const_view = Eigen::Map<const Eigen::Matrix<float, Rows, Columns>>;

  network() : values(Eigen::VectorXf::Zero(size)) {}

  auto weight1() { return view<hidden1_size, input_size>(values.data()); }
  auto weight2() { return view<hidden2_size, hidden1_size>(values.data() + at_weight2); }
  auto weight3() { return view<1, hidden2_size>(values.data() + at_weight3); }
  auto bias1() { return view<hidden1_size, 1>(values.data() + at_bias1); }
  auto bias2() { return view<hidden2_size, 1>(values.data() + at_bias2); }
  float& bias3() { return values[at_bias3]; }

  auto weight1() const { return const_view<hidden1_size, input_size>(values.data()); }
  auto weight2() const {
    return const_view<hidden2_size, hidden1_size>(values.data() + at_weight2);
  }
  auto weight3() const { return const_view<1, hidden2_size>(values.data() + at_weight3); }
  auto bias1() const { return const_view<hidden1_size, 1>(values.data() + at_bias1); }
  auto bias2() const { return const_view<hidden2_size, 1>(values.data() + at_bias2); }
  float bias3() const { return values[at_bias3]; }

  void draw_weights(std::uint64_t seed);

  Eigen::VectorXf values;

 private:
  static constexpr Eigen::Index at_weight2 = hidden1_size * input_size;
  static constexpr Eigen::Index at_bias1 = at_weight2 + hidden2_size * hidden1_size;
  static constexpr Eigen::Index at_bias2 = at_bias1 + hidden1_size;
  static constexpr Eigen::Index at_weight3 = at_bias2 + hidden2_size;
  static constexpr Eigen::Index at_bias3 = at_weight3 + hidden2_size;
  static constexpr Eigen::Index size = at_bias3 + 1;
};

/// Samples that go through the network together: few enough to stay in the processor's cache. All
/// products have sizes known to the compiler, so Eigen takes no memory from the heap for them.
inline constexpr Eigen::Index block_size = 128;

/// A column of numbers for each sample, in whole blocks: the columns behind the last sample are
/// padding. Keeps its memory from batch to batch.
template <Eigen::Index Rows>
class sample_matrix {
 public:
  using block = Eigen::Map<Eigen::Matrix<float, Rows, block_size>, Eigen::AlignedMax>;
  using const_block = Eigen::Map<const Eigen::Matrix<float, Rows, block_size>, Eigen::AlignedMax>;

  void reserve(Eigen::Index blocks) {
    if (values_.cols() < blocks * block_size) values_.setZero(Rows, blocks * block_size);
  }
  float* sample(Eigen::Index i) { return values_.data() + i * Rows; }
  const float* sample(Eigen::Index i) const { return values_.data() + i * Rows; }
  block at(Eigen::Index i) { return block(sample(i * block_size)); }
  const_block at(Eigen::Index i) const { return const_block(sample(i * block_size)); }

 private:
  Eigen::Matrix<float, Rows, Eigen::Dynamic> values_;
};

constexpr Eigen::Index blocks_of(std::size_t samples) {
  return (static_cast<Eigen::Index>(samples) + block_size - 1) / block_size;
}

/// What forward leaves for backward.
struct activations {
  sample_matrix<input_size> input;
  sample_matrix<hidden1_size> hidden1;
  sample_matrix<hidden2_size> hidden2;
  std::vector<float> logit;
};

struct losses {
  std::vector<float> loss;   // of each sample, times its weight
  std::vector<float> slope;  // its derivative by the logit
};

struct sample_count {
  float weight = 0.0F;
};

struct loss_sum {
  double sum = 0.0;
};

/// Derivatives by the embeddings that entered the network.
struct input_gradients {
  sample_matrix<embedded_size> by_embedding;
};

/// Derivatives by what the first layer gave.
struct hidden_gradients {
  sample_matrix<hidden1_size> by_hidden1;
};

/// Task 6: the gradients of the network start from zero.
void zero_grad(network& gradients);

/// Task 7: how much all samples of the batch weigh together; the loss is a mean over that.
void global_tokens_allreduce(const columns& decoded, sample_count& out);

/// Task 9: gathers the embeddings from the cache, and computes logits and losses.
void forward(const columns& batch, const unique_rows& rows, const cached_rows& cached,
             const row_cache& cache, const network& weights, activations& out, losses& loss);

/// Computes logits and losses of embeddings that lie in a row: `embeddings[u]` belongs to
/// `unique_rows::key[u]`.
void forward(const columns& batch, const unique_rows& rows, std::span<const embedding> embeddings,
             const network& weights, activations& out, losses& loss);

/// Task 11: adds to the gradients of the network, and leaves those of its input.
void backward(const activations& forward, const losses& loss, const sample_count& count,
              const network& weights, network& gradients, input_gradients& out, loss_sum& sum);

/// Task 11 in three parts, of which the second and the third need nothing of each other. The way
/// back through the last two layers: adds to their gradients.
void backward_hidden(const activations& forward, const losses& loss, const sample_count& count,
                     const network& weights, network& gradients, hidden_gradients& out,
                     loss_sum& sum);
/// Adds to the gradients of the first layer.
void backward_weights(const activations& forward, const losses& loss,
                      const hidden_gradients& hidden, network& gradients);
/// Leaves the gradients of the input.
void backward_inputs(const losses& loss, const hidden_gradients& hidden, const network& weights,
                     input_gradients& out);

/// The logits of rows in no hurry, straight from the table.
void predict(const columns& batch, const embedding_table& table, const network& weights,
             activations& out);

}  // namespace ranking
