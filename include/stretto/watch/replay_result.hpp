// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <stretto/bound/bound_of.hpp>
#include <stretto/bound/costs.hpp>
#include <stretto/plan/model/view.hpp>
#include <stretto/run/error.hpp>
#include <stretto/text/in_units.hpp>
#include <stretto/text/shown.hpp>
#include <stretto/watch/slope.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace stretto {

/// What came of replaying tasks of a pipeline: `replay::result`.
struct replay_result {
  using seconds = std::chrono::duration<double>;

  /// Of a task.
  struct row {
    std::string task;
    seconds time{};             ///< what a run of it takes: the median of stretches without replay
    seconds replayed{};         ///< what putting the recording in its place takes
    std::vector<double> saved;  ///< by stretch in which it was replayed: seconds less per batch
    double modelled = std::nan("");  ///< what the model says of that, once it was asked

    /// By how much a batch takes less without the task's time, and the bounds of a 95 % interval;
    /// without bounds, infinite, where it was replayed in fewer than eight stretches.
    watch::detail::slope exposed() const {
      std::vector<watch::detail::padded> all;
      all.reserve(saved.size());
      for (const double s : saved) all.push_back({1, s});
      return watch::detail::slope_of(all);
    }
    /// What of that the model does not tell: tasks that run at the same time and take longer for
    /// that, such as by the memory that they share. Not a number until the model was asked.
    seconds interference() const { return seconds(exposed().value - modelled); }
  };

  std::vector<row> tasks;    ///< as the schedule lists them
  seconds period{};          ///< per batch: the median of stretches without replay
  seconds modelled{};        ///< what the model says of that, once it was asked
  std::size_t batches = 0;   ///< of a stretch
  bool timed = true;         ///< not where the runs compared
  std::size_t compared = 0;  ///< values that were as recorded

  /// The line of a task. Null if there is none.
  const row* of(std::string_view task) const {
    for (const row& r : tasks)
      if (r.task == task) return &r;
    return nullptr;
  }

  /// What tasks take, in nanoseconds, for `bound_of` and `advise`; of \p replayed, what replaying
  /// it does. Refers to the names here.
  std::vector<task_cost> costs(std::string_view replayed = {}) const {
    std::vector<task_cost> all;
    all.reserve(tasks.size());
    for (const row& r : tasks)
      all.push_back(
          {r.task, std::llround((r.task == replayed ? r.replayed : r.time).count() * 1e9)});
    return all;
  }

  /// Asks the model of a schedule what it says of the same.
  template <class Schedule, bound::pace Pace = run_ahead>
  void hold_against(Pace pace = {}) {
    ask([pace](const std::vector<task_cost>& all) {
      return bound_of<Schedule>(view_of(all), pace).period().value();
    });
  }
  /// Likewise of one that is a value.
  template <bound::planned Planned, bound::pace Pace = run_ahead>
  void hold_against(const Planned& planned, Pace pace = {}) {
    ask([&planned, pace](const std::vector<task_cost>& all) {
      return bound_of(planned, view_of(all), pace).period().value();
    });
  }

  /// Adds what came of other pipelines of the same schedule. Throws `usage_error` if it is another.
  void add(const replay_result& other) {
    const bool alike =
        std::equal(tasks.begin(), tasks.end(), other.tasks.begin(), other.tasks.end(),
                   [](const row& a, const row& b) { return a.task == b.task; });
    if (!alike) throw usage_error("results of replays are added that are of other tasks");
    for (std::size_t t = 0; t < tasks.size(); ++t) {
      const row& from = other.tasks[t];
      if (tasks[t].saved.empty()) tasks[t].replayed = from.replayed;
      tasks[t].saved.insert(tasks[t].saved.end(), from.saved.begin(), from.saved.end());
    }
    compared += other.compared;
  }

  /// For people: a line for each task that was replayed.
  std::string text() const {
    using text::in_units;
    if (!timed)
      return "what tasks did while others were replayed is what they did when that was recorded: " +
             std::to_string(compared) + " values were compared, and nothing was timed\n";
    const bool asked = modelled.count() > 0;
    std::string all = "a progress takes " + in_units(period);
    if (asked) all += ", modelled " + in_units(modelled);
    const double apart = std::abs(modelled / period - 1);
    if (asked && apart > 0.05)
      all += ", " + std::to_string(std::lround(100 * apart)) +
             " % apart: the model does not tell what these runs took, or the machine did something "
             "else, too";
    all += "; stretches of " + std::to_string(batches) + " batches";
    std::vector<std::array<std::string, 6>> cells{
        {"task", "time", "replayed in", "stretches", "exposed", asked ? "modelled" : ""}};
    std::vector<std::string> ends{asked ? "interference" : ""};
    for (const row& r : tasks) {
      if (r.saved.empty()) continue;
      const watch::detail::slope s = r.exposed();
      std::string exposed = in_units(seconds(s.value));
      if (std::isfinite(s.high))
        exposed += " (" + in_units(seconds(s.low)) + " to " + in_units(seconds(s.high)) + ")";
      cells.push_back({text::shown(r.task), in_units(r.time), in_units(r.replayed),
                       std::to_string(r.saved.size()), exposed,
                       asked ? in_units(seconds(r.modelled)) : ""});
      ends.push_back(asked ? in_units(r.interference()) : "");
    }
    std::array<std::size_t, 6> widths{};
    for (const auto& line : cells)
      for (std::size_t c = 0; c < widths.size(); ++c)
        widths[c] = (std::max)(widths[c], text::columns(line[c]));
    for (std::size_t i = 0; i < cells.size(); ++i) {
      std::string line = "\n  ";
      for (std::size_t c = 0; c < widths.size(); ++c)
        line += cells[i][c] + std::string(widths[c] - text::columns(cells[i][c]) + 2, ' ');
      line += ends[i];
      all += line.erase(line.find_last_not_of(' ') + 1);
    }
    return all + "\n";
  }

 private:
  static planner::view<task_cost> view_of(const std::vector<task_cost>& all) {
    return {all.data(), all.size()};
  }
  template <class Period>
  void ask(Period period_of) {
    const double now = period_of(costs()) * 1e-9;
    modelled = seconds(now);
    for (row& r : tasks)
      if (!r.saved.empty()) r.modelled = now - period_of(costs(r.task)) * 1e-9;
  }
};

}  // namespace stretto
