// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdio>
#include <optional>
#include <stretto/text/in_units.hpp>
#include <stretto/text/shown.hpp>
#include <stretto/watch/activity.hpp>
#include <string>

namespace stretto {

namespace watch::detail {

inline std::string number(double value) {
  std::array<char, 48> text{};
  std::snprintf(text.data(), text.size(), "%.*f", value >= 99.5 ? 0 : 1, value);
  return text.data();
}

}  // namespace watch::detail

/// How a run stands, in one line without a line break: batches that are through (of \p batches, if
/// it is known how many come), how many a second, batches in flight, the busiest thread, the slot
/// in which most batches wait, of how many that may, the longest wait before a task. Rates are
/// those since the look \p before, or since the run began if that was earlier than it.
inline std::string status_line(const activity& now, const activity& before = {},
                               std::optional<std::size_t> batches = {}) {
  using seconds = activity::seconds;
  const auto run_began = now.at - now.up;
  const bool of_this_run = before.running && before.at - before.up + seconds(1e-3) >= run_began &&
                           before.threads.size() == now.threads.size();
  const seconds passed = of_this_run ? seconds(now.at - before.at) : now.up;
  std::string line = std::to_string(now.through);
  if (batches) line += " of " + std::to_string(*batches);
  line += " batches";
  if (passed.count() > 0) {
    const std::size_t since = of_this_run ? before.through : 0;
    line +=
        ", " +
        watch::detail::number(static_cast<double>(now.through - (std::min)(since, now.through)) /
                              passed.count()) +
        " a second";
  }
  line += ", " + std::to_string(now.in_flight()) + " in flight";
  std::size_t busiest = 0;
  const auto worked = [&](std::size_t t) {
    return now.threads[t].busy - (of_this_run ? before.threads[t].busy : seconds{});
  };
  for (std::size_t t = 1; t < now.threads.size(); ++t)
    if (worked(t) > worked(busiest)) busiest = t;
  if (of_this_run && passed.count() > 0 && worked(busiest).count() > 0)
    line += ", busiest thread `" + text::shown(now.threads[busiest].name) + "` " +
            watch::detail::number(100 * worked(busiest) / passed) + " %";
  const activity::queue_row* fullest = nullptr;
  for (const activity::queue_row& q : now.queues)
    if (fullest == nullptr || q.waiting > fullest->waiting) fullest = &q;
  if (fullest != nullptr && fullest->waiting > 0)
    line += ", fullest queue `" + text::shown(fullest->slot) + "` " +
            std::to_string(fullest->waiting) + " of " + std::to_string(fullest->room);
  const activity::task_row* longest = nullptr;
  for (const activity::task_row& t : now.tasks)
    if (longest == nullptr || t.waits.longest > longest->waits.longest) longest = &t;
  if (longest != nullptr && longest->waits.longest.count() > 0)
    line += ", longest wait " + text::in_units(longest->waits.longest) + " before `" +
            text::shown(longest->name) + "`";
  return line;
}

}  // namespace stretto
