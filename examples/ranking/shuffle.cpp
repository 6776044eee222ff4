// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "shuffle.hpp"
#include <algorithm>
#include <numeric>
#include <stdexcept>
#include <string>
#include "random.hpp"

namespace ranking {
namespace {

constexpr std::size_t part_rows = 256;

/// A stable counting sort, heaviest rows first.
void sort_by_load(const std::vector<std::uint32_t>& load, const std::vector<std::uint32_t>& rows,
                  std::vector<std::uint32_t>& sorted) {
  std::array<std::size_t, key_count + 2> start{};
  for (const std::uint32_t row : rows) ++start[key_count - load[row] + 1];
  std::partial_sum(start.begin(), start.end(), start.begin());
  sorted.resize(rows.size());
  for (const std::uint32_t row : rows) sorted[start[key_count - load[row]]++] = row;
}

/// Deals cards in a serpentine: to players 0, 1, ... n - 1, n - 1, ... 1, 0, 0, 1, ...
void deal(const std::vector<std::uint32_t>& cards, std::vector<std::uint32_t>& hands) {
  const std::size_t players = (cards.size() + part_rows - 1) / part_rows;
  hands.resize(cards.size());
  std::size_t next = 0;
  for (std::size_t player = 0; player < players; ++player)
    for (std::size_t round = 0; round * players < cards.size(); ++round) {
      const std::size_t seat = round % 2 == 0 ? player : players - 1 - player;
      const std::size_t card = round * players + seat;
      if (card < cards.size()) hands[next++] = cards[card];
    }
}

template <class T>
void apply(const std::vector<std::uint32_t>& order, const std::vector<T>& in, std::vector<T>& out) {
  for (std::size_t i = 0; i < order.size(); ++i) out[i] = in[order[i]];
}

}  // namespace

void start_shuffle(const columns& batch, const batch_context& context, permutation& out) {
  out.drawn.resize(batch.rows);
  std::iota(out.drawn.begin(), out.drawn.end(), 0U);
  random_numbers draw{context.index};
  shuffle(std::span(out.drawn), draw);
  sort_by_load(batch.load, out.drawn, out.by_load);
  deal(out.by_load, out.order);
}

void finish_shuffle(const columns& batch, const permutation& shuffle, columns& out) {
  out.resize(batch.rows);
  for (std::size_t k = 0; k < key_count; ++k) apply(shuffle.order, batch.keys[k], out.keys[k]);
  for (std::size_t n = 0; n < number_count; ++n)
    apply(shuffle.order, batch.numbers[n], out.numbers[n]);
  apply(shuffle.order, batch.late, out.late);
  apply(shuffle.order, batch.weight, out.weight);
  apply(shuffle.order, batch.load, out.load);
}

void nccl_safety_barrier(const columns& shuffled, const batch_context& context) {
  if (shuffled.rows == context.rows && checksum(shuffled) == context.checksum) return;
  throw std::logic_error("batch " + std::to_string(context.index) +
                         ": the shuffled rows are not the rows that were decoded");
}

}  // namespace ranking
