// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include "embedding.hpp"
#include "encoding.hpp"
#include "flights.hpp"
#include "model.hpp"

namespace ranking {

/// How well predictions do on rows with a known outcome.
struct quality {
  double auc = 0.5;
  double loss = 0.0;
  std::size_t samples = 0;
};

/// Runs the trained model over the rows. The cache must have been flushed to the table before.
quality evaluate(const flight_file& file, std::span<const std::uint32_t> rows,
                 const vocabulary& words, const embedding_table& table, const network& weights);

}  // namespace ranking
