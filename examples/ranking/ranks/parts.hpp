// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>
#include "../embedding.hpp"
#include "../encoding.hpp"
#include "../input_dist.hpp"
#include "../shuffle.hpp"

/// What is sent to which rank. Nothing here knows the library, or MPI.
namespace ranking::ranks {

/// One rank of several.
struct membership {
  std::size_t rank = 0;
  std::size_t ranks = 1;
};

/// The rows of a batch that a rank has: as they are decoded, and again when they are shuffled.
struct part {
  std::size_t first = 0;
  std::size_t end = 0;
  std::size_t rows() const { return end - first; }
};
constexpr part part_of(std::size_t batch_rows, std::size_t rank, std::size_t ranks) {
  return {batch_rows * rank / ranks, batch_rows * (rank + 1) / ranks};
}
/// Whose part a row is in.
constexpr std::size_t rank_of_row(std::size_t row, std::size_t batch_rows, std::size_t ranks) {
  return ((row + 1) * ranks - 1) / batch_rows;
}

/// The table's shards are dealt out in order.
constexpr std::size_t rank_of_shard(std::uint32_t shard, std::size_t ranks) {
  return shard * ranks / shard_count;
}
constexpr shard_range shards_of(std::size_t rank, std::size_t ranks) {
  shard_range held{0, 0};
  while (held.end < shard_count && rank_of_shard(held.end, ranks) <= rank) ++held.end;
  held.first = held.end;
  while (held.first > 0 && rank_of_shard(held.first - 1, ranks) == rank) --held.first;
  return held;
}

/// How many elements go to each rank, or come from it, and where they start, one behind the other.
struct shares {
  std::vector<int> count;
  std::vector<int> start;

  void clear(std::size_t ranks) { count.assign(ranks, 0); }
  void set_starts();
  std::size_t total() const;
  /// The shares of an array in which each element is \p factor values.
  shares times(int factor) const;
};

/// The rows of a batch on their way from the rank that decoded them to the one that trains on them.
struct row_exchange {
  permutation order;  ///< of the whole batch
  columns loads;      ///< of the whole batch, nothing but the loads
  shares to, from;    ///< in words
  std::vector<std::uint32_t> sent, received;
};

/// Packs this rank's rows by the part they belong to when shuffled, and makes room for those that
/// come. The order is there.
void pack_rows(const membership& me, const columns& decoded, row_exchange& exchange);
/// This rank's part of the shuffled batch.
void unpack_rows(const membership& me, const row_exchange& exchange, columns& out);

/// The table rows that this rank's part of a batch needs, and those that the ranks want of it.
struct row_requests {
  unique_rows rows;                       ///< by owner
  shares wanted;                          ///< of \c rows, by owner
  shares asked;                           ///< by who asks
  std::vector<std::uint32_t> asked_keys;  ///< rank by rank
};

/// How many rows are wanted of each owner.
void count_wanted(const membership& me, row_requests& requests);

/// Finds the different rows among those that are asked for.
class distinct_rows {
 public:
  explicit distinct_rows(std::uint32_t table_rows) : marks_(table_rows) {}
  void operator()(const std::vector<std::uint32_t>& keys, unique_rows& out);

 private:
  struct mark {
    std::uint32_t round = 0;
    std::uint32_t index = 0;
  };
  std::vector<mark> marks_;
  std::uint32_t round_ = 0;
};

/// Embeddings, or their gradients, number by number, on their way.
using numbers = std::vector<float>;

/// The embeddings of the rows that are asked for, in that order.
void pack_embeddings(const unique_rows& asked, const cached_rows& lines, const row_cache& cache,
                     numbers& out);
void unpack_embeddings(const numbers& in, std::vector<embedding>& out);
void pack_gradients(const std::vector<embedding>& by_row, numbers& out);
/// Adds what the ranks have for the rows that they asked for, rank by rank.
void add_gradients(const unique_rows& asked, const numbers& in, std::vector<embedding>& by_row);

}  // namespace ranking::ranks
