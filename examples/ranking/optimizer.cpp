// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "optimizer.hpp"
#include <algorithm>
#include <cmath>

namespace ranking {
namespace {

constexpr float tiny = 1e-8F;

float norm(const network& gradients, const std::vector<embedding>& by_row) {
  float sum = 0.0F;
  const float* const dense = gradients.values.data();
  for (Eigen::Index i = 0; i < gradients.values.size(); ++i) sum += dense[i] * dense[i];
  embedding squares{};
  for (const embedding& row : by_row)
    for (std::size_t d = 0; d < embedding_size; ++d) squares[d] += row[d] * row[d];
  for (const float square : squares) sum += square;
  return std::sqrt(sum);
}

/// Of the learning rates, when they fall in a straight line; the cut is for a source that goes on.
float share_left(const learning& how, const batch_context& context) {
  if (how.batches == 0) return 1.0F;
  const float done = static_cast<float>(context.index) / static_cast<float>(how.batches);
  return std::max(1.0F - done, 0.0F);
}

void adagrad(float rate, float gradient, float& square, float& weight) {
  square += gradient * gradient;
  weight -= rate * gradient / (std::sqrt(square) + tiny);
}

}  // namespace

void add_up(const unique_rows& rows, const input_gradients& by_input,
            std::vector<embedding>& by_row) {
  by_row.reserve(rows.key.capacity());  // once: how many rows a batch touches varies
  by_row.assign(rows.key.size(), embedding{});
  const float* from = by_input.by_embedding.sample(0);
  for (const std::uint32_t index : rows.index_at) {
    embedding& to = by_row[index];
    for (std::size_t d = 0; d < embedding_size; ++d) to[d] += from[d];
    from += embedding_size;
  }
}

void clip(const learning& how, network& gradients, row_gradients& out) {
  if (out.norm <= how.longest_gradient) return;
  const float scale = how.longest_gradient / out.norm;
  gradients.values *= scale;
  for (embedding& row : out.by_row)
    for (float& value : row) value *= scale;
}

void finalize_model_grads(const learning& how, const unique_rows& rows,
                          const input_gradients& by_input, network& gradients, row_gradients& out) {
  add_up(rows, by_input, out.by_row);
  out.norm = norm(gradients, out.by_row);
  clip(how, gradients, out);
}

void optimizer_step(const learning& how, const batch_context& context, const cached_rows& cached,
                    const row_gradients& by_row, const network& gradients, const loss_sum& loss,
                    const sample_count& count, network& weights, network& squares, row_cache& cache,
                    step_result& out) {
  const float left = share_left(how, context);
  const float* const gradient = gradients.values.data();
  float* const square = squares.values.data();
  float* const weight = weights.values.data();
  for (Eigen::Index i = 0; i < weights.values.size(); ++i)
    adagrad(left * how.network_rate, gradient[i], square[i], weight[i]);
  for (std::size_t u = 0; u < cached.line.size(); ++u) {
    embedding_row& row = cache[cached.line[u]];
    for (std::size_t d = 0; d < embedding_size; ++d)
      adagrad(left * how.embedding_rate, by_row.by_row[u][d] + how.embedding_decay * row.weight[d],
              row.squares[d], row.weight[d]);
  }
  cache.release(cached);
  const float samples = std::max(count.weight, 1.0F);
  out = {static_cast<float>(loss.sum / static_cast<double>(samples)), by_row.norm, count.weight};
}

}  // namespace ranking
