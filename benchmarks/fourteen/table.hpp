// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <functional>
#include <vector>
#include "by_hand.hpp"

namespace benchmarks {

/// For scale: the same pipeline as a table that is filled at run time, a `std::function` per task,
/// on one thread.
template <class Pipeline>
class table {
 public:
  table() {
    using by_hand::batch;
    using p = Pipeline;
    add(0, [](batch& b) { typename p::h2d{}(b.batch_cpu, b.batch_gpu, b.torchrec_ctx); });
    add(0, [](batch& b) { typename p::start_shuffle{}(b.batch_gpu, b.shuffle_handle); });
    add(0, [](batch& b) {
      typename p::finish_shuffle{}(b.batch_gpu, b.shuffle_handle, b.shuffled_batch);
    });
    add(1, [](batch& b) { typename p::start_input_dist{}(b.shuffled_batch, b.torchrec_ctx); });
    add(1, [](batch&) { typename p::wait_input_dist{}(); });
    add(2, [](batch&) { typename p::zero_grad{}(); });
    add(2, [](batch& b) { typename p::global_tokens_allreduce{}(b.batch_gpu, b.global_tokens); });
    add(2, [](batch&) { typename p::nccl_safety_barrier{}(); });
    add(2, [](batch& b) {
      typename p::forward{}(b.batch_gpu, b.torchrec_ctx, b.shuffled_batch, b.losses, b.output);
    });
    add(1, [](batch&) { typename p::prefetch_embeddings{}(); });
    add(2, [](batch& b) { typename p::backward{}(b.losses, b.global_tokens, b.local_loss_sum); });
    add(2, [](batch&) { typename p::finalize_model_grads{}(); });
    add(2, [](batch& b) { typename p::optimizer_step{}(b.step_result); });
    add(2, [](batch&) { typename p::watchdog_step{}(); });
  }

  template <class Source, class Result>
  void run(Source&& source, Result&& result) {
    constexpr std::size_t in_flight = 3;
    by_hand::batch ring[in_flight];
    std::size_t pulled = 0;
    bool ended = false;
    for (std::size_t progress = 0;; ++progress) {
      if (!ended && source(ring[progress % in_flight].batch_cpu)) {
        ++pulled;
      } else {
        ended = true;
        if (progress >= pulled + in_flight - 1) return;
      }
      for (const row& r : rows_)
        if (progress >= r.lag && progress - r.lag < pulled)
          r.task(ring[(progress - r.lag) % in_flight]);
      if (progress >= in_flight - 1)
        result(ring[(progress - (in_flight - 1)) % in_flight].step_result);
    }
  }

 private:
  struct row {
    std::size_t lag;
    std::function<void(by_hand::batch&)> task;
  };
  void add(std::size_t lag, std::function<void(by_hand::batch&)> task) {
    rows_.push_back({lag, std::move(task)});
  }
  std::vector<row> rows_;
};

}  // namespace benchmarks
