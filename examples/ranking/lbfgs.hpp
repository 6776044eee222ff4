// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cmath>
#include <cstddef>
#include <deque>
#include <Eigen/Core>
#include <utility>
#include <vector>

namespace ranking {

struct minimum {
  double value = 0.0;
  std::size_t iterations = 0;
};

/// Minimises a smooth convex function by L-BFGS. `function(x, gradient)` returns the value at x.
template <class Function>
minimum minimise(const Function& function, Eigen::VectorXd& x, std::size_t most_iterations,
                 double tolerance) {
  struct pair {
    Eigen::VectorXd step, change;
    double curvature;
  };
  constexpr std::size_t memory = 10;
  std::deque<pair> pairs;
  Eigen::VectorXd gradient(x.size());
  Eigen::VectorXd next_gradient(x.size());
  double value = function(x, gradient);

  const auto direction = [&] {
    Eigen::VectorXd d = -gradient;
    std::vector<double> weight(pairs.size());
    for (std::size_t i = pairs.size(); i-- > 0;) {
      weight[i] = pairs[i].step.dot(d) / pairs[i].curvature;
      d -= weight[i] * pairs[i].change;
    }
    if (!pairs.empty()) d *= pairs.back().curvature / pairs.back().change.squaredNorm();
    for (std::size_t i = 0; i < pairs.size(); ++i)
      d += (weight[i] - pairs[i].change.dot(d) / pairs[i].curvature) * pairs[i].step;
    return d;
  };

  for (std::size_t iteration = 1; iteration <= most_iterations; ++iteration) {
    const Eigen::VectorXd d = direction();
    const double slope = gradient.dot(d);
    if (slope >= 0.0) return {value, iteration};
    double length = pairs.empty() ? 1.0 / gradient.norm() : 1.0;
    Eigen::VectorXd next = x + length * d;
    double next_value = function(next, next_gradient);
    for (int tries = 0; next_value > value + 1e-4 * length * slope; ++tries) {
      if (tries == 30) return {value, iteration};
      length /= 2.0;
      next = x + length * d;
      next_value = function(next, next_gradient);
    }
    pair taken{next - x, next_gradient - gradient, 0.0};
    taken.curvature = taken.step.dot(taken.change);
    if (taken.curvature > 0.0) pairs.push_back(std::move(taken));
    if (pairs.size() > memory) pairs.pop_front();
    const double gain = value - next_value;
    x = next;
    value = next_value;
    gradient = next_gradient;
    if (gain < tolerance * std::abs(value)) return {value, iteration};
  }
  return {value, most_iterations};
}

}  // namespace ranking
