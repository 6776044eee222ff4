// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <stretto/bound/file/cost_times.hpp>
#include <stretto/bound/file/file_text.hpp>
#include <stretto/bound/file/parsed_json.hpp>
#include <stretto/text/visible.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace stretto::bound::detail {

/// A file of costs, as `cost_table` writes them.
class cost_json {
 public:
  /// In what range the cost of a task may be.
  struct range {
    std::string task;
    long long least = 0;
    std::optional<long long> most{};
  };

  /// Throws `dynamic::file_error`, with \p name, if the text is none.
  cost_json(std::string_view text, std::string_view name) : name_(name) {
    const nlohmann::json file = parsed_json(text, name);
    if (!file.is_object()) refuse(name, "expected an object");
    for (const auto& [key, value] : file.items())
      if (key != "stretto" && key != "nanoseconds" && key != "between" && key != "best_within")
        refuse(name, "unknown field \"" + text::visible(key) +
                         R"(": there are "stretto", "nanoseconds", "between" and "best_within")");
    if (const auto version = file.find("stretto"); version == file.end() || *version != 1)
      refuse(name, "field \"stretto\" has to be 1, the version of the format");
    const auto times = file.find("nanoseconds");
    if (times == file.end() || !times->is_object())
      refuse(name, "field \"nanoseconds\" has to be an object with a time for each task");
    for (const auto& [task, time] : times->items())
      times_.emplace(task, task_cost{{}, whole(task, time)});
    if (const auto between = file.find("between"); between != file.end()) read_between(*between);
    if (const auto ranges = file.find("best_within"); ranges != file.end()) read_ranges(*ranges);
  }

  const cost_times& times() const { return times_; }
  const std::vector<range>& ranges() const { return ranges_; }

 private:
  long long whole(const std::string& task, const nlohmann::json& time) const {
    constexpr auto most = static_cast<std::uint64_t>((std::numeric_limits<long long>::max)());
    const bool fits = time.is_number_integer() &&
                      !(time.is_number_unsigned() && time.get<std::uint64_t>() > most);
    if (!fits || time.get<long long>() < 0)
      refuse(name_, "task `" + text::visible_name(task) +
                        "`: expected a whole number of nanoseconds, found " + shown_json(time));
    return time.get<long long>();
  }
  void read_between(const nlohmann::json& all) {
    if (!all.is_object())
      refuse(name_, "field \"between\" has to be an object with two times for each task");
    for (const auto& [task, ends] : all.items()) {
      const auto of = times_.find(task);
      if (of == times_.end())
        refuse(name_, "field \"between\": task `" + text::visible_name(task) +
                          R"(` has no time in "nanoseconds")");
      if (!ends.is_array() || ends.size() != 2)
        refuse(name_, "task `" + text::visible_name(task) +
                          R"(`: "between" has a list of the least and the most for it)");
      of->second.least = whole(task, ends[0]);
      of->second.most = whole(task, ends[1]);
      if (of->second.least > of->second.time || of->second.time > of->second.most)
        refuse(name_, "task `" + text::visible_name(task) +
                          R"(`: its time in "nanoseconds" is not one of those that are "between")");
    }
  }
  void read_ranges(const nlohmann::json& ranges) {
    if (!ranges.is_object())
      refuse(name_, "field \"best_within\" has to be an object with a range for each task");
    for (const auto& [task, ends] : ranges.items()) {
      if (!ends.is_array() || ends.empty() || ends.size() > 2)
        refuse(name_, "task `" + text::visible_name(task) +
                          "`: a range is a list of the least and, if there is one, the most");
      range& within = ranges_.emplace_back(range{task, whole(task, ends[0]), {}});
      if (ends.size() == 2) within.most = whole(task, ends[1]);
    }
  }

  std::string_view name_;
  cost_times times_;
  std::vector<range> ranges_;
};

}  // namespace stretto::bound::detail
