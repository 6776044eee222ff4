// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "model.hpp"
#include <algorithm>
#include <cmath>
#include "random.hpp"

namespace ranking {
namespace {

void reserve(activations& out, std::size_t samples) {
  const Eigen::Index blocks = blocks_of(samples);
  out.input.reserve(blocks);
  out.hidden1.reserve(blocks);
  out.hidden2.reserve(blocks);
  out.logit.resize(samples);
}

/// Writes the input of one sample: its embeddings, one behind the other, then its numbers.
template <class Lookup>
void gather(const columns& batch, std::size_t sample, const Lookup& row_at, float* to) {
  for (std::size_t k = 0; k < key_count; ++k) {
    const embedding& from = row_at(sample, k);
    to = std::copy(from.begin(), from.end(), to);
  }
  for (const auto& numbers : batch.numbers) *to++ = numbers[sample];
}

/// The last layer has one output, so it is a plain sum.
float output(const network& weights, const float* hidden2) {
  const float* const weight = weights.weight3().data();
  float logit = weights.bias3();
  for (Eigen::Index h = 0; h < hidden2_size; ++h) logit += weight[h] * hidden2[h];
  return logit;
}

template <class Lookup>
void fill_block(const columns& batch, const Lookup& row_at, Eigen::Index block,
                sample_matrix<input_size>& input) {
  const Eigen::Index first = block * block_size;
  const Eigen::Index end = std::min(first + block_size, static_cast<Eigen::Index>(batch.rows));
  for (Eigen::Index i = first; i < end; ++i)
    gather(batch, static_cast<std::size_t>(i), row_at, input.sample(i));
  std::fill(input.sample(end), input.sample(first + block_size), 0.0F);
}

template <class Lookup>
void run_network(const columns& batch, const Lookup& row_at, const network& weights,
                 activations& out) {
  reserve(out, batch.rows);
  for (Eigen::Index block = 0; block < blocks_of(batch.rows); ++block) {
    fill_block(batch, row_at, block, out.input);
    auto hidden1 = out.hidden1.at(block);
    hidden1.noalias() = weights.weight1() * out.input.at(block);
    hidden1 = (hidden1.colwise() + weights.bias1()).cwiseMax(0.0F);
    auto hidden2 = out.hidden2.at(block);
    hidden2.noalias() = weights.weight2() * hidden1;
    hidden2 = (hidden2.colwise() + weights.bias2()).cwiseMax(0.0F);
  }
  for (std::size_t i = 0; i < batch.rows; ++i)
    out.logit[i] = output(weights, out.hidden2.sample(static_cast<Eigen::Index>(i)));
}

/// Logistic loss and its derivative, written so that no exponential overflows.
void measure(const columns& batch, const activations& out, losses& loss) {
  loss.loss.resize(batch.rows);
  loss.slope.resize(batch.rows);
  for (std::size_t i = 0; i < batch.rows; ++i) {
    const float logit = out.logit[i];
    const float small = std::exp(-std::abs(logit));
    const float chance = (logit >= 0.0F ? 1.0F : small) / (1.0F + small);
    const float value = std::max(logit, 0.0F) - logit * batch.late[i] + std::log1p(small);
    loss.loss[i] = batch.weight[i] * value;
    loss.slope[i] = batch.weight[i] * (chance - batch.late[i]);
  }
}

using hidden1_block = Eigen::Matrix<float, hidden1_size, block_size>;
using hidden2_block = Eigen::Matrix<float, hidden2_size, block_size>;

/// The way back through the last layer, for one block.
void output_backward(const activations& forward, const losses& loss, float scale,
                     const network& weights, network& gradients, Eigen::Index block,
                     hidden2_block& by_hidden2) {
  const float* const weight = weights.weight3().data();
  float* const gradient = gradients.weight3().data();
  const Eigen::Index first = block * block_size;
  const Eigen::Index end =
      std::min(first + block_size, static_cast<Eigen::Index>(loss.slope.size()));
  by_hidden2.setZero();  // for the padding
  for (Eigen::Index i = first; i < end; ++i) {
    const float slope = scale * loss.slope[static_cast<std::size_t>(i)];
    const float* const in = forward.hidden2.sample(i);
    float* const out = by_hidden2.data() + (i - first) * hidden2_size;
    for (Eigen::Index h = 0; h < hidden2_size; ++h) {
      gradient[h] += slope * in[h];
      out[h] = in[h] > 0.0F ? slope * weight[h] : 0.0F;
    }
    gradients.bias3() += slope;
  }
}

/// The way back through the last two layers, for one block.
template <class Block>
void hidden_backward(const activations& forward, const losses& loss, float scale,
                     const network& weights, network& gradients, Eigen::Index block,
                     Block& by_hidden1) {
  const auto hidden1 = forward.hidden1.at(block);
  hidden2_block by_hidden2;
  output_backward(forward, loss, scale, weights, gradients, block, by_hidden2);
  gradients.weight2().noalias() += by_hidden2 * hidden1.transpose();
  gradients.bias2() += by_hidden2.rowwise().sum();
  by_hidden1.noalias() = weights.weight2().transpose() * by_hidden2;
  by_hidden1 = (hidden1.array() > 0.0F).select(by_hidden1, 0.0F);
}

template <class Block>
void weights_backward(const activations& forward, Eigen::Index block, const Block& by_hidden1,
                      network& gradients) {
  gradients.weight1().noalias() += by_hidden1 * forward.input.at(block).transpose();
  gradients.bias1() += by_hidden1.rowwise().sum();
}

template <class Block>
void inputs_backward(const network& weights, Eigen::Index block, const Block& by_hidden1,
                     input_gradients& out) {
  out.by_embedding.at(block).noalias() =
      weights.weight1().leftCols<embedded_size>().transpose() * by_hidden1;
}

float scale_of(const sample_count& count) { return 1.0F / std::max(count.weight, 1.0F); }

loss_sum sum_of(const losses& loss) {
  loss_sum sum;
  for (const float value : loss.loss) sum.sum += static_cast<double>(value);
  return sum;
}

}  // namespace

void network::draw_weights(std::uint64_t seed) {
  random_numbers draw{seed};
  const auto fill = [&](auto weight) {
    const float spread = std::sqrt(6.0F / static_cast<float>(weight.cols()));
    for (Eigen::Index i = 0; i < weight.size(); ++i) weight.data()[i] = spread * draw.symmetric();
  };
  fill(weight1());
  fill(weight2());
  fill(weight3());
}

void zero_grad(network& gradients) { gradients.values.setZero(); }

void global_tokens_allreduce(const columns& decoded, sample_count& out) {
  out.weight = 0.0F;
  for (const float weight : decoded.weight) out.weight += weight;
}

void forward(const columns& batch, const unique_rows& rows, const cached_rows& cached,
             const row_cache& cache, const network& weights, activations& out, losses& loss) {
  const auto row_at = [&](std::size_t sample, std::size_t k) -> const embedding& {
    return cache[cached.line[rows.index_at[sample * key_count + k]]].weight;
  };
  run_network(batch, row_at, weights, out);
  measure(batch, out, loss);
}

void forward(const columns& batch, const unique_rows& rows, std::span<const embedding> embeddings,
             const network& weights, activations& out, losses& loss) {
  const auto row_at = [&](std::size_t sample, std::size_t k) -> const embedding& {
    return embeddings[rows.index_at[sample * key_count + k]];
  };
  run_network(batch, row_at, weights, out);
  measure(batch, out, loss);
}

void backward(const activations& forward, const losses& loss, const sample_count& count,
              const network& weights, network& gradients, input_gradients& out, loss_sum& sum) {
  const Eigen::Index blocks = blocks_of(loss.slope.size());
  out.by_embedding.reserve(blocks);
  hidden1_block by_hidden1;
  for (Eigen::Index block = 0; block < blocks; ++block) {
    hidden_backward(forward, loss, scale_of(count), weights, gradients, block, by_hidden1);
    weights_backward(forward, block, by_hidden1, gradients);
    inputs_backward(weights, block, by_hidden1, out);
  }
  sum = sum_of(loss);
}

void backward_hidden(const activations& forward, const losses& loss, const sample_count& count,
                     const network& weights, network& gradients, hidden_gradients& out,
                     loss_sum& sum) {
  const Eigen::Index blocks = blocks_of(loss.slope.size());
  out.by_hidden1.reserve(blocks);
  for (Eigen::Index block = 0; block < blocks; ++block) {
    auto by_hidden1 = out.by_hidden1.at(block);
    hidden_backward(forward, loss, scale_of(count), weights, gradients, block, by_hidden1);
  }
  sum = sum_of(loss);
}

void backward_weights(const activations& forward, const losses& loss,
                      const hidden_gradients& hidden, network& gradients) {
  for (Eigen::Index block = 0; block < blocks_of(loss.slope.size()); ++block)
    weights_backward(forward, block, hidden.by_hidden1.at(block), gradients);
}

void backward_inputs(const losses& loss, const hidden_gradients& hidden, const network& weights,
                     input_gradients& out) {
  const Eigen::Index blocks = blocks_of(loss.slope.size());
  out.by_embedding.reserve(blocks);
  for (Eigen::Index block = 0; block < blocks; ++block)
    inputs_backward(weights, block, hidden.by_hidden1.at(block), out);
}

void predict(const columns& batch, const embedding_table& table, const network& weights,
             activations& out) {
  const auto row_at = [&](std::size_t sample, std::size_t k) -> const embedding& {
    return table[batch.keys[k][sample]].weight;
  };
  run_network(batch, row_at, weights, out);
}

}  // namespace ranking
