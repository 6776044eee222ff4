// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "parts.hpp"
#include <bit>
#include <cstring>
#include <numeric>

namespace ranking::ranks {
namespace {

/// A row on its way: every column, 32 bits each.
constexpr std::size_t row_words = key_count + number_count + 3;

void append_row(const columns& from, std::size_t row, std::vector<std::uint32_t>& to) {
  for (const auto& keys : from.keys) to.push_back(keys[row]);
  for (const auto& values : from.numbers) to.push_back(std::bit_cast<std::uint32_t>(values[row]));
  to.push_back(std::bit_cast<std::uint32_t>(from.late[row]));
  to.push_back(std::bit_cast<std::uint32_t>(from.weight[row]));
  to.push_back(from.load[row]);
}

void set_row(const std::uint32_t* from, columns& to, std::size_t row) {
  for (auto& keys : to.keys) keys[row] = *from++;
  for (auto& values : to.numbers) values[row] = std::bit_cast<float>(*from++);
  to.late[row] = std::bit_cast<float>(*from++);
  to.weight[row] = std::bit_cast<float>(*from++);
  to.load[row] = *from;
}

}  // namespace

void shares::set_starts() {
  start.resize(count.size());
  std::exclusive_scan(count.begin(), count.end(), start.begin(), 0);
}

std::size_t shares::total() const {
  return static_cast<std::size_t>(std::accumulate(count.begin(), count.end(), 0));
}

shares shares::times(int factor) const {
  shares more = *this;
  for (int& c : more.count) c *= factor;
  more.set_starts();
  return more;
}

void pack_rows(const membership& me, const columns& decoded, row_exchange& exchange) {
  const std::vector<std::uint32_t>& order = exchange.order.order;
  const part mine = part_of(order.size(), me.rank, me.ranks);
  exchange.sent.clear();
  exchange.to.clear(me.ranks);
  exchange.from.clear(me.ranks);
  for (std::size_t to = 0; to < me.ranks; ++to) {
    const part theirs = part_of(order.size(), to, me.ranks);
    for (std::size_t i = theirs.first; i < theirs.end; ++i) {
      if (order[i] < mine.first || order[i] >= mine.end) continue;
      append_row(decoded, order[i] - mine.first, exchange.sent);
      exchange.to.count[to] += static_cast<int>(row_words);
    }
  }
  for (std::size_t i = mine.first; i < mine.end; ++i)
    exchange.from.count[rank_of_row(order[i], order.size(), me.ranks)] +=
        static_cast<int>(row_words);
  exchange.to.set_starts();
  exchange.from.set_starts();
  exchange.received.resize(exchange.from.total());
}

void unpack_rows(const membership& me, const row_exchange& exchange, columns& out) {
  const std::vector<std::uint32_t>& order = exchange.order.order;
  const part mine = part_of(order.size(), me.rank, me.ranks);
  out.resize(mine.rows());
  std::vector<int> next = exchange.from.start;
  for (std::size_t i = 0; i < mine.rows(); ++i) {
    int& at = next[rank_of_row(order[mine.first + i], order.size(), me.ranks)];
    set_row(exchange.received.data() + at, out, i);
    at += static_cast<int>(row_words);
  }
}

void count_wanted(const membership& me, row_requests& requests) {
  requests.wanted.clear(me.ranks);
  for (const std::uint32_t key : requests.rows.key)
    ++requests.wanted.count[rank_of_shard(shard_of(key), me.ranks)];
  requests.wanted.set_starts();
}

void distinct_rows::operator()(const std::vector<std::uint32_t>& keys, unique_rows& out) {
  ++round_;
  out.key.clear();
  out.index_at.resize(keys.size());
  for (std::size_t i = 0; i < keys.size(); ++i) {
    mark& seen = marks_[keys[i]];
    if (seen.round != round_) {
      seen = {round_, static_cast<std::uint32_t>(out.key.size())};
      out.key.push_back(keys[i]);
    }
    out.index_at[i] = seen.index;
  }
}

void pack_embeddings(const unique_rows& asked, const cached_rows& lines, const row_cache& cache,
                     numbers& out) {
  out.clear();
  for (const std::uint32_t index : asked.index_at) {
    const embedding& row = cache[lines.line[index]].weight;
    out.insert(out.end(), row.begin(), row.end());
  }
}

void unpack_embeddings(const numbers& in, std::vector<embedding>& out) {
  out.resize(in.size() / embedding_size);
  if (!in.empty()) std::memcpy(out.data(), in.data(), in.size() * sizeof(float));
}

void pack_gradients(const std::vector<embedding>& by_row, numbers& out) {
  out.resize(by_row.size() * embedding_size);
  if (!out.empty()) std::memcpy(out.data(), by_row.data(), out.size() * sizeof(float));
}

void add_gradients(const unique_rows& asked, const numbers& in, std::vector<embedding>& by_row) {
  by_row.assign(asked.key.size(), embedding{});
  const float* from = in.data();
  for (const std::uint32_t index : asked.index_at)
    for (float& value : by_row[index]) value += *from++;
}

}  // namespace ranking::ranks
