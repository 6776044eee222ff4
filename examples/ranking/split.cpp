// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "split.hpp"
#include <algorithm>
#include <charconv>
#include <chrono>
#include "random.hpp"

namespace ranking {
namespace {

constexpr int days_between_held_out = 6;

std::chrono::sys_days day_of(const flight_file& file, std::size_t row) {
  const std::string_view text = file.line(row).substr(0, 10);
  int year = 0;
  unsigned month = 0;
  unsigned day = 0;
  const auto read = [&](std::size_t from, std::size_t count, auto& value) {
    if (text.size() < from + count) return;
    std::from_chars(text.data() + from, text.data() + from + count, value);
  };
  read(0, 4, year);
  read(5, 2, month);
  read(8, 2, day);
  const std::chrono::year_month_day date{std::chrono::year{year}, std::chrono::month{month},
                                         std::chrono::day{day}};
  if (!date.ok()) reject_field(file, row, column::date, text, "is not a date like 2013-12-31");
  return date;
}

}  // namespace

split_rows split_by_day(const flight_file& file, unsigned phase) {
  using namespace std::chrono;
  split_rows split;
  for (std::uint32_t row = 0; row < file.rows(); ++row) {
    const auto number = day_of(file, row) - sys_days{year{2013} / January / 1};
    const auto rest =
        (number.count() % days_between_held_out + days_between_held_out) % days_between_held_out;
    (rest == static_cast<int>(phase) ? split.held_out : split.training).push_back(row);
  }
  return split;
}

std::size_t count_without_outcome(const flight_file& file, std::span<const std::uint32_t> rows) {
  return static_cast<std::size_t>(std::ranges::count_if(
      rows, [&](std::uint32_t row) { return file.line(row).ends_with(','); }));
}

batch_source::batch_source(const flight_file& file, std::span<const std::uint32_t> rows,
                           std::size_t batch_rows, std::size_t passes, std::uint64_t seed)
    : file_(&file), rows_(rows.size()), batch_rows_(batch_rows), passes_(passes) {
  order_.reserve(rows_ * passes_);
  for (std::size_t pass = 0; pass < passes_; ++pass) {
    const auto first = order_.insert(order_.end(), rows.begin(), rows.end());
    random_numbers draw{seed + pass};
    shuffle(std::span(first, order_.end()), draw);
  }
}

std::optional<raw_batch> batch_source::operator()() {
  if (next_ == batches()) return std::nullopt;
  const std::size_t pass = next_ / batches_per_pass();
  const std::size_t start = next_ % batches_per_pass() * batch_rows_;
  const std::size_t count = std::min(batch_rows_, rows_ - start);
  return raw_batch{next_++, file_, std::span(order_).subspan(pass * rows_ + start, count)};
}

}  // namespace ranking
