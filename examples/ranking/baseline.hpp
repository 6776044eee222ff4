// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>
#include "encoding.hpp"
#include "evaluate.hpp"
#include "flights.hpp"

namespace ranking {

/// What a logistic regression reaches on the same features: every key one-hot, every number as it
/// is. The loss is convex, so it is minimised to convergence (L-BFGS) and nothing depends on a
/// learning rate; only the weight of the L2 penalty is left to tune.
struct baseline_result {
  double penalty = 0.0;
  double training_loss = 0.0;
  std::size_t iterations = 0;
  quality held_out;
};

/// One result for each penalty, which is per training sample. `report` sees each as it is ready.
std::vector<baseline_result> logistic_regression(
    const flight_file& file, std::span<const std::uint32_t> training,
    std::span<const std::uint32_t> held_out, const vocabulary& words,
    std::span<const double> penalties,
    const std::function<void(const baseline_result&)>& report = [](const auto&) {});

}  // namespace ranking
