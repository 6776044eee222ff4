// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

/// What all programs do with a batch. Nothing here knows of threads. It is compiled once, in
/// work.cpp, so that floating-point numbers come out alike to the last bit wherever it is called.
namespace training {

inline constexpr std::size_t side = 16;
inline constexpr std::size_t inputs = side * side;
inline constexpr std::size_t hidden = 32;
inline constexpr std::size_t classes = 4;
inline constexpr std::size_t batch_rows = 64;
inline constexpr std::size_t accumulated_batches = 4;  // per step of the optimizer
inline constexpr std::size_t steps_between_tests = 8;

/// True for the last of each `every` batches.
constexpr bool ends_group(std::size_t batch, std::size_t every) { return (batch + 1) % every == 0; }
constexpr bool ends_step(std::size_t batch) { return ends_group(batch, accumulated_batches); }
constexpr bool is_tested(std::size_t batch) {
  return ends_group(batch, accumulated_batches * steps_between_tests);
}

/// A small picture as it is stored, with a sum to check it by.
struct stored_picture {
  std::array<std::uint8_t, inputs> pixels{};
  std::size_t label = 0;
  std::uint32_t check_sum = 0;
};

struct batch {
  std::vector<float> pixels;  // a row a picture
  std::vector<std::size_t> labels;
};

/// Made-up pictures of rings, discs, crosses and bars, the same on every run.
class dataset {
 public:
  dataset(std::size_t pictures, std::uint32_t seed);

  /// Batch number `n` of an endless training run: pictures in another order in each pass, each
  /// turned and moved a little. Throws where a picture is damaged.
  void load(std::size_t n, batch& out) const;

  /// All pictures, as they are.
  batch all() const;

  void damage(std::size_t picture) { pictures_[picture].pixels[0] ^= 1U; }

 private:
  std::vector<stored_picture> pictures_;
};

/// A network of two layers: its weights, or a gradient of them.
struct network {
  std::vector<float> first = std::vector<float>((inputs + 1) * hidden);
  std::vector<float> second = std::vector<float>((hidden + 1) * classes);
};

/// A network that learns.
struct learner {
  network weights;
  network gradients;
  network velocity;

  learner();
  /// Adds the gradients of a batch to those of the batches before, and returns its mean loss.
  float backpropagate(const batch& in);
  /// A step along the gradients, which begin anew.
  void step();
  /// The share of pictures that it names right.
  float accuracy(const batch& in) const;
};

/// What comes of a training run.
struct trained {
  std::vector<float> losses;
  std::vector<float> accuracies;
  network weights;
};

/// One number for all bits of it.
std::uint64_t digest(const trained& t);

}  // namespace training
