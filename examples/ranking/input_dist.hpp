// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>
#include "encoding.hpp"

namespace ranking {

/// The table is cut into shards; row `key` is row `key / shard_count` of shard `key % shard_count`.
inline constexpr std::uint32_t shard_count = 4;

constexpr std::uint32_t shard_of(std::uint32_t key) { return key % shard_count; }
constexpr std::uint32_t row_in_shard(std::uint32_t key) { return key / shard_count; }
constexpr std::uint32_t rows_of_shard(std::uint32_t table_rows, std::uint32_t shard) {
  return (table_rows + shard_count - 1 - shard) / shard_count;
}

/// The keys of a batch, shard by shard.
struct sharded_keys {
  std::array<std::size_t, shard_count + 1> start{};  // of each shard, and the end of the last one
  std::vector<std::uint32_t> row;                    // in its shard
  std::vector<std::uint32_t> place;                  // in the batch: sample * key_count + feature
};

/// Every table row that a batch needs, once.
struct unique_rows {
  std::vector<std::uint32_t> key;
  std::vector<std::uint32_t> index_at;  // for every place in the batch, an index into `key`
};

/// Task 4: buckets the keys by shard: counts, offsets, places.
void start_input_dist(const columns& shuffled, const batch_context& context, sharded_keys& out);

/// Task 5: finds the different rows of each shard, in order of first appearance.
class wait_input_dist {
 public:
  explicit wait_input_dist(std::uint32_t table_rows);

  void operator()(const sharded_keys& keys, unique_rows& out);

 private:
  struct mark {
    std::uint32_t round = 0;
    std::uint32_t index = 0;
  };
  std::array<std::vector<mark>, shard_count> marks_;  // for each row, when it was last seen
  std::uint32_t table_rows_;
  std::uint32_t round_ = 0;
};

}  // namespace ranking
