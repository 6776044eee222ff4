// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>
#include "input_dist.hpp"

namespace ranking {

inline constexpr std::size_t embedding_size = 8;
using embedding = std::array<float, embedding_size>;

/// One embedding and its optimizer state: one line of a processor's cache.
struct alignas(64) embedding_row {
  embedding weight{};
  embedding squares{};  // Adagrad: the sum of squared gradients
};

/// Shards that lie side by side: from the first to the one before the end.
struct shard_range {
  std::uint32_t first = 0;
  std::uint32_t end = shard_count;
};

/// The embeddings of all features, in shards. Stands for memory too large or too far to train in.
class embedding_table {
 public:
  /// Holds all shards or some of them, which are the same then.
  embedding_table(std::uint32_t rows, std::uint64_t seed, shard_range held = {});

  embedding_row& operator[](std::uint32_t key) { return shards_[shard_of(key)][row_in_shard(key)]; }
  const embedding_row& operator[](std::uint32_t key) const {
    return shards_[shard_of(key)][row_in_shard(key)];
  }
  std::uint32_t rows() const { return rows_; }

 private:
  std::uint32_t rows_;
  std::array<std::vector<embedding_row>, shard_count> shards_;
};

/// Where a batch's rows lie in the cache: `line[u]` holds the row `unique_rows::key[u]`.
struct cached_rows {
  std::vector<std::uint32_t> line;
};

/// The rows of the batches in flight. While a row is in here, here is its only true copy: two
/// batches that need it share the line, so the later one sees what the earlier one's optimizer step
/// made of it. `acquire` pins, `release` unpins; only an unpinned line is evicted, and is written
/// back then.
///
/// Which order the tasks need, batch by batch:
/// - acquire(b + 1) may come before or after release(b): the line is shared or stays where it is.
/// - acquire and release change the directory, so they must not run at the same time.
/// - forward(b) only reads lines that b has pinned. acquire(b + 1) only writes lines that nobody
/// has
///   pinned. So these two may even overlap.
/// - The optimizer step of b comes after forward(b) and before forward(b + 1).
class row_cache {
 public:
  row_cache(std::uint32_t table_rows, std::uint32_t lines);

  /// Pins the rows, loading those that are missing. Throws `std::length_error` when all lines are
  /// pinned; what this call had pinned by then is let go.
  void acquire(std::span<const std::uint32_t> keys, embedding_table& table, cached_rows& out);
  void release(const cached_rows& rows);

  embedding_row& operator[](std::uint32_t line) { return lines_[line]; }
  const embedding_row& operator[](std::uint32_t line) const { return lines_[line]; }

  /// Writes every row back, so that the table is the truth again; the rows stay cached.
  void flush(embedding_table& table) const;
  /// Forgets all pins: for a restart after a run that ended with batches in flight.
  void release_all();

  struct counters {
    std::uint64_t hits = 0;
    std::uint64_t loads = 0;
    std::uint64_t write_backs = 0;
  };
  const counters& counted() const { return counted_; }

 private:
  struct entry {
    std::uint32_t key;
    std::uint32_t pins = 0;
    bool recent = false;
  };

  std::uint32_t evict(embedding_table& table);
  void let_go(std::span<const std::uint32_t> lines);

  std::vector<embedding_row> lines_;
  std::vector<entry> entries_;          // of each line
  std::vector<std::uint32_t> line_of_;  // of each table row
  std::uint32_t hand_ = 0;
  counters counted_;
};

/// Task 10: brings the rows of the next batch into the cache.
void prefetch_embeddings(const unique_rows& rows, embedding_table& table, row_cache& cache,
                         cached_rows& out);

}  // namespace ranking
