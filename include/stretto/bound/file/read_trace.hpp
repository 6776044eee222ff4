// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <stretto/bound/bound_of.hpp>
#include <stretto/bound/file/cost_times.hpp>
#include <stretto/bound/file/file_text.hpp>
#include <stretto/bound/file/parsed_json.hpp>
#include <stretto/observe/timeline.hpp>
#include <stretto/plan/model/graph.hpp>
#include <stretto/text/visible.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace stretto {

namespace bound::detail {

/// A record out of a trace, as `write_trace` writes it of a run.
class trace_reader {
 public:
  /// \p tasks: as observers are told of them. Throws `dynamic::file_error`, with \p name.
  trace_reader(std::string_view text, std::string_view name,
               const std::vector<std::string_view>& tasks)
      : name_(name) {
    for (std::size_t t = 0; t < tasks.size(); ++t) tasks_.emplace(tasks[t], t);
    each_event(text, name, [&](const nlohmann::json& e, std::size_t number) {
      event_ = number;
      look_at(e);
    });
    if (threads_.empty() || runs_.empty()) refuse(name_, "no task ran in this trace");
    record_.attached(names_of(threads_), tasks);
    record_.name_streams(names_of(streams_));
    for (const run& r : runs_) {
      if (r.row >= (r.on_stream ? streams_ : threads_).size())
        refuse(name_, "a task ran on row " + std::to_string(r.row) +
                          ", of which the trace does not say what it is");
      if (r.on_stream)
        record_.add_on_stream(r.row, r.span);
      else
        record_.add(r.row, r.span);
    }
  }

  timeline record() && { return std::move(record_); }

 private:
  static constexpr std::size_t most_stretches = 0x7FFFFFFF;
  struct run {
    bool on_stream = false;
    std::size_t row = 0;
    timeline::span span;
  };

  [[noreturn]] void refuse_event(const std::string& why) const {
    refuse(name_, "event " + std::to_string(event_) + " " + why);
  }
  static std::string text_in(const nlohmann::json& object, const char* field) {
    const auto found = object.find(field);
    return found != object.end() && found->is_string() ? found->get<std::string>() : "";
  }
  std::size_t number_in(const nlohmann::json& object, const char* field) const {
    const auto found = object.find(field);
    if (found == object.end() || !found->is_number_unsigned())
      refuse_event(std::string("has no number \"") + field + '"');
    return found->get<std::size_t>();
  }
  timeline::clock::duration time_in(const nlohmann::json& object, const char* field) const {
    const auto found = object.find(field);
    const double time =
        found != object.end() && found->is_number() ? found->get<double>() * 1e3 : -1;
    if (!(time >= 0 && time <= longest_cost))
      refuse_event(std::string("has no time \"") + field + '"');
    return std::chrono::nanoseconds(std::llround(time));
  }
  static std::vector<std::string_view> names_of(const std::vector<std::string>& names) {
    return {names.begin(), names.end()};
  }

  /// Rows have names before tasks run on them, from the first to the last.
  void name_row(const nlohmann::json& e) {
    std::vector<std::string>& rows = number_in(e, "pid") == 2 ? streams_ : threads_;
    const auto args = e.find("args");
    if (number_in(e, "tid") != rows.size() || args == e.end() || !args->is_object())
      refuse_event("does not name the next row");
    rows.push_back(text_in(*args, "name"));
  }
  void look_at(const nlohmann::json& e) {
    if (!e.is_object()) return;
    const std::string phase = text_in(e, "ph");
    if (phase == "M" && text_in(e, "name") == "thread_name") name_row(e);
    const std::string kind = text_in(e, "cat");
    if (phase != "X" || (kind != "task" && kind != "source")) return;
    const auto task = tasks_.find(text_in(e, "name"));
    if (task == tasks_.end())
      refuse_event("is of a task `" + text::visible_name(text_in(e, "name")) +
                   "`, which the schedule does not have");
    const auto args = e.find("args");
    if (args == e.end() || !args->is_object()) refuse_event("has no batch");
    const timeline::clock::time_point begin(time_in(e, "ts"));
    std::size_t stretch = 0;
    if (args->contains("stretch")) stretch = number_in(*args, "stretch");
    if (stretch > most_stretches) refuse_event("has a \"stretch\" that no timeline counts to");
    runs_.push_back({number_in(e, "pid") == 2,
                     number_in(e, "tid"),
                     {task->second, number_in(*args, "batch"), begin, begin + time_in(e, "dur"),
                      static_cast<std::uint32_t>(stretch)}});
  }

  std::string_view name_;
  std::size_t event_ = 0;
  std::map<std::string, std::size_t, std::less<>> tasks_;
  std::vector<std::string> threads_;
  std::vector<std::string> streams_;
  std::vector<run> runs_;
  timeline record_;
};

}  // namespace bound::detail

/// The record of a run of a schedule that is a value, or of the types it was made of, out of a
/// trace that `write_trace` wrote of it: for `idle_of`, `write_report` and pictures. \p planned is
/// a `dynamic::planned_schedule`. Throws `dynamic::file_error`, with \p name, if the text is no
/// such trace, or a task in it is none of the schedule.
template <bound::planned Planned>
timeline parse_trace(const Planned& planned, std::string_view text,
                     std::string_view name = "trace.json") {
  const planner::declaration& declared = planned.declaration();
  std::vector<std::string_view> tasks;
  for (std::size_t n = 0; n < declared.tasks.size() + 2; ++n)  // with `pull` and `deliver`
    tasks.push_back(planner::node_name(declared, n));
  return bound::detail::trace_reader(text, name, tasks).record();
}
/// The record of a run out of a file, likewise. Throws `dynamic::file_error` if that cannot be
/// read, and as `parse_trace` does.
template <bound::planned Planned>
timeline load_trace(const Planned& planned, const std::string& path) {
  return parse_trace(planned, bound::detail::trace_in(path), path);
}

}  // namespace stretto
