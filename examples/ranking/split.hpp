// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>
#include "encoding.hpp"
#include "flights.hpp"

namespace ranking {

/// Rows to train on and rows held out, of different days.
struct split_rows {
  std::vector<std::uint32_t> training;
  std::vector<std::uint32_t> held_out;
};

/// Every sixth day of the year is held out: whole days, since flights of one day share their
/// delays, and six and seven have no common factor, so all weekdays are among them. `phase` is
/// which sixth.
split_rows split_by_day(const flight_file& file, unsigned phase = 3);

/// Rows whose outcome is missing (cancelled or diverted flights). They carry no weight.
std::size_t count_without_outcome(const flight_file& file, std::span<const std::uint32_t> rows);

/// A callable source of batches: several passes over the rows, each in its own shuffled order.
/// What it hands out stays valid for as long as the source lives.
class batch_source {
 public:
  batch_source(const flight_file& file, std::span<const std::uint32_t> rows, std::size_t batch_rows,
               std::size_t passes, std::uint64_t seed = 1);

  std::optional<raw_batch> operator()();

  std::size_t batches() const { return passes_ * batches_per_pass(); }
  std::size_t batches_per_pass() const { return (rows_ + batch_rows_ - 1) / batch_rows_; }

 private:
  const flight_file* file_;
  std::size_t rows_;
  std::size_t batch_rows_;
  std::size_t passes_;
  std::vector<std::uint32_t> order_;  // all passes, one after the other
  std::uint64_t next_ = 0;
};

}  // namespace ranking
