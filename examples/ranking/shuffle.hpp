// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <array>
#include <cstdint>
#include <vector>
#include "encoding.hpp"

namespace ranking {

/// Row i of the shuffled batch is row `order[i]` of the decoded one.
struct permutation {
  std::vector<std::uint32_t> order;

  std::vector<std::uint32_t> drawn;  // scratch, kept for its memory
  std::vector<std::uint32_t> by_load;
};

/// Task 2: draws an order that depends on the batch's index only, then deals the rows by load, so
/// that every part of the batch (every rank's, were there several) stands for about the same work.
void start_shuffle(const columns& batch, const batch_context& context, permutation& out);

/// Task 3: puts all columns into that order.
void finish_shuffle(const columns& batch, const permutation& shuffle, columns& out);

/// Task 8: throws `std::logic_error` unless the batch holds exactly the rows that were decoded.
void nccl_safety_barrier(const columns& shuffled, const batch_context& context);

}  // namespace ranking
