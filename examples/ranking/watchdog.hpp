// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cmath>
#include <cstdint>
#include <stdexcept>
#include <string>
#include "encoding.hpp"
#include "optimizer.hpp"

namespace ranking {

/// What a step of training tells the outside.
struct step_report {
  std::uint64_t batch = 0;
  float loss = 0.0F;
  float running_loss = 0.0F;  // a moving average over the last batches
  float gradient_norm = 0.0F;
  float samples = 0.0F;

  bool operator==(const step_report&) const = default;
};

/// Task 14: keeps the running loss, and stops a training that has gone wrong.
class watchdog_step {
 public:
  void operator()(const step_result& step, const batch_context& context, step_report& out) {
    if (!std::isfinite(step.loss) || !std::isfinite(step.gradient_norm))
      throw std::runtime_error("batch " + std::to_string(context.index) + ": the loss is " +
                               std::to_string(step.loss) + ", the norm of the gradient " +
                               std::to_string(step.gradient_norm) + "; training has diverged");
    constexpr float share = 0.02F;
    running_ = first_ ? step.loss : running_ + share * (step.loss - running_);
    first_ = false;
    out = {context.index, step.loss, running_, step.gradient_norm, step.samples};
  }

 private:
  float running_ = 0.0F;
  bool first_ = true;
};

}  // namespace ranking
