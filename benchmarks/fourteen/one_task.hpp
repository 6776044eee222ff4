// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include "by_hand.hpp"

namespace benchmarks {

/// How many batches behind the newest each task works.
inline constexpr std::size_t lags[14] = {0, 0, 0, 1, 1, 2, 2, 2, 2, 1, 2, 2, 2, 2};

/// One task of the pipeline, by its number in the schedule, on one batch.
template <class Pipeline, std::size_t Task>
void one_task([[maybe_unused]] by_hand::batch& b) {
  using p = Pipeline;
  static_assert(Task < 14);
  if constexpr (Task == 0) typename p::h2d{}(b.batch_cpu, b.batch_gpu, b.torchrec_ctx);
  if constexpr (Task == 1) typename p::start_shuffle{}(b.batch_gpu, b.shuffle_handle);
  if constexpr (Task == 2)
    typename p::finish_shuffle{}(b.batch_gpu, b.shuffle_handle, b.shuffled_batch);
  if constexpr (Task == 3) typename p::start_input_dist{}(b.shuffled_batch, b.torchrec_ctx);
  if constexpr (Task == 4) typename p::wait_input_dist{}();
  if constexpr (Task == 5) typename p::zero_grad{}();
  if constexpr (Task == 6) typename p::global_tokens_allreduce{}(b.batch_gpu, b.global_tokens);
  if constexpr (Task == 7) typename p::nccl_safety_barrier{}();
  if constexpr (Task == 8)
    typename p::forward{}(b.batch_gpu, b.torchrec_ctx, b.shuffled_batch, b.losses, b.output);
  if constexpr (Task == 9) typename p::prefetch_embeddings{}();
  if constexpr (Task == 10) typename p::backward{}(b.losses, b.global_tokens, b.local_loss_sum);
  if constexpr (Task == 11) typename p::finalize_model_grads{}();
  if constexpr (Task == 12) typename p::optimizer_step{}(b.step_result);
  if constexpr (Task == 13) typename p::watchdog_step{}();
}

}  // namespace benchmarks
