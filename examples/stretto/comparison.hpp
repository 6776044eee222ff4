// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdio>
#include <stretto/bound.hpp>
#include <stretto/dynamic.hpp>
#include <stretto/plan/model/name_list.hpp>
#include <stretto/text/visible.hpp>
#include <string>
#include <string_view>
#include <vector>

/// Two plans next to each other: what a progress takes, what bounds it, what a batch takes, what is
/// in flight, and how many threads and waits that costs.
class comparison {
 public:
  comparison(std::string first, std::string second) {
    row({}, std::move(first), std::move(second));
  }

  template <class Pace>
  std::string of(const stretto::dynamic::planned_schedule& first,
                 const stretto::dynamic::planned_schedule& second,
                 const std::vector<stretto::task_cost>& costs, Pace pace) {
    const stretto::planner::view<stretto::task_cost> all(costs.data(), costs.size());
    const stretto::plan_bound a = stretto::bound_of(first, all, pace);
    const stretto::plan_bound b = stretto::bound_of(second, all, pace);
    const double times[] = {value_of(a.period()), value_of(b.period())};
    row("time per progress", number(times[0]), number(times[1]));
    if (times[0] > 0) rows_.back().note = ratio(times[1] / times[0]);
    row("bounded by", limit(a), limit(b));
    row("from pull to result", number(value_of(a.latency())), number(value_of(b.latency())));
    row("until the first result", std::to_string(a.fill()), std::to_string(b.fill()));
    row("after the last pull", std::to_string(a.drain()), std::to_string(b.drain()));
    row("batches in flight", std::to_string(first.in_flight()), std::to_string(second.in_flight()));
    row("copies of slots", std::to_string(copies(first)), std::to_string(copies(second)));
    row("host threads", std::to_string(threads(first)), std::to_string(threads(second)));
    row("waits between threads", std::to_string(first.run_ahead_waits().size()),
        std::to_string(second.run_ahead_waits().size()));
    return text();
  }

 private:
  struct line {
    std::string what;
    std::string first;
    std::string second;
    std::string note;
  };

  static double value_of(stretto::planner::ratio r) {
    return static_cast<double>(r.time) / static_cast<double>(r.progresses);
  }
  static std::string formatted(const char* format, double value) {
    std::array<char, 64> text{};
    std::snprintf(text.data(), text.size(), format, value);
    return text.data();
  }
  static std::string number(double value) {
    return formatted(value == static_cast<double>(static_cast<long long>(value)) ? "%.0f" : "%.1f",
                     value);
  }
  static std::string ratio(double value) { return formatted("%.3f of the first", value); }
  static std::string limit(const stretto::plan_bound& b) {
    if (!b.busy_thread().empty()) return "thread " + stretto::text::visible_name(b.busy_thread());
    if (!b.busy_stream().empty()) return "stream " + stretto::text::visible_name(b.busy_stream());
    stretto::planner::text_builder all;
    return stretto::planner::add_names(all, b.cycle(), " > ").text();
  }
  static std::size_t copies(const stretto::dynamic::planned_schedule& p) {
    std::size_t all = 0;
    for (const std::size_t c : p.plan().copies) all += c;
    return all;
  }
  static std::size_t threads(const stretto::dynamic::planned_schedule& p) {
    std::size_t all = 0;
    for (const std::size_t w : p.plan().threads.workers) all += w;
    return all;
  }

  void row(std::string_view what, std::string first, std::string second) {
    rows_.push_back({std::string(what), std::move(first), std::move(second), {}});
  }
  std::string text() const {
    std::size_t widest[3]{};
    for (const line& l : rows_) {
      widest[0] = std::max(widest[0], l.what.size());
      widest[1] = std::max(widest[1], l.first.size());
      widest[2] = std::max(widest[2], l.second.size());
    }
    std::string all;
    for (const line& l : rows_) {
      std::string one = l.what + std::string(widest[0] - l.what.size() + 2, ' ') + l.first +
                        std::string(widest[1] - l.first.size() + 2, ' ') + l.second;
      if (!l.note.empty()) one += std::string(widest[2] - l.second.size() + 2, ' ') + l.note;
      all += one + "\n";
    }
    return all;
  }

  std::vector<line> rows_;
};
