// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "baseline.hpp"
#include <algorithm>
#include <array>
#include <cmath>
#include "lbfgs.hpp"
#include "metrics.hpp"

namespace ranking {
namespace {

/// A flight as the regression sees it: the weights it adds up, and the numbers it multiplies.
struct sample {
  std::array<std::uint32_t, key_count> keys;
  std::array<float, number_count> numbers;
  bool late;
};

std::vector<sample> samples_of(const flight_file& file, std::span<const std::uint32_t> rows,
                               const vocabulary& words) {
  columns all;
  batch_context context;
  h2d(words, {0, &file, rows}, all, context);
  std::vector<sample> samples;
  for (std::size_t i = 0; i < all.rows; ++i) {
    if (all.weight[i] == 0.0F) continue;
    sample& s = samples.emplace_back();
    for (std::size_t k = 0; k < key_count; ++k) s.keys[k] = all.keys[k][i];
    for (std::size_t n = 0; n < number_count; ++n) s.numbers[n] = all.numbers[n][i];
    s.late = all.late[i] > 0.0F;
  }
  return samples;
}

/// Weights: one for each row of the table, then one for each number, then the bias.
class regression {
 public:
  regression(const std::vector<sample>& samples, Eigen::Index table_rows, double penalty)
      : samples_(samples), numbers_(table_rows), penalty_(penalty) {}

  Eigen::Index size() const { return bias() + 1; }

  double logit(const Eigen::VectorXd& weights, const sample& s) const {
    double sum = weights[bias()];
    for (const std::uint32_t key : s.keys) sum += weights[key];
    for (std::size_t n = 0; n < number_count; ++n)
      sum += weights[numbers_ + static_cast<Eigen::Index>(n)] * static_cast<double>(s.numbers[n]);
    return sum;
  }

  double operator()(const Eigen::VectorXd& weights, Eigen::VectorXd& gradient) const {
    gradient.setZero();
    double loss = 0.0;
    for (const sample& s : samples_) {
      const double z = logit(weights, s);
      const double small = std::exp(-std::abs(z));
      loss += std::max(z, 0.0) - (s.late ? z : 0.0) + std::log1p(small);
      add(s, (z >= 0.0 ? 1.0 : small) / (1.0 + small) - (s.late ? 1.0 : 0.0), gradient);
    }
    const auto count = static_cast<double>(samples_.size());
    const auto penalised = weights.head(bias());
    gradient /= count;
    gradient.head(bias()) += penalty_ * penalised;
    return loss / count + penalty_ / 2.0 * penalised.squaredNorm();
  }

 private:
  Eigen::Index bias() const { return numbers_ + static_cast<Eigen::Index>(number_count); }

  void add(const sample& s, double slope, Eigen::VectorXd& gradient) const {
    gradient[bias()] += slope;
    for (const std::uint32_t key : s.keys) gradient[key] += slope;
    for (std::size_t n = 0; n < number_count; ++n)
      gradient[numbers_ + static_cast<Eigen::Index>(n)] +=
          slope * static_cast<double>(s.numbers[n]);
  }

  const std::vector<sample>& samples_;
  Eigen::Index numbers_;
  double penalty_;
};

quality measure(const regression& model, const Eigen::VectorXd& weights,
                const std::vector<sample>& samples) {
  std::vector<prediction> predictions;
  predictions.reserve(samples.size());
  for (const sample& s : samples)
    predictions.push_back({static_cast<float>(model.logit(weights, s)), s.late});
  const double auc = area_under_curve(predictions);
  return {auc, log_loss(predictions), predictions.size()};
}

}  // namespace

std::vector<baseline_result> logistic_regression(
    const flight_file& file, std::span<const std::uint32_t> training,
    std::span<const std::uint32_t> held_out, const vocabulary& words,
    std::span<const double> penalties, const std::function<void(const baseline_result&)>& report) {
  const std::vector<sample> samples = samples_of(file, training, words);
  const std::vector<sample> unseen = samples_of(file, held_out, words);
  std::vector<baseline_result> results;
  Eigen::VectorXd weights;
  for (const double penalty : penalties) {
    const regression model{samples, static_cast<Eigen::Index>(words.table_rows()), penalty};
    if (weights.size() == 0) weights = Eigen::VectorXd::Zero(model.size());
    const minimum found = minimise(model, weights, 300, 1e-7);  // starts where the last one ended
    results.push_back({penalty, found.value, found.iterations, measure(model, weights, unseen)});
    report(results.back());
  }
  return results;
}

}  // namespace ranking
