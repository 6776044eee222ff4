// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>

/// A batch as it travels to the device: one block of 32-bit words, so that one copy takes it there.
/// Every batch fills the same number of words, whatever it holds: samples that it lacks weigh
/// nothing. So a step of training is the same work for each batch, which a graph can replay.
namespace ranking::gpu {

inline constexpr std::size_t features = 12;
inline constexpr std::size_t numbers = 10;
inline constexpr std::size_t width = 8;  // of an embedding
inline constexpr std::size_t embedded = features * width;
inline constexpr std::size_t inputs = embedded + numbers;
inline constexpr std::size_t hidden1 = 64;
inline constexpr std::size_t hidden2 = 32;

/// What is true of the batch as a whole, in front of the rest.
struct facts {
  std::uint32_t rows = 0;     // of the embedding table that it touches
  float weight = 0.0F;        // of all samples together
  float network_rate = 0.0F;  // how fast to learn from it
  float embedding_rate = 0.0F;
};

/// Where its parts begin, in words from the start of the block. (Members: device code calls no
/// function of the host's.)
struct layout {
  constexpr explicit layout(std::size_t samples_of_a_batch)
      : samples(samples_of_a_batch), places(samples * features) {}

  std::size_t samples;
  std::size_t places;
  std::size_t index_at = sizeof(facts) / sizeof(std::uint32_t);  // of each place: into key
  std::size_t key = index_at + places;                           // of each row: in the table
  std::size_t start = key + places;  // of each row's places in the next part, and an end
  std::size_t place = start + places + 1;
  std::size_t number = place + places;  // sample by sample
  std::size_t late = number + samples * numbers;
  std::size_t weight = late + samples;
  std::size_t words = weight + samples;  // in all
};

/// The samples of every batch: those that are missing weigh nothing.
inline constexpr std::size_t batch_samples = 2048;
inline constexpr layout batch_layout{batch_samples};

}  // namespace ranking::gpu
