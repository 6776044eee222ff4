// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <vector>

/// What both programs do to a frame. Nothing here knows of threads.
namespace camera {

inline constexpr int width = 320;
inline constexpr int height = 240;
using bytes = std::vector<std::uint8_t>;

struct image {
  bytes pixels = bytes(std::size_t{width} * height);
  std::uint8_t& at(int x, int y) { return pixels[static_cast<std::size_t>(y * width + x)]; }
  std::uint8_t at(int x, int y) const { return pixels[static_cast<std::size_t>(y * width + x)]; }
};

/// Where something moved; empty where nothing did.
struct box {
  int left = width;
  int top = height;
  int right = -1;
  int bottom = -1;
  bool empty() const { return right < left; }
  bool has_edge_at(int x, int y) const {
    return x >= left && x <= right && y >= top && y <= bottom &&
           (x == left || x == right || y == top || y == bottom);
  }
};

/// A bright disc that wanders over a dim gradient, through a noisy sensor.
class scene {
 public:
  explicit scene(std::size_t frames) : frames_(static_cast<int>(frames)) {}

  bool operator()(image& out) {
    if (frame_ == frames_) return false;
    const int centre_x = 40 + std::abs(frame_ * 3 % 480 - 240);
    const int centre_y = 40 + std::abs(frame_ * 2 % 320 - 160);
    ++frame_;
    for (int y = 0; y < height; ++y)
      for (int x = 0; x < width; ++x) {
        const int dx = x - centre_x;
        const int dy = y - centre_y;
        noise_ = noise_ * 1664525U + 1013904223U;
        const int grain = static_cast<int>(noise_ >> 28U);
        const bool dead = (noise_ >> 16U & 255U) == 0;
        const int light = (dx * dx + dy * dy < 400 ? 160 : 0) + (x + y) / 8;
        out.at(x, y) = static_cast<std::uint8_t>(dead ? 255 : light + grain);
      }
    return true;
  }

 private:
  int frames_;
  int frame_ = 0;
  std::uint32_t noise_ = 1;
};

/// The median of each pixel and its eight neighbours: of the least, middle and greatest of each of
/// three columns, the greatest, the middle and the least.
inline void denoise(const image& in, image& out) {
  using line = std::array<std::uint8_t, width>;
  line low{};
  line middle{};
  line high{};
  const auto middle_of = [](std::uint8_t a, std::uint8_t b, std::uint8_t c) {
    return std::max(std::min(a, b), std::min(std::max(a, b), c));
  };
  out.pixels = in.pixels;
  for (int y = 1; y + 1 < height; ++y) {
    for (int x = 0; x < width; ++x) {
      const auto i = static_cast<std::size_t>(x);
      const std::uint8_t a = in.at(x, y - 1);
      const std::uint8_t b = in.at(x, y);
      const std::uint8_t c = in.at(x, y + 1);
      low[i] = std::min(std::min(a, b), c);
      middle[i] = middle_of(a, b, c);
      high[i] = std::max(std::max(a, b), c);
    }
    for (int x = 1; x + 1 < width; ++x) {
      const auto i = static_cast<std::size_t>(x);
      out.at(x, y) = middle_of(std::max(std::max(low[i - 1], low[i]), low[i + 1]),
                               middle_of(middle[i - 1], middle[i], middle[i + 1]),
                               std::min(std::min(high[i - 1], high[i]), high[i + 1]));
    }
  }
}

/// What differs from the frame before; nothing in a first frame.
inline box detect(const image& now, const image* before) {
  box found;
  if (before == nullptr) return found;
  for (int y = 0; y < height; ++y) {
    int changed = 0;
    for (int x = 0; x < width; ++x) {
      changed = std::abs(now.at(x, y) - before->at(x, y)) > 32 ? changed + 1 : 0;
      if (changed < 3) continue;
      found.left = std::min(found.left, x - 2);
      found.right = std::max(found.right, x);
      found.top = std::min(found.top, y);
      found.bottom = std::max(found.bottom, y);
    }
  }
  return found;
}

/// Packs the frame with the box drawn onto it: differences from pixel to pixel, as Rice codes.
inline void encode(const image& frame, const box& marked, bytes& out) {
  out.clear();
  std::uint64_t bits = 0;
  unsigned count = 0;
  const auto write = [&](std::uint32_t value, unsigned length) {
    bits = bits << length | value;
    for (count += length; count >= 8; count -= 8)
      out.push_back(static_cast<std::uint8_t>(bits >> (count - 8)));
  };
  std::array<std::uint32_t, width> residuals{};
  for (int y = 0; y < height; ++y) {
    int left = 0;
    std::uint32_t sum = 0;
    for (int x = 0; x < width; ++x) {
      const int pixel = marked.has_edge_at(x, y) ? 255 : frame.at(x, y);
      const int step = pixel - left;
      left = pixel;
      const auto residual = static_cast<std::uint32_t>(step < 0 ? -2 * step - 1 : 2 * step);
      residuals[static_cast<std::size_t>(x)] = residual;
      sum += residual;
    }
    const auto low = static_cast<unsigned>(std::bit_width(sum / width));
    write(low, 4);
    for (const std::uint32_t residual : residuals) {
      for (std::uint32_t high = residual >> low; high > 0; --high) write(1, 1);
      write(0, 1);
      write(residual & ((1U << low) - 1), low);
    }
  }
  write(0, 7);
}

/// What comes of a recording.
struct outcome {
  std::size_t frames = 0;
  std::size_t moving = 0;
  std::size_t packed = 0;  // bytes
  std::uint64_t digest = 14695981039346656037U;

  void add(const box& motion, const bytes& packet) {
    ++frames;
    moving += motion.empty() ? 0U : 1U;
    packed += packet.size();
    for (const std::uint8_t byte : packet) digest = (digest ^ byte) * 1099511628211U;
  }
  bool operator==(const outcome&) const = default;
};

}  // namespace camera
