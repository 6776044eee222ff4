// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "stages.hpp"
#include <algorithm>
#include <array>
#include <charconv>
#include <random>

namespace benchmarks::stages {

namespace {

constexpr std::size_t readings = 160'000;
constexpr std::size_t window = 4;  // of which the greatest counts
constexpr std::size_t taps = 384;

std::string made_up(unsigned seed) {
  std::minstd_rand random(seed);
  std::string all;
  for (std::size_t n = 0; n < readings; ++n) {
    all +=
        std::to_string(random() % 10'000) + '.' + std::to_string(random() % 1'000'000'000) + '\n';
  }
  return all;
}

}  // namespace

const std::string& text(std::size_t batch) {
  static const std::array several{made_up(1), made_up(2), made_up(3), made_up(4), made_up(5)};
  return several[batch % several.size()];
}

void parse(const std::string& in, numbers& out) {
  out.clear();
  for (const char *at = in.data(), *end = at + in.size(); at != end;) {
    double greatest = 0;
    for (std::size_t n = 0; n < window; ++n) {
      double reading = 0;
      at = std::from_chars(at, end, reading).ptr + 1;
      greatest = std::max(greatest, reading);
    }
    out.push_back(greatest);
  }
}

void sort(const numbers& in, numbers& out) {
  out = in;
  std::sort(out.begin(), out.end());
}

void smooth(const numbers& in, samples& out) {
  out.assign(in.size() - taps, 0);
  for (std::size_t t = 0; t < taps; ++t) {
    const float share = static_cast<float>(t + 1) / (taps * taps);
    for (std::size_t i = 0; i < out.size(); ++i) out[i] += share * static_cast<float>(in[i + t]);
  }
}

void counts::operator()(const samples& in) {
  for (const float s : in) {
    ++seen_;
    of_[static_cast<std::int32_t>(s * 64)] += seen_;
  }
}

std::uint64_t counts::checksum() const {
  std::uint64_t sum = seen_;
  for (const auto& [value, count] : of_) sum ^= static_cast<std::uint64_t>(value + 1) * count;
  return sum;
}

}  // namespace benchmarks::stages
