// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Types that schedule files name.
struct RawBatch {};
struct Batch {};

namespace ranking {
struct activations {};
struct batch_context {};
struct cached_rows {};
struct columns {};
struct input_gradients {};
struct loss_sum {};
struct losses {};
struct permutation {};
struct raw_batch {};
struct row_gradients {};
struct sample_count {};
struct sharded_keys {};
struct step_report {};
struct step_result {};
struct unique_rows {};
}  // namespace ranking
