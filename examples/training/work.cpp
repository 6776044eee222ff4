// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "work.hpp"
#include <algorithm>
#include <bit>
#include <cmath>
#include <stdexcept>
#include <string>

namespace training {
namespace {

/// Gives equal numbers with every standard library.
class random_numbers {
 public:
  explicit random_numbers(std::uint32_t seed) : state_(seed * 2654435761U + 1) {}
  float symmetric() {  // from -1 to 1
    state_ = state_ * 1664525U + 1013904223U;
    return static_cast<float>(static_cast<int>(state_ >> 8U) - (1 << 23)) * 0x1p-23F;
  }

 private:
  std::uint32_t state_;
};

std::uint32_t check_sum_of(const stored_picture& p) {
  std::uint32_t sum = static_cast<std::uint32_t>(p.label) + 1;
  for (const std::uint8_t pixel : p.pixels) sum = (sum ^ pixel) * 16777619U;
  return sum;
}

bool is_lit(std::size_t label, float x, float y, float size) {
  const float radius = std::sqrt(x * x + y * y);
  switch (label) {
    case 0: return std::abs(radius - size) < 1.5F;
    case 1: return radius < size;
    case 2:
      return std::max(std::abs(x), std::abs(y)) < size && std::min(std::abs(x), std::abs(y)) < 1.5F;
    default: return std::abs(x) < size && std::abs(y) < 1.5F;
  }
}

/// The picture between its pixels; outside, as at its edge.
float light_at(const stored_picture& p, float x, float y) {
  constexpr float last = side - 1.01F;
  x = std::clamp(x, 0.0F, last);
  y = std::clamp(y, 0.0F, last);
  const auto left = static_cast<std::size_t>(x);
  const auto top = static_cast<std::size_t>(y);
  const float right_share = x - static_cast<float>(left);
  const float lower_share = y - static_cast<float>(top);
  const auto pixel = [&](std::size_t i) { return static_cast<float>(p.pixels[i]); };
  const std::size_t i = top * side + left;
  const float upper = pixel(i) + right_share * (pixel(i + 1) - pixel(i));
  const float lower = pixel(i + side) + right_share * (pixel(i + side + 1) - pixel(i + side));
  return upper + lower_share * (lower - upper);
}

/// Turned and moved a little, each pixel the mean of four.
void vary(const stored_picture& p, random_numbers& random, float* out) {
  constexpr float middle = 0.5F * (side - 1);
  const float angle = 0.4F * random.symmetric();
  const float cosine = std::cos(angle);
  const float sine = std::sin(angle);
  const float move_x = middle + random.symmetric();
  const float move_y = middle + random.symmetric();
  for (std::size_t y = 0; y < side; ++y)
    for (std::size_t x = 0; x < side; ++x) {
      float sum = 0;
      for (const float dy : {-0.25F, 0.25F})
        for (const float dx : {-0.25F, 0.25F}) {
          const float from_x = static_cast<float>(x) + dx - middle;
          const float from_y = static_cast<float>(y) + dy - middle;
          sum += light_at(p, move_x + cosine * from_x - sine * from_y,
                          move_y + sine * from_x + cosine * from_y);
        }
      *out++ = sum / (4 * 255) - 0.25F;
    }
}

/// The hidden layer of one picture, then its classes.
void forward(const network& w, const float* in, std::array<float, hidden>& h,
             std::array<float, classes>& y) {
  std::copy_n(&w.first[inputs * hidden], hidden, h.begin());
  for (std::size_t i = 0; i < inputs; ++i)
    for (std::size_t j = 0; j < hidden; ++j) h[j] += in[i] * w.first[i * hidden + j];
  for (float& v : h) v = std::max(v, 0.0F);
  std::copy_n(&w.second[hidden * classes], classes, y.begin());
  for (std::size_t j = 0; j < hidden; ++j)
    for (std::size_t k = 0; k < classes; ++k) y[k] += h[j] * w.second[j * classes + k];
}

}  // namespace

dataset::dataset(std::size_t pictures, std::uint32_t seed) : pictures_(pictures) {
  random_numbers random(seed);
  for (std::size_t n = 0; n < pictures; ++n) {
    stored_picture& p = pictures_[n];
    p.label = n % classes;
    const float size = 4.5F + random.symmetric();
    const float centre_x = 7.5F + random.symmetric();
    const float centre_y = 7.5F + random.symmetric();
    for (std::size_t i = 0; i < inputs; ++i) {
      const float x = static_cast<float>(i % side) - centre_x;
      const std::size_t row = i / side;
      const float y = static_cast<float>(row) - centre_y;
      const float light = (is_lit(p.label, x, y, size) ? 160.0F : 60.0F) + 40 * random.symmetric();
      p.pixels[i] = static_cast<std::uint8_t>(light);
    }
    p.check_sum = check_sum_of(p);
  }
}

void dataset::load(std::size_t n, batch& out) const {
  out.pixels.resize(batch_rows * inputs);
  out.labels.resize(batch_rows);
  random_numbers random(static_cast<std::uint32_t>(n));
  for (std::size_t row = 0; row < batch_rows; ++row) {
    const std::size_t at = n * batch_rows + row;
    const std::size_t pass = at / pictures_.size();
    const std::size_t picture = (at * 7919 + pass * 31) % pictures_.size();
    const stored_picture& p = pictures_[picture];
    if (check_sum_of(p) != p.check_sum)
      throw std::runtime_error("picture " + std::to_string(picture) + " is damaged");
    vary(p, random, &out.pixels[row * inputs]);
    out.labels[row] = p.label;
  }
}

batch dataset::all() const {
  batch out;
  for (const stored_picture& p : pictures_) {
    for (const std::uint8_t pixel : p.pixels)
      out.pixels.push_back(static_cast<float>(pixel) / 255 - 0.25F);
    out.labels.push_back(p.label);
  }
  return out;
}

learner::learner() {
  random_numbers random(3);
  for (float& w : weights.first) w = 0.1F * random.symmetric();
  for (float& w : weights.second) w = 0.3F * random.symmetric();
}

float learner::backpropagate(const batch& in) {
  float loss = 0;
  std::array<float, hidden> h{};
  std::array<float, hidden> back{};
  std::array<float, classes> y{};
  for (std::size_t row = 0; row < in.labels.size(); ++row) {
    const float* const x = &in.pixels[row * inputs];
    forward(weights, x, h, y);
    float sum = 0;
    const float greatest = *std::max_element(y.begin(), y.end());
    for (float& v : y) sum += v = std::exp(v - greatest);
    for (float& v : y) v /= sum;
    loss -= std::log(y[in.labels[row]]);
    y[in.labels[row]] -= 1;

    for (std::size_t k = 0; k < classes; ++k) gradients.second[hidden * classes + k] += y[k];
    for (std::size_t j = 0; j < hidden; ++j) {
      back[j] = 0;
      for (std::size_t k = 0; k < classes; ++k) {
        gradients.second[j * classes + k] += h[j] * y[k];
        back[j] += weights.second[j * classes + k] * y[k];
      }
      if (h[j] == 0) back[j] = 0;
      gradients.first[inputs * hidden + j] += back[j];
    }
    for (std::size_t i = 0; i < inputs; ++i)
      for (std::size_t j = 0; j < hidden; ++j) gradients.first[i * hidden + j] += x[i] * back[j];
  }
  return loss / static_cast<float>(in.labels.size());
}

void learner::step() {
  constexpr float rate = 0.05F / (batch_rows * accumulated_batches);
  const auto move = [](std::vector<float>& w, std::vector<float>& g, std::vector<float>& v) {
    for (std::size_t i = 0; i < w.size(); ++i) {
      v[i] = 0.9F * v[i] - rate * g[i];
      w[i] += v[i];
      g[i] = 0;
    }
  };
  move(weights.first, gradients.first, velocity.first);
  move(weights.second, gradients.second, velocity.second);
}

float learner::accuracy(const batch& in) const {
  std::size_t right = 0;
  std::array<float, hidden> h{};
  std::array<float, classes> y{};
  for (std::size_t row = 0; row < in.labels.size(); ++row) {
    forward(weights, &in.pixels[row * inputs], h, y);
    const auto best = std::max_element(y.begin(), y.end()) - y.begin();
    right += static_cast<std::size_t>(best) == in.labels[row] ? 1U : 0U;
  }
  return static_cast<float>(right) / static_cast<float>(in.labels.size());
}

std::uint64_t digest(const trained& t) {
  std::uint64_t sum = 14695981039346656037U;
  for (const auto* values : {&t.losses, &t.accuracies, &t.weights.first, &t.weights.second})
    for (const float v : *values) sum = (sum ^ std::bit_cast<std::uint32_t>(v)) * 1099511628211U;
  return sum;
}

}  // namespace training
