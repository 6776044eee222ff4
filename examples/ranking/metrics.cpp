// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "metrics.hpp"
#include <algorithm>
#include <cmath>
#include <cstddef>

namespace ranking {

double area_under_curve(std::span<prediction> predictions) {
  std::ranges::sort(predictions, {}, &prediction::logit);
  double won = 0.0;
  double late = 0.0;
  double on_time = 0.0;
  for (std::size_t first = 0; first < predictions.size();) {
    double late_here = 0.0;
    std::size_t end = first;
    for (; end < predictions.size() && predictions[end].logit == predictions[first].logit; ++end)
      late_here += predictions[end].late ? 1.0 : 0.0;
    const double on_time_here = static_cast<double>(end - first) - late_here;
    won += late_here * (on_time + on_time_here / 2.0);
    late += late_here;
    on_time += on_time_here;
    first = end;
  }
  return late > 0.0 && on_time > 0.0 ? won / (late * on_time) : 0.5;
}

double log_loss(std::span<const prediction> predictions) {
  double sum = 0.0;
  for (const auto& [logit, late] : predictions) {
    const auto z = static_cast<double>(logit);
    sum += std::max(z, 0.0) - (late ? z : 0.0) + std::log1p(std::exp(-std::abs(z)));
  }
  return predictions.empty() ? 0.0 : sum / static_cast<double>(predictions.size());
}

}  // namespace ranking
