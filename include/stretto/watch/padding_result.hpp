// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <stretto/text/in_units.hpp>
#include <stretto/text/shown.hpp>
#include <stretto/watch/slope.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace stretto {

/// What came of padding the tasks of a pipeline: `padding::result`.
struct padding_result {
  using seconds = std::chrono::duration<double>;

  /// What is known of a task.
  enum class finding {
    hidden,      ///< its slope is at most `least_slope`
    exposed,     ///< its slope is more than that
    unknown,     ///< the interval says neither: more stretches are needed
    not_padded,  ///< it works on a device, and the padding is none for devices
  };
  static constexpr double least_slope = 0.1;

  /// Of a task. Of one that runs once per N batches, an N-th of its time and of what it was padded
  /// by counts.
  struct row {
    std::string task;
    bool on_device = false;     ///< its time is that of its work there
    std::size_t stretches = 0;  ///< in which it was padded
    seconds time{};             ///< what it takes for a batch: the median of unpadded stretches
    /// How much longer a progress took by how much longer the task took, and the bounds of a 95 %
    /// interval; without bounds, infinite, where it was padded in fewer than eight stretches.
    double slope = 0;
    double low = 0;
    double high = 0;
    bool is_padded = true;  ///< whether its turn comes

    finding found() const {
      if (!is_padded) return finding::not_padded;
      if (high <= least_slope) return finding::hidden;
      return low > least_slope ? finding::exposed : finding::unknown;
    }
    /// What a progress would take less, at most, if the task took no time.
    seconds exposed_at_most() const { return time * (std::max)(0.0, (std::min)(1.0, high)); }
  };

  std::vector<row> tasks;     ///< as the schedule lists them
  seconds period{};           ///< per batch: the median of unpadded stretches
  std::size_t stretches = 0;  ///< in which some task was padded
  std::size_t batches = 0;    ///< of a stretch
  seconds longest{};          ///< by which tasks were padded

  /// The line of a task. Null if there is none.
  const row* of(std::string_view task) const {
    for (const row& r : tasks)
      if (r.task == task) return &r;
    return nullptr;
  }

  /// The tasks that are exposed, by name.
  std::vector<std::string> exposed() const {
    std::vector<std::string> names;
    for (const row& r : tasks)
      if (r.found() == finding::exposed) names.push_back(r.task);
    return names;
  }

  /// For people: a line for each task.
  std::string text() const {
    using text::in_units;
    std::string all = "a progress takes " + in_units(period) + "; tasks were padded by up to " +
                      in_units(longest) + " in " + std::to_string(stretches) + " stretches of " +
                      std::to_string(batches) + " batches";
    std::vector<std::array<std::string, 3>> cells{{"task", "time", "slope"}};
    std::vector<std::string> ends{"exposed"};
    for (const row& r : tasks) {
      const bool bounded = r.is_padded && std::isfinite(r.high);
      cells.push_back(
          {text::shown(r.task), r.is_padded ? in_units(r.time) : "",
           bounded ? number(r.slope) + " (" + number(r.low) + " to " + number(r.high) + ")" : ""});
      ends.push_back(end_of(r));
    }
    std::array<std::size_t, 3> widths{};
    for (const auto& line : cells)
      for (std::size_t c = 0; c < widths.size(); ++c)
        widths[c] = (std::max)(widths[c], text::columns(line[c]));
    for (std::size_t i = 0; i < cells.size(); ++i) {
      all += "\n  ";
      for (std::size_t c = 0; c < widths.size(); ++c)
        all += cells[i][c] + std::string(widths[c] - text::columns(cells[i][c]) + 2, ' ');
      all += ends[i];
    }
    return all + "\n";
  }

 private:
  static std::string number(double value) {
    std::array<char, 48> digits{};
    std::snprintf(digits.data(), digits.size(), "%.2f", value);
    return digits.data();
  }
  static std::string end_of(const row& r) {
    switch (r.found()) {
      case finding::hidden: return "no";
      case finding::exposed: return "up to " + text::in_units(r.exposed_at_most());
      case finding::unknown:
        return r.stretches < watch::detail::fewest_comparisons
                   ? "unknown: padded in " + std::to_string(r.stretches) + " stretches"
                   : "unknown: more stretches are needed";
      case finding::not_padded: break;
    }
    return "unknown: it works on a device, for which there is `cuda::padding`";
  }
};

}  // namespace stretto
