// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <span>

namespace ranking {

struct prediction {
  float logit;
  bool late;
};

/// The chance that a late flight is ranked above one on time, exactly: by ranks, ties count half.
/// 0.5 if one of the two kinds is missing. Sorts the predictions.
double area_under_curve(std::span<prediction> predictions);

/// The mean of the logistic loss.
double log_loss(std::span<const prediction> predictions);

}  // namespace ranking
