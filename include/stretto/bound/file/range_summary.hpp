// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace stretto::bound::detail {

/// Tables of NVTX ranges that `nsys stats --format csv` prints, with lines around them that are no
/// rows: `nvtx_sum`, of what threads spent in a range, and `nvtx_gpu_proj_sum`, of what a device
/// did for it. They are told by the names of their columns.
class range_summary {
 public:
  /// A range, as `domain:name`, and its median, least and most, as they are written; of the last
  /// two nothing where there are no such columns.
  struct row {
    std::string range;
    std::string median;
    std::string least;
    std::string most;
    std::size_t line = 0;  ///< from 1
  };

  explicit range_summary(std::string_view text) {
    std::size_t line = 0;
    while (!text.empty()) {
      const std::size_t end = (std::min)(text.find('\n'), text.size());
      look_at(fields_of(text.substr(0, end)), ++line);
      text.remove_prefix((std::min)(end + 1, text.size()));
    }
  }

  /// In the order of the lines.
  const std::vector<row>& rows() const { return rows_; }
  /// Whether there was a table with medians in nanoseconds.
  bool has_table() const { return has_table_; }

 private:
  struct columns {
    std::size_t range = 0;
    std::size_t median = 0;
    std::size_t least = 0;  ///< none: as many as there are
    std::size_t most = 0;
    std::size_t all = 0;
  };

  void look_at(std::vector<std::string> fields, std::size_t line) {
    if (const std::optional<columns> found = header(fields)) {
      table_ = found;
      has_table_ = true;
    } else if (table_ && fields.size() == table_->all) {
      const auto field = [&](std::size_t column) {
        return column < fields.size() ? std::move(fields[column]) : std::string();
      };
      rows_.push_back({field(table_->range), field(table_->median), field(table_->least),
                       field(table_->most), line});
    } else {
      table_.reset();
    }
  }
  static std::optional<columns> header(const std::vector<std::string>& fields) {
    const auto at = [&](std::string_view name) {
      return static_cast<std::size_t>(std::find(fields.begin(), fields.end(), name) -
                                      fields.begin());
    };
    const auto at_one_of = [&](std::string_view own, std::string_view projected) {
      return (std::min)(at(own), at(projected));
    };
    const columns found{at("Range"), at_one_of("Med (ns)", "Proj Med (ns)"),
                        at_one_of("Min (ns)", "Proj Min (ns)"),
                        at_one_of("Max (ns)", "Proj Max (ns)"), fields.size()};
    if (found.range == found.all || found.median == found.all) return std::nullopt;
    return found;
  }
  /// A line of CSV: what is between quotes may have commas, and quotes that are doubled.
  static std::vector<std::string> fields_of(std::string_view line) {
    if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
    std::vector<std::string> all(1);
    bool quoted = false;
    for (std::size_t i = 0; i < line.size(); ++i) {
      const bool doubled = quoted && line.substr(i, 2) == "\"\"";
      if (line[i] == '"' && !doubled) {
        quoted = !quoted;
      } else if (line[i] == ',' && !quoted) {
        all.emplace_back();
      } else {
        all.back() += line[i];
        if (doubled) ++i;
      }
    }
    return all;
  }

  std::vector<row> rows_;
  std::optional<columns> table_;  ///< whose rows come
  bool has_table_ = false;
};

}  // namespace stretto::bound::detail
