// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace ranking {

/// The columns of the data file, in its order. Only what is known before departure, and the
/// outcome.
enum class column : std::uint8_t {
  date,
  sched_dep_time,
  sched_arr_time,
  carrier,
  flight,
  tailnum,
  origin,
  dest,
  distance,
  temp,
  dewp,
  humid,
  wind_dir,
  wind_speed,
  precip,
  pressure,
  visib,
  arr_delay
};

inline constexpr std::array<std::string_view, 18> column_names{
    "date",     "sched_dep_time", "sched_arr_time", "carrier",  "flight", "tailnum",
    "origin",   "dest",           "distance",       "temp",     "dewp",   "humid",
    "wind_dir", "wind_speed",     "precip",         "pressure", "visib",  "arr_delay"};

/// Something is wrong with the data file; the text says what, and where.
struct data_error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// The text of a data file, cut into lines but not yet decoded.
class flight_file {
 public:
  /// Reads a CSV file, gzip-compressed or plain. Throws `data_error`.
  static flight_file load(const std::filesystem::path& path);
  /// Takes the text of a CSV file; `name` is what errors call it. Throws `data_error`.
  static flight_file parse(std::string name, std::string text);

  std::size_t rows() const { return starts_.size() - 1; }
  std::string_view line(std::size_t row) const;
  std::size_t line_number(std::size_t row) const { return row + 2; }  // from 1, after the header
  const std::string& name() const { return name_; }

 private:
  std::string name_;
  std::string text_;
  std::vector<std::size_t> starts_;  // of each row, and the end of the last one
};

/// One row, cut into its columns.
using fields = std::array<std::string_view, column_names.size()>;

/// Throws `data_error` unless the row has exactly the columns of the schema.
fields split(const flight_file& file, std::size_t row);

constexpr std::string_view at(const fields& row, column c) {
  return row[static_cast<std::size_t>(c)];
}

/// Throws a `data_error` naming file, line, column, the text found there and the reason.
[[noreturn]] void reject_field(const flight_file& file, std::size_t row, column c,
                               std::string_view text, std::string_view reason);

}  // namespace ranking
