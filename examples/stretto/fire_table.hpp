// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cstddef>
#include <stdexcept>
#include <stretto/dynamic.hpp>
#include <stretto/plan/model/firing.hpp>
#include <stretto/text/visible.hpp>
#include <string>

/// A row a task, a column a progress: the batch that the task works on, or a dot.
inline std::string fire_table(const stretto::dynamic::planned_schedule& p, std::size_t batches) {
  const std::size_t progresses = batches + p.in_flight() - 1;
  constexpr std::size_t most_cells = 10'000'000;
  if (progresses > most_cells / p.plan().order.size())
    throw std::length_error("the table would have more than 10,000,000 cells");
  std::size_t width = 0;
  constexpr std::size_t widest = 40;  // or one long name would pad all rows
  for (const std::size_t n : p.plan().order)
    width = std::max(width, std::min(widest, stretto::text::visible_name(p.name_of(n)).size()));
  const std::size_t cell = 2 + std::to_string(progresses).size();
  const auto row = [&](std::string title, const auto& text_of) {
    title.append(width - std::min(width, title.size()), ' ');
    for (std::size_t i = 0; i < progresses; ++i) {
      const std::string text = text_of(i);
      title.append(cell - text.size(), ' ');
      title += text;
    }
    return title + "\n";
  };
  width = std::max(width, std::string("progress").size());
  std::string table = row("progress", [](std::size_t i) { return std::to_string(i); });
  for (const std::size_t n : p.plan().order)
    table += row(stretto::text::visible_name(p.name_of(n)), [&](std::size_t i) {
      const std::size_t lag = p.lag()[n];
      return stretto::planner::fires(lag, i, batches) ? std::to_string(i - lag) : std::string(".");
    });
  return table;
}
