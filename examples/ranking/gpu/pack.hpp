// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <span>
#include <vector>
#include "encoding.hpp"
#include "input_dist.hpp"
#include "optimizer.hpp"
#include "packed.hpp"

namespace ranking::gpu {

/// Lays a batch out as the device wants it.
class pack {
 public:
  explicit pack(layout l) : layout_(l) {}

  /// Throws `std::length_error` if the batch has more samples than the layout.
  void operator()(const learning& how, const columns& batch, const unique_rows& rows,
                  const batch_context& context, std::span<std::uint32_t> out);

 private:
  layout layout_;
  std::vector<std::uint32_t> next_;  // by row: where its next place goes
};

}  // namespace ranking::gpu
