// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>
#include "flights.hpp"

namespace ranking {

/// The categorical features. Each has its own range of rows in the one embedding table.
enum class key : std::uint8_t {
  carrier,
  flight,  // carrier and number together: a number alone means nothing
  tailnum,
  origin,
  dest,
  route,
  month,
  weekday,
  departure,  // quarter of an hour
  arrival,    // hour
  dest_hour,
  wind  // at the origin: it decides which runways are in use
};
inline constexpr std::size_t key_count = 12;

/// The numeric features, each scaled to about one.
enum class number : std::uint8_t {
  distance,
  scheduled_time,
  temp,
  dewp,
  humid,
  wind_speed,
  precip,
  pressure,
  visib,
  no_weather
};
inline constexpr std::size_t number_count = 10;

/// Ids of strings in order of first appearance, from 1; 0 is every string not seen.
class dictionary {
 public:
  void add(std::string_view text) {
    if (!ids_.contains(text)) ids_.emplace(text, static_cast<std::uint32_t>(ids_.size() + 1));
  }
  std::uint32_t find(std::string_view text) const {
    const auto found = ids_.find(text);
    return found == ids_.end() ? 0 : found->second;
  }
  std::uint32_t size() const { return static_cast<std::uint32_t>(ids_.size() + 1); }

 private:
  struct hash : std::hash<std::string_view> {
    using is_transparent = void;
  };
  std::unordered_map<std::string, std::uint32_t, hash, std::equal_to<>> ids_;
};

/// Everything that turns a row into table rows: dictionaries, and where each feature's range
/// begins.
class vocabulary {
 public:
  /// Learns the strings of the given rows only, so that held-out rows may hold unknown ones.
  vocabulary(const flight_file& file, std::span<const std::uint32_t> rows);

  std::uint32_t table_rows() const { return first_.back(); }
  std::uint32_t first_row(key k) const { return first_[static_cast<std::size_t>(k)]; }

  dictionary carriers, flights, tailnums, origins, dests, routes;

 private:
  std::array<std::uint32_t, key_count + 1> first_{};
};

/// What the source yields: which rows of which file make up the batch. Still text.
struct raw_batch {
  std::uint64_t index = 0;
  const flight_file* file = nullptr;
  std::span<const std::uint32_t> rows;
};

/// What later steps know about a batch besides its columns.
struct batch_context {
  std::uint64_t index = 0;
  std::size_t rows = 0;
  std::uint64_t checksum = 0;  // of the decoded rows, whatever their order
};

/// A decoded batch, by column. A flight without an outcome has weight 0.
struct columns {
  std::size_t rows = 0;
  std::array<std::vector<std::uint32_t>, key_count> keys;  // rows of the embedding table
  std::array<std::vector<float>, number_count> numbers;
  std::vector<float> late;  // 1 or 0
  std::vector<float> weight;
  std::vector<std::uint32_t> load;  // keys the vocabulary knows: the work a row stands for

  void resize(std::size_t count);
};

/// Over all rows, the same for every order of the rows.
std::uint64_t checksum(const columns& batch);

/// Task 1: decodes the rows of a batch. Throws `data_error` naming file, line and column.
void h2d(const vocabulary& words, const raw_batch& in, columns& out, batch_context& context);

}  // namespace ranking
