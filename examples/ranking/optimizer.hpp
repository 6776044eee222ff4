// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <vector>
#include "embedding.hpp"
#include "model.hpp"

namespace ranking {

/// How to learn. The defaults were tuned on other days than the ones held out.
struct learning {
  float network_rate = 0.01F;
  float embedding_rate = 0.02F;
  float embedding_decay = 0.01F;  // L2, on the rows that a batch touches
  std::uint64_t batches = 0;      // over which both rates fall to zero
  float longest_gradient = 1.0F;
};

/// The gradient of every row that a batch touched: `by_row[u]` belongs to `unique_rows::key[u]`.
struct row_gradients {
  std::vector<embedding> by_row;
  float norm = 0.0F;  // of all gradients together, before clipping
};

struct step_result {
  float loss = 0.0F;  // mean over the batch
  float gradient_norm = 0.0F;
  float samples = 0.0F;

  bool operator==(const step_result&) const = default;
};

/// Adds up the gradients of each row, sample by sample.
void add_up(const unique_rows& rows, const input_gradients& by_input,
            std::vector<embedding>& by_row);

/// Shortens all gradients if they are too long, `out.norm` together.
void clip(const learning& how, network& gradients, row_gradients& out);

/// Task 12: adds up the gradients of each row, sample by sample, and clips all by their joint norm.
/// The order of the sums follows from the batch alone, never from where the cache keeps a row.
void finalize_model_grads(const learning& how, const unique_rows& rows,
                          const input_gradients& by_input, network& gradients, row_gradients& out);

/// Task 13: an Adagrad step of the network and of the rows in the cache, whose pins it takes away.
void optimizer_step(const learning& how, const batch_context& context, const cached_rows& cached,
                    const row_gradients& by_row, const network& gradients, const loss_sum& loss,
                    const sample_count& count, network& weights, network& squares, row_cache& cache,
                    step_result& out);

}  // namespace ranking
