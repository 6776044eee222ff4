// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pack.hpp"
#include <algorithm>
#include <bit>
#include <stdexcept>
#include <string>

namespace ranking::gpu {
namespace {

static_assert(features == key_count && numbers == number_count && width == embedding_size);
static_assert(sizeof(facts) == 4 * sizeof(std::uint32_t));

/// Of the learning rates, when they fall in a straight line.
float share_left(const learning& how, const batch_context& context) {
  if (how.batches == 0) return 1.0F;
  const float done = static_cast<float>(context.index) / static_cast<float>(how.batches);
  return std::max(1.0F - done, 0.0F);
}

}  // namespace

void pack::operator()(const learning& how, const columns& batch, const unique_rows& rows,
                      const batch_context& context, std::span<std::uint32_t> out) {
  const layout& l = layout_;
  if (batch.rows > l.samples)
    throw std::length_error("a batch of " + std::to_string(batch.rows) + " samples, where " +
                            std::to_string(l.samples) + " have room");
  std::fill(out.begin(), out.end(), 0);

  facts all;
  all.rows = static_cast<std::uint32_t>(rows.key.size());
  for (const float weight : batch.weight) all.weight += weight;
  all.network_rate = share_left(how, context) * how.network_rate;
  all.embedding_rate = share_left(how, context) * how.embedding_rate;
  out[0] = all.rows;
  out[1] = std::bit_cast<std::uint32_t>(all.weight);
  out[2] = std::bit_cast<std::uint32_t>(all.network_rate);
  out[3] = std::bit_cast<std::uint32_t>(all.embedding_rate);

  std::copy(rows.index_at.begin(), rows.index_at.end(), &out[l.index_at]);
  std::copy(rows.key.begin(), rows.key.end(), &out[l.key]);

  // The places of each row, in order: counted, then dealt out.
  const std::span<std::uint32_t> start = out.subspan(l.start, rows.key.size() + 1);
  for (const std::uint32_t index : rows.index_at) ++start[index + 1];
  for (std::size_t r = 1; r < start.size(); ++r) start[r] += start[r - 1];
  next_.assign(start.begin(), start.end() - 1);
  for (std::size_t p = 0; p < rows.index_at.size(); ++p)
    out[l.place + next_[rows.index_at[p]]++] = static_cast<std::uint32_t>(p);

  for (std::size_t i = 0; i < batch.rows; ++i) {
    for (std::size_t n = 0; n < numbers; ++n)
      out[l.number + i * numbers + n] = std::bit_cast<std::uint32_t>(batch.numbers[n][i]);
    out[l.late + i] = std::bit_cast<std::uint32_t>(batch.late[i]);
    out[l.weight + i] = std::bit_cast<std::uint32_t>(batch.weight[i]);
  }
}

}  // namespace ranking::gpu
