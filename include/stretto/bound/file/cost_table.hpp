// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <fstream>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <sstream>
#include <stretto/bound/costs.hpp>
#include <stretto/bound/file/range_summary.hpp>
#include <stretto/dynamic/file/problem.hpp>
#include <stretto/plan/model/graph.hpp>
#include <stretto/plan/model/text_builder.hpp>
#include <stretto/plan/model/view.hpp>
#include <stretto/run/error.hpp>
#include <stretto/text/utf8.hpp>
#include <stretto/text/visible.hpp>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

namespace stretto {

/// What tasks take for a batch, in nanoseconds, with names of its own: to be kept in a file, and to
/// be handed to `bound_of` and `simulate`. A file is an object such as
/// `{"stretto": 1, "nanoseconds": {"load": 1200000, "pull": 0}}`. If a schedule was found for these
/// costs, `"best_within": {"load": [0, 1500000]}` says that it stays the best while one of them is
/// in its range; `[900000]` is a range without an end.
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
      if (!times_.emplace(c.task, c.time).second) bound::shared::costs_name_a_task_twice(c.task);
    }
  }

  /// Reads the text of a file. Throws `dynamic::file_error`, with \p name, if it is no such object,
  /// has other fields, names a task twice, or a time is not a whole number of nanoseconds.
  static cost_table parse(std::string_view text, std::string_view name = "costs.json") {
    const nlohmann::json file = parsed(text, name);
    if (!file.is_object()) refuse(name, "expected an object");
    for (const auto& [key, value] : file.items())
      if (key != "stretto" && key != "nanoseconds" && key != "best_within")
        refuse(name, "unknown field \"" + text::visible(key) +
                         R"(": there are "stretto", "nanoseconds" and "best_within")");
    if (const auto version = file.find("stretto"); version == file.end() || *version != 1)
      refuse(name, "field \"stretto\" has to be 1, the version of the format");
    const auto times = file.find("nanoseconds");
    if (times == file.end() || !times->is_object())
      refuse(name, "field \"nanoseconds\" has to be an object with a time for each task");
    cost_table table;
    for (const auto& [task, time] : times->items())
      table.times_.emplace(task, whole(name, task, time));
    if (const auto ranges = file.find("best_within"); ranges != file.end())
      table.read_ranges(name, *ranges);
    return table;
  }
  /// Reads a file. Throws `dynamic::file_error` if that cannot be read, and as `parse` does.
  static cost_table load(const std::string& path) { return parse(content_of(path), path); }

  /// Reads a trace as `write_trace` writes it: the median of each task's times. The source counts
  /// nothing, as of `measured_costs`. Throws `dynamic::file_error` if it is no such trace.
  static cost_table parse_trace(std::string_view text, std::string_view name = "trace.json") {
    const nlohmann::json file = parsed(text, name);
    const auto events = file.is_object() ? file.find("traceEvents") : file.end();
    if (!file.is_object() || events == file.end() || !events->is_array())
      refuse(name, "this is no trace: it has no list \"traceEvents\"");
    std::map<std::string, std::vector<long long>, std::less<>> times;
    for (const nlohmann::json& e : *events) {
      if (!e.is_object() || !holds(e, "ph", "X") || !holds(e, "cat", "task")) continue;
      const auto task = e.find("name");
      const auto took = e.find("dur");
      const double in_nanoseconds =
          task != e.end() && task->is_string() && took != e.end() && took->is_number()
              ? took->get<double>() * 1e3
              : -1;
      if (!(in_nanoseconds >= 0 && in_nanoseconds <= longest))
        refuse(name, "event " + std::to_string(&e - &*events->begin()) +
                         " is of a task, and has no name or no time");
      times[task->get<std::string>()].push_back(std::llround(in_nanoseconds));
    }
    if (times.empty()) refuse(name, "no task ran in this trace");
    cost_table table;
    table.times_.emplace("pull", 0);
    for (auto& [task, all] : times) {
      const auto middle = all.begin() + static_cast<std::ptrdiff_t>(all.size() / 2);
      std::nth_element(all.begin(), middle, all.end());
      table.times_.insert_or_assign(task, *middle);
    }
    return table;
  }
  static cost_table load_trace(const std::string& path) {
    return parse_trace(content_of(path), path);
  }

  /// Reads what `nsys stats --format csv` prints of a run with `nvtx_ranges`: the median of each
  /// task's range in the report `nvtx_sum`, and what the device did for it in `nvtx_gpu_proj_sum`.
  /// Of a task that is there more than once, the last line counts. The source counts nothing, as of
  /// `measured_costs`. Throws `dynamic::file_error` if it has no such range, or no time for one.
  static cost_table parse_nvtx(std::string_view text, std::string_view name = "nvtx_sum.csv") {
    constexpr std::string_view domain = "stretto:";
    const bound::detail::range_summary summary(text);
    if (!summary.has_table())
      refuse(name,
             "this is no report of NVTX ranges in nanoseconds: it has no columns \"Range\" and "
             "\"Med (ns)\" or \"Proj Med (ns)\"; `nsys stats --report nvtx_sum --format csv` "
             "prints one");
    cost_table table;
    for (const bound::detail::range_summary::row& r : summary.rows()) {
      if (r.range.substr(0, domain.size()) != domain) continue;
      const std::string task = r.range.substr(domain.size());
      if (task == planner::pull_name || task == planner::deliver_name) continue;
      table.times_.insert_or_assign(task, nanoseconds_in(r, name));
    }
    if (table.times_.empty())
      refuse(name, "no range is of the domain `stretto`: profile a run with `st::nvtx_ranges`");
    table.times_.emplace(planner::pull_name, 0);
    return table;
  }
  static cost_table load_nvtx(const std::string& path) {
    return parse_nvtx(content_of(path), path);
  }

  /// Times of \p other take the place of those that are here, and those of other tasks are added.
  void update(const cost_table& other) {
    for (const auto& [task, time] : other.times_) times_.insert_or_assign(task, time);
  }

  /// The text of a file, tasks in the order of their names. Throws `usage_error` if a name is not
  /// UTF-8.
  std::string to_json() const {
    nlohmann::json file{{"stretto", 1}, {"nanoseconds", nlohmann::json::object()}};
    for (const auto& [task, time] : times_) file["nanoseconds"][task] = time;
    for (const auto& [task, r] : ranges_) {
      file["best_within"][task] = nlohmann::json::array({r.least});
      if (r.most) file["best_within"][task].push_back(*r.most);
    }
    try {
      return file.dump(2) + "\n";
    } catch (const nlohmann::json::exception&) {
      throw usage_error("the name of a task is not UTF-8: a file cannot hold it");
    }
  }
  /// Writes a file. Throws `dynamic::file_error` if that cannot be written.
  void save(const std::string& path) const {
    const std::string text = to_json();
    std::ofstream out(path, std::ios::binary | std::ios::trunc);
    out << text;
    out.close();
    if (!out) refuse(path, "cannot be written");
  }

  /// What to hand on. Refers to the table's names.
  std::vector<task_cost> costs() const {
    std::vector<task_cost> all;
    all.reserve(times_.size());
    for (const auto& [task, time] : times_) all.push_back({task, time});
    return all;
  }

  /// Says in what range of the cost of a task of the table, all others taking what they do, a
  /// schedule stays the best that was found for these costs. Without one it does only for the cost
  /// as it is. Throws `usage_error` if the table has no such task, or its cost is not in the range.
  void set_range(std::string_view task, range within) {
    const auto told = times_.find(task);
    if (told == times_.end()) bound::shared::costs_name_what_is_no_task_of_this_plan(task);
    if (!holds(within, told->second))
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
    for (const auto& [task, time] : times_) {
      const task_cost* const is = told(now, task);
      if (is == nullptr) {
        all.push_back("task `" + text::visible_name(task) +
                      "`, with which the schedule was found, is none of its tasks any more");
      } else if (const range within = range_of(task); !holds(within, is->time)) {
        planner::text_builder said;
        said.add("task ").quoted(task).add(" takes ").number(is->time);
        said.add(", but the schedule was found for ").number(time);
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
    for (const auto& [task, time] : times_)
      if (const task_cost* const is = told(now, task); is != nullptr && is->time != time)
        all.push_back(task);
    return all;
  }

 private:
  static constexpr auto most = static_cast<std::uint64_t>((std::numeric_limits<long long>::max)());

  static constexpr double longest = 4e18;  // of a double that is one in whole nanoseconds

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
    return {times_.at(task), times_.at(task)};
  }

  static long long whole(std::string_view name, const std::string& task,
                         const nlohmann::json& time) {
    const bool fits = time.is_number_integer() &&
                      !(time.is_number_unsigned() && time.get<std::uint64_t>() > most);
    if (!fits || time.get<long long>() < 0)
      refuse(name, "task `" + text::visible_name(task) +
                       "`: expected a whole number of nanoseconds, found " + shown(time));
    return time.get<long long>();
  }
  void read_ranges(std::string_view name, const nlohmann::json& ranges) {
    if (!ranges.is_object())
      refuse(name, "field \"best_within\" has to be an object with a range for each task");
    for (const auto& [task, ends] : ranges.items()) {
      if (!ends.is_array() || ends.empty() || ends.size() > 2)
        refuse(name, "task `" + text::visible_name(task) +
                         "`: a range is a list of the least and, if there is one, the most");
      range within{whole(name, task, ends[0]), {}};
      if (ends.size() == 2) within.most = whole(name, task, ends[1]);
      try {
        set_range(task, within);
      } catch (const usage_error& e) {
        refuse(name, "field \"best_within\": " + std::string(e.what()));
      }
    }
  }

  [[noreturn]] static void refuse(std::string_view name, std::string what) {
    throw dynamic::file_error(name, {{{}, {}, std::move(what)}});
  }
  static std::string content_of(const std::string& path) {
    std::ifstream in(path, std::ios::binary);
    if (!in) refuse(path, "cannot be opened");
    in.peek();  // which a folder fails
    if (in.bad()) refuse(path, "cannot be read");
    std::ostringstream text;
    text << in.rdbuf();
    if (in.bad()) refuse(path, "cannot be read to its end");
    return text.str();
  }
  static long long nanoseconds_in(const bound::detail::range_summary::row& r,
                                  std::string_view name) {
    double time = -1;
    const char* const end = r.median.data() + r.median.size();
    const auto read = std::from_chars(r.median.data(), end, time);
    if (read.ec != std::errc() || read.ptr != end || !(time >= 0 && time <= longest))
      refuse(name, "line " + std::to_string(r.line) + ": range `" + text::visible_name(r.range) +
                       "` has no time in nanoseconds, but `" +
                       text::visible(text::beginning(r.median, 40)) + "`");
    return std::llround(time);
  }
  static bool holds(const nlohmann::json& object, const char* field, const char* text) {
    const auto found = object.find(field);
    return found != object.end() && found->is_string() && *found == text;
  }
  /// A value as messages show it; whatever nests in it stays out.
  static std::string shown(const nlohmann::json& value) {
    if (value.is_structured()) return value.is_array() ? "a list" : "an object";
    constexpr std::size_t most_bytes = 40;
    const std::string all = value.dump(-1, ' ', true, nlohmann::json::error_handler_t::replace);
    return text::visible(text::beginning(all, most_bytes)) +
           (all.size() <= most_bytes ? "" : "...");
  }
  /// Of two fields of one name a parser keeps one, in silence.
  static nlohmann::json parsed(std::string_view text, std::string_view name) {
    std::vector<std::set<std::string>> open;
    const auto look = [&](int, nlohmann::json::parse_event_t event, nlohmann::json& value) {
      using at = nlohmann::json::parse_event_t;
      if (event == at::object_start) open.emplace_back();
      if (event == at::object_end) open.pop_back();
      if (event == at::key && !open.back().insert(value.get<std::string>()).second)
        refuse(name, "field \"" + text::visible(value.get<std::string>()) + "\" appears twice");
      return true;
    };
    try {
      return nlohmann::json::parse(text, look);
    } catch (const nlohmann::json::exception& e) {
      refuse(name, text::visible(e.what()));
    }
  }

  std::map<std::string, long long, std::less<>> times_;
  std::map<std::string, range, std::less<>> ranges_;
};

}  // namespace stretto
