// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "input_dist.hpp"
#include <algorithm>

namespace ranking {

void start_input_dist(const columns& shuffled, const batch_context& context, sharded_keys& out) {
  out.start.fill(0);
  for (const auto& keys : shuffled.keys)
    for (const std::uint32_t key : keys) ++out.start[shard_of(key) + 1];
  for (std::size_t s = 0; s < shard_count; ++s) out.start[s + 1] += out.start[s];

  out.row.resize(context.rows * key_count);
  out.place.resize(context.rows * key_count);
  std::array<std::size_t, shard_count + 1> next = out.start;
  for (std::size_t k = 0; k < key_count; ++k)
    for (std::size_t i = 0; i < context.rows; ++i) {
      const std::uint32_t key = shuffled.keys[k][i];
      const std::size_t slot = next[shard_of(key)]++;
      out.row[slot] = row_in_shard(key);
      out.place[slot] = static_cast<std::uint32_t>(i * key_count + k);
    }
}

wait_input_dist::wait_input_dist(std::uint32_t table_rows) : table_rows_(table_rows) {
  for (std::uint32_t s = 0; s < shard_count; ++s) marks_[s].resize(rows_of_shard(table_rows, s));
}

void wait_input_dist::operator()(const sharded_keys& keys, unique_rows& out) {
  ++round_;
  out.key.clear();
  out.key.reserve(std::min<std::size_t>(keys.place.size(), table_rows_));
  out.index_at.resize(keys.place.size());
  for (std::uint32_t s = 0; s < shard_count; ++s)
    for (std::size_t i = keys.start[s]; i < keys.start[s + 1]; ++i) {
      mark& seen = marks_[s][keys.row[i]];
      if (seen.round != round_) {
        seen = {round_, static_cast<std::uint32_t>(out.key.size())};
        out.key.push_back(keys.row[i] * shard_count + s);
      }
      out.index_at[keys.place[i]] = seen.index;
    }
}

}  // namespace ranking
