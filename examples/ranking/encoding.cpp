// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "encoding.hpp"
#include <bit>
#include <charconv>
#include <chrono>
#include <cmath>
#include <system_error>

namespace ranking {
namespace {

constexpr float minutes_late = 15.0F;
constexpr std::uint32_t quarters_of_a_day = 96;
constexpr std::uint32_t hours_of_a_day = 24;
constexpr std::uint32_t wind_sectors = 17;  // unknown, and sixteen

/// A few characters on the stack: joins two fields into one dictionary word.
class joined {
 public:
  joined(std::string_view a, std::string_view b) {
    append(a);
    append(b);
  }
  bool fits() const { return size_ <= text_.size(); }
  std::string_view view() const { return {text_.data(), size_}; }

 private:
  void append(std::string_view part) {
    for (const char c : part) {
      if (size_ < text_.size()) text_[size_] = c;
      ++size_;
    }
  }
  std::array<char, 24> text_{};
  std::size_t size_ = 0;
};

/// One row being decoded: its fields, and where it came from.
struct word_reader {
  const flight_file& file;
  std::size_t row;
  fields found;

  word_reader(const flight_file& from, std::size_t index)
      : file(from), row(index), found(split(from, index)) {}

  std::string_view text(column c) const { return at(found, c); }

  [[noreturn]] void reject(column c, std::string_view reason) const {
    reject_field(file, row, c, text(c), reason);
  }

  template <class T>
  T parse(column c, std::string_view part, std::string_view reason) const {
    T value{};
    const char* const end = part.data() + part.size();
    const auto [stop, error] = std::from_chars(part.data(), end, value);
    if (error != std::errc{} || stop != end) reject(c, reason);
    return value;
  }

  float decimal(column c) const {
    const auto value = parse<float>(c, text(c), "is not a number");
    if (!std::isfinite(value)) reject(c, "is not a finite number");
    return value;
  }

  float decimal_or(column c, float missing) const { return text(c).empty() ? missing : decimal(c); }

  /// Minutes after midnight, from hours and minutes written as one number.
  std::uint32_t clock(column c) const {
    const auto value = parse<std::uint32_t>(c, text(c), "is not a time of day");
    if (value > 2400 || value % 100 > 59) reject(c, "is not a time of day");
    return (value / 100 * 60 + value % 100) % (24 * 60);
  }

  std::chrono::year_month_day date() const {
    constexpr std::string_view reason = "is not a date like 2013-12-31";
    const std::string_view iso = text(column::date);
    if (iso.size() != 10 || iso[4] != '-' || iso[7] != '-') reject(column::date, reason);
    const auto part = [&](std::size_t from, std::size_t count) {
      return parse<unsigned>(column::date, iso.substr(from, count), reason);
    };
    const std::chrono::year_month_day day{std::chrono::year{static_cast<int>(part(0, 4))},
                                          std::chrono::month{part(5, 2)},
                                          std::chrono::day{part(8, 2)}};
    if (!day.ok()) reject(column::date, reason);
    return day;
  }

  std::string_view word(column c) const {
    if (text(c).empty()) reject(c, "must not be empty");
    return text(c);
  }

  joined words(column a, column b) const {
    const joined both{word(a), word(b)};
    if (!both.fits()) reject(b, "is too long");
    return both;
  }
};

std::uint32_t wind_sector(const word_reader& row) {
  if (row.text(column::wind_dir).empty()) return 0;
  const float degrees = row.decimal(column::wind_dir);
  if (degrees < 0.0F || degrees > 360.0F) row.reject(column::wind_dir, "is not a direction");
  return 1 + static_cast<std::uint32_t>(std::lround(degrees / 22.5F)) % 16;
}

/// Constants near the mean and the spread, so that no row has to be read before its batch.
float scaled(float value, float middle, float spread) { return (value - middle) / spread; }

void decode_numbers(const word_reader& row, std::uint32_t departs, std::uint32_t arrives,
                    columns& out, std::size_t i) {
  const auto set = [&](number n, float value) {
    out.numbers[static_cast<std::size_t>(n)][i] = value;
  };
  const auto weather = [&](column c, float middle, float spread) {
    return scaled(row.decimal_or(c, middle), middle, spread);
  };
  const std::uint32_t minutes = (arrives + 24 * 60 - departs) % (24 * 60);
  set(number::distance, scaled(row.decimal(column::distance), 1000.0F, 700.0F));
  set(number::scheduled_time, scaled(static_cast<float>(minutes), 160.0F, 80.0F));
  set(number::temp, weather(column::temp, 57.0F, 18.0F));
  set(number::dewp, weather(column::dewp, 42.0F, 19.0F));
  set(number::humid, weather(column::humid, 60.0F, 20.0F));
  set(number::wind_speed, weather(column::wind_speed, 11.0F, 5.6F));
  const float inches = row.decimal_or(column::precip, 0.0F);
  if (inches < 0.0F) row.reject(column::precip, "is negative");
  set(number::precip, std::sqrt(inches) * 4.0F);
  set(number::pressure, weather(column::pressure, 1017.8F, 7.5F));
  set(number::visib, weather(column::visib, 10.0F, 2.0F));
  set(number::no_weather, row.text(column::pressure).empty() ? 1.0F : 0.0F);
}

void decode_keys(const vocabulary& words, const word_reader& row, std::uint32_t departs,
                 std::uint32_t arrives, columns& out, std::size_t i) {
  std::uint32_t known = 0;
  const auto set = [&](key k, std::uint32_t id) {
    out.keys[static_cast<std::size_t>(k)][i] = words.first_row(k) + id;
  };
  const auto look_up = [&](key k, std::uint32_t id) {
    known += id != 0 ? 1U : 0U;
    set(k, id);
  };
  const std::chrono::year_month_day date = row.date();
  const std::uint32_t origin = words.origins.find(row.word(column::origin));
  const std::uint32_t dest = words.dests.find(row.word(column::dest));
  look_up(key::carrier, words.carriers.find(row.word(column::carrier)));
  look_up(key::flight, words.flights.find(row.words(column::carrier, column::flight).view()));
  look_up(key::tailnum, words.tailnums.find(row.text(column::tailnum)));
  look_up(key::origin, origin);
  look_up(key::dest, dest);
  look_up(key::route, words.routes.find(row.words(column::origin, column::dest).view()));
  set(key::month, static_cast<unsigned>(date.month()) - 1);
  set(key::weekday, std::chrono::weekday{std::chrono::sys_days{date}}.c_encoding());
  set(key::departure, departs / 15);
  set(key::arrival, arrives / 60);
  set(key::dest_hour, dest * hours_of_a_day + departs / 60);
  set(key::wind, origin * wind_sectors + wind_sector(row));
  out.load[i] = known;
}

void decode_outcome(const word_reader& row, columns& out, std::size_t i) {
  const bool known = !row.text(column::arr_delay).empty();
  out.weight[i] = known ? 1.0F : 0.0F;
  out.late[i] = row.decimal_or(column::arr_delay, 0.0F) > minutes_late ? 1.0F : 0.0F;
}

/// Spreads every bit of a row's running hash over the whole word.
constexpr std::uint64_t mix(std::uint64_t hash, std::uint64_t value) {
  hash = (hash ^ value) * 0x9E3779B97F4A7C15U;
  return hash ^ (hash >> 29U);
}

std::uint64_t bits(float value) { return std::bit_cast<std::uint32_t>(value); }

}  // namespace

vocabulary::vocabulary(const flight_file& file, std::span<const std::uint32_t> rows) {
  for (const std::uint32_t index : rows) {
    const word_reader row{file, index};
    carriers.add(row.word(column::carrier));
    flights.add(row.words(column::carrier, column::flight).view());
    if (!row.text(column::tailnum).empty()) tailnums.add(row.text(column::tailnum));
    origins.add(row.word(column::origin));
    dests.add(row.word(column::dest));
    routes.add(row.words(column::origin, column::dest).view());
  }
  const std::array<std::uint32_t, key_count> sizes{carriers.size(),
                                                   flights.size(),
                                                   tailnums.size(),
                                                   origins.size(),
                                                   dests.size(),
                                                   routes.size(),
                                                   12,
                                                   7,
                                                   quarters_of_a_day,
                                                   hours_of_a_day,
                                                   dests.size() * hours_of_a_day,
                                                   origins.size() * wind_sectors};
  for (std::size_t k = 0; k < key_count; ++k) first_[k + 1] = first_[k] + sizes[k];
}

void columns::resize(std::size_t count) {
  rows = count;
  for (auto& values : keys) values.resize(count);
  for (auto& values : numbers) values.resize(count);
  late.resize(count);
  weight.resize(count);
  load.resize(count);
}

std::uint64_t checksum(const columns& batch) {
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < batch.rows; ++i) {
    std::uint64_t hash = 0;
    for (const auto& values : batch.keys) hash = mix(hash, values[i]);
    for (const auto& values : batch.numbers) hash = mix(hash, bits(values[i]));
    hash = mix(mix(hash, bits(batch.late[i])), bits(batch.weight[i]));
    sum += mix(hash, batch.load[i]);
  }
  return sum;
}

void h2d(const vocabulary& words, const raw_batch& in, columns& out, batch_context& context) {
  out.resize(in.rows.size());
  for (std::size_t i = 0; i < in.rows.size(); ++i) {
    const word_reader row{*in.file, in.rows[i]};
    const std::uint32_t departs = row.clock(column::sched_dep_time);
    const std::uint32_t arrives = row.clock(column::sched_arr_time);
    decode_keys(words, row, departs, arrives, out, i);
    decode_numbers(row, departs, arrives, out, i);
    decode_outcome(row, out, i);
  }
  context = {in.index, in.rows.size(), checksum(out)};
}

}  // namespace ranking
