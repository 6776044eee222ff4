// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "evaluate.hpp"
#include <algorithm>
#include <vector>
#include "metrics.hpp"

namespace ranking {

quality evaluate(const flight_file& file, std::span<const std::uint32_t> rows,
                 const vocabulary& words, const embedding_table& table, const network& weights) {
  constexpr std::size_t at_once = 4096;
  columns batch;
  batch_context context;
  activations out;
  std::vector<prediction> predictions;
  predictions.reserve(rows.size());
  for (std::size_t first = 0; first < rows.size(); first += at_once) {
    const auto part = rows.subspan(first, std::min(at_once, rows.size() - first));
    h2d(words, {0, &file, part}, batch, context);
    predict(batch, table, weights, out);
    for (std::size_t i = 0; i < batch.rows; ++i)
      if (batch.weight[i] > 0.0F) predictions.push_back({out.logit[i], batch.late[i] > 0.0F});
  }
  const double auc = area_under_curve(predictions);
  return {auc, log_loss(predictions), predictions.size()};
}

}  // namespace ranking
