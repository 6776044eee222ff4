// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <stretto/bound/costs.hpp>
#include <stretto/bound/file/cost_json.hpp>
#include <stretto/bound/file/cost_times.hpp>
#include <stretto/bound/file/file_text.hpp>
#include <stretto/bound/file/nvtx_costs.hpp>
#include <stretto/bound/file/trace_costs.hpp>
#include <stretto/dynamic/file/new_file.hpp>
#include <stretto/plan/model/text_builder.hpp>
#include <stretto/plan/model/view.hpp>
#include <stretto/run/error.hpp>
#include <stretto/text/visible.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace stretto {

/// What tasks take for a batch, in nanoseconds, with names of its own: to be kept in a file, and to
/// be handed to `bound_of` and `simulate`. A file is an object such as
/// `{"stretto": 1, "nanoseconds": {"load": 1200000, "pull": 0}}`. What was measured also has
/// `"between": {"load": [1100000, 1500000]}`, as `task_cost` has `least` and `most`. If a schedule
/// was found for these costs, `"best_within": {"load": [0, 1500000]}` says that it stays the best
/// while one of them is in its range; `[900000]` is a range without an end.
class cost_table {
 public:
  /// Both ends are in it. Without `most` there is no upper end.
  struct range {
    long long least = 0;
    std::optional<long long> most{};
  };

  cost_table() = default;
  /// Copies what was measured, names and all. Throws `usage_error` if a task is there twice or
  /// takes less than no time.
  explicit cost_table(planner::view<task_cost> costs) {
    for (const task_cost& c : costs) {
      if (c.time < 0) bound::shared::a_task_costs_less_than_nothing(c.task);
      if (!times_.emplace(c.task, c).second) bound::shared::costs_name_a_task_twice(c.task);
    }
  }

  /// Reads the text of a file. Throws `dynamic::file_error`, with \p name, if it is no such object,
  /// has other fields, names a task twice, or a time is not a whole number of nanoseconds.
  static cost_table parse(std::string_view text, std::string_view name = "costs.json") {
    const bound::detail::cost_json file(text, name);
    cost_table table = of(file.times());
    for (const bound::detail::cost_json::range& r : file.ranges()) {
      try {
        table.set_range(r.task, {r.least, r.most});
      } catch (const usage_error& e) {
        bound::detail::refuse(name, "field \"best_within\": " + std::string(e.what()));
      }
    }
    return table;
  }
  /// Reads a file. Throws `dynamic::file_error` if that cannot be read, and as `parse` does.
  static cost_table load(const std::string& path) {
    return parse(bound::detail::table_in(path), path);
  }

  /// Reads a trace as `write_trace` writes it: the median of each task's times, and
  /// from where to where nine of ten are. The source counts
  /// nothing, as of `measured_costs`. Throws `dynamic::file_error` if it is no such trace.
  static cost_table parse_trace(std::string_view text, std::string_view name = "trace.json") {
    return of(bound::detail::trace_costs(text, name));
  }
  static cost_table load_trace(const std::string& path) {
    return parse_trace(bound::detail::trace_in(path), path);
  }

  /// Reads what `nsys stats --format csv` prints of a run with `nvtx_ranges`: the median of each
  /// task's range in the report `nvtx_sum`, and what the device did for it in `nvtx_gpu_proj_sum`;
  /// and its least and its most.
  /// Of a task that is there more than once, the last line counts. The source counts nothing, as of
  /// `measured_costs`. Throws `dynamic::file_error` if it has no such range, or no time for one.
  static cost_table parse_nvtx(std::string_view text, std::string_view name = "nvtx_sum.csv") {
    return of(bound::detail::nvtx_costs(text, name));
  }
  static cost_table load_nvtx(const std::string& path) {
    return parse_nvtx(bound::detail::table_in(path), path);
  }

  /// Times of \p other take the place of those that are here, and those of other tasks are added.
  void update(const cost_table& other) {
    for (const auto& [task, cost] : other.times_) times_.insert_or_assign(task, cost);
  }

  /// The text of a file, tasks in the order of their names. Throws `usage_error` if a name is not
  /// UTF-8.
  std::string to_json() const {
    nlohmann::json file{{"stretto", 1}, {"nanoseconds", nlohmann::json::object()}};
    for (const auto& [task, cost] : times_) {
      file["nanoseconds"][task] = cost.time;
      if (cost.varies()) file["between"][task] = nlohmann::json::array({cost.least, cost.most});
    }
    for (const auto& [task, r] : ranges_) file["best_within"][task] = ends_of(r);
    try {
      return file.dump(2) + "\n";
    } catch (const nlohmann::json::exception&) {
      throw usage_error("the name of a task is not UTF-8: a file cannot hold it");
    }
  }
  /// Writes a file. Throws `dynamic::file_error` if that cannot be written.
  void save(const std::string& path) const { dynamic::write_file(path, to_json()); }

  /// What to hand on. Refers to the table's names: keep the table.
  std::vector<task_cost> costs() const& {
    std::vector<task_cost> all;
    all.reserve(times_.size());
    for (const auto& [task, cost] : times_) all.push_back({task, cost.time, cost.least, cost.most});
    return all;
  }

  std::vector<task_cost> costs() const&& = delete;

  /// Says in what range of the cost of a task of the table, all others taking what they do, a
  /// schedule stays the best that was found for these costs. Without one it does only for the cost
  /// as it is. Throws `usage_error` if the table has no such task, or its cost is not in the range.
  void set_range(std::string_view task, range within) {
    const auto told = times_.find(task);
    if (told == times_.end()) bound::shared::costs_name_what_is_no_task_of_this_plan(task);
    if (!holds(within, told->second.time))
      throw usage_error(std::string("the cost of task `")
                            .append(task)
                            .append("` is not in the range in which it may be"));
    ranges_.insert_or_assign(std::string(task), within);
  }

  /// What has become of these costs: nothing if a schedule that was found for them is proved to be
  /// the best with the costs \p now, of all tasks; else a sentence for each task that came in, is
  /// gone, or takes what is not in its range.
  std::vector<std::string> changes(planner::view<task_cost> now) const {
    std::vector<std::string> all;
    for (const auto& [task, cost] : times_) {
      const task_cost* const is = told(now, task);
      if (is == nullptr) {
        all.push_back("task `" + text::visible_name(task) +
                      "`, with which the schedule was found, is none of its tasks any more");
      } else if (const range within = range_of(task); !holds(within, is->time)) {
        planner::text_builder said;
        said.add("task ").quoted(task).add(" takes ").number(is->time);
        said.add(", but the schedule was found for ").number(cost.time);
        if (ranges_.contains(task)) {
          said.add(" and is the best from ").number(within.least);
          if (within.most) said.add(" to ").number(*within.most);
          if (!within.most) said.add(" on");
        }
        all.push_back(said.text());
      }
    }
    for (const task_cost& is : now)
      if (!times_.contains(is.task))
        all.push_back("task `" + text::visible_name(is.task) +
                      "` came in after the schedule was found");
    return all;
  }
  /// The tasks that take other than they did, whether in their ranges or not. A range is of one
  /// task that changes: of several, only `is_optimal` tells.
  std::vector<std::string> changed(planner::view<task_cost> now) const {
    std::vector<std::string> all;
    for (const auto& [task, cost] : times_)
      if (const task_cost* const is = told(now, task); is != nullptr && is->time != cost.time)
        all.push_back(task);
    return all;
  }

 private:
  static cost_table of(bound::detail::cost_times times) {
    cost_table table;
    table.times_ = std::move(times);
    return table;
  }

  static std::vector<long long> ends_of(const range& r) {
    std::vector<long long> ends{r.least};
    if (r.most) ends.push_back(*r.most);
    return ends;
  }
  static bool holds(const range& r, long long cost) {
    return r.least <= cost && (!r.most || cost <= *r.most);
  }
  static const task_cost* told(planner::view<task_cost> costs, std::string_view task) {
    for (const task_cost& c : costs)
      if (c.task == task) return &c;
    return nullptr;
  }
  range range_of(const std::string& task) const {
    if (const auto known = ranges_.find(task); known != ranges_.end()) return known->second;
    const long long time = times_.at(task).time;
    return {time, time};
  }

  bound::detail::cost_times times_;
  std::map<std::string, range, std::less<>> ranges_;
};

}  // namespace stretto
