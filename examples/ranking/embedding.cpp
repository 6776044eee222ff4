// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "embedding.hpp"
#include <algorithm>
#include <limits>
#include <stdexcept>
#include <string>
#include "random.hpp"

namespace ranking {
namespace {

constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();
constexpr float first_spread = 0.05F;

}  // namespace

embedding_table::embedding_table(std::uint32_t rows, std::uint64_t seed, shard_range held)
    : rows_(rows) {
  for (std::uint32_t s = held.first; s < held.end; ++s) shards_[s].resize(rows_of_shard(rows, s));
  random_numbers draw{seed};
  for (std::uint32_t key = 0; key < rows; ++key) {
    embedding drawn;
    for (float& weight : drawn) weight = first_spread * draw.symmetric();
    if (!shards_[shard_of(key)].empty()) (*this)[key].weight = drawn;
  }
}

row_cache::row_cache(std::uint32_t table_rows, std::uint32_t lines)
    : lines_(lines), entries_(lines, entry{none}), line_of_(table_rows, none) {}

void row_cache::acquire(std::span<const std::uint32_t> keys, embedding_table& table,
                        cached_rows& out) {
  out.line.reserve(lines_.size());  // once: how many rows a batch needs varies
  out.line.resize(keys.size());
  // All hits are pinned first, so that loading one row never evicts another of the same batch.
  for (std::size_t u = 0; u < keys.size(); ++u) {
    const std::uint32_t line = line_of_[keys[u]];
    out.line[u] = line;
    if (line == none) continue;
    ++entries_[line].pins;
    ++counted_.hits;
  }
  for (std::size_t u = 0; u < keys.size(); ++u) {
    if (out.line[u] != none) continue;
    const std::uint32_t line = evict(table);
    if (line == none) {
      let_go(out.line);
      throw std::length_error("the cache of " + std::to_string(lines_.size()) +
                              " rows is too small for the batches in flight; the next one needs " +
                              std::to_string(keys.size()) + " rows");
    }
    lines_[line] = table[keys[u]];
    entries_[line] = {keys[u], 1, true};
    line_of_[keys[u]] = line;
    out.line[u] = line;
    ++counted_.loads;
  }
}

/// A clock: passes over lines used since its last turn, and over pinned ones.
std::uint32_t row_cache::evict(embedding_table& table) {
  for (std::size_t steps = 0; steps < 2 * entries_.size(); ++steps) {
    const std::uint32_t line = hand_;
    hand_ = hand_ + 1 == entries_.size() ? 0 : hand_ + 1;
    entry& candidate = entries_[line];
    if (candidate.pins != 0) continue;
    if (candidate.key == none) return line;
    if (candidate.recent) {
      candidate.recent = false;
      continue;
    }
    table[candidate.key] = lines_[line];
    line_of_[candidate.key] = none;
    candidate.key = none;
    ++counted_.write_backs;
    return line;
  }
  return none;
}

void row_cache::let_go(std::span<const std::uint32_t> lines) {
  for (const std::uint32_t line : lines)
    if (line != none) --entries_[line].pins;
}

void row_cache::release(const cached_rows& rows) {
  for (const std::uint32_t line : rows.line) {
    --entries_[line].pins;
    entries_[line].recent = true;
  }
}

void row_cache::flush(embedding_table& table) const {
  for (std::size_t line = 0; line < lines_.size(); ++line)
    if (entries_[line].key != none) table[entries_[line].key] = lines_[line];
}

void row_cache::release_all() {
  for (entry& line : entries_) line.pins = 0;
}

void prefetch_embeddings(const unique_rows& rows, embedding_table& table, row_cache& cache,
                         cached_rows& out) {
  cache.acquire(rows.key, table, out);
}

}  // namespace ranking
