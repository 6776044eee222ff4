// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <functional>
#include <iostream>
#include <list>
#include <numeric>
#include <set>
#include <stretto/bound.hpp>
#include <stretto/dynamic.hpp>
#include <stretto/run/error.hpp>
#include <stretto/search.hpp>
#include <stretto/watch.hpp>
#include <string>
#include <thread>
#include <vector>

/// Schedules that were found, run on this machine's threads with stand-ins: a file has no bodies,
/// so each task, and the source, takes a core for as long as it is said to, in nanoseconds.
class stand_ins {
 public:
  using seconds = stretto::measured_times::seconds;

  stand_ins(const std::vector<stretto::search::found_schedule>& found,
            const std::vector<stretto::task_cost>& costs, std::size_t rounds)
      : found_(&found), costs_(&costs), rounds_(rounds), ranks_(found.size()) {
    std::iota(ranks_.begin(), ranks_.end(), std::size_t{0});
    for (const auto& f : found)
      if (seconds(modelled(f)) < shortest)
        throw stretto::usage_error(
            "a progress takes less than a microsecond, which no clock measures: say by `--costs` "
            "what tasks take in nanoseconds");
  }

  /// Runs all of them, in turn.
  void measure() {
    std::list<stood_in> all;  // which stay where they are made
    std::vector<std::function<seconds()>> runs;
    double expected = 0;
    for (const auto& f : *found_) {
      stood_in& one = all.emplace_back(f, *costs_);
      runs.emplace_back([&one] { return one.run(); });
      expected += one.expected();
    }
    std::cerr << "measuring " << runs.size() << (runs.size() == 1 ? " schedule" : " schedules")
              << " takes about "
              << static_cast<long long>(std::ceil(expected * static_cast<double>(rounds_ + 1)))
              << " s\n";
    times_ = stretto::measure_in_turn(rounds_, runs);
    std::sort(ranks_.begin(), ranks_.end(), [&](std::size_t a, std::size_t b) {
      return times_[a].median != times_[b].median ? times_[a].median < times_[b].median : a < b;
    });
  }

  /// The fastest; of those that nothing tells apart from it, the one that was found first.
  std::size_t best() const {
    std::size_t first = ranks_.front();
    for (const std::size_t i : ranks_)
      if (times_[i].alike(times_[ranks_.front()])) first = std::min(first, i);
    return first;
  }

  /// A line for each, the fastest first, and how far that can be trusted.
  std::string text() const {
    std::string out =
        "found  in flight  hand-overs      modelled      measured  middle half of rounds       "
        "differs\n";
    std::size_t most_threads = 0;
    for (const std::size_t i : ranks_) {
      const auto& f = (*found_)[i];
      const auto& t = times_[i];
      std::array<char, 160> line{};
      std::snprintf(
          line.data(), line.size(), "%-5zu  %9d  %10d  %12s  %12s  %10s to %-10s  %+6.1f %%\n",
          i + 1, f.in_flight, f.hand_overs, in_microseconds(seconds(modelled(f))).c_str(),
          in_microseconds(t.median).c_str(), in_microseconds(t.low).c_str(),
          in_microseconds(t.high).c_str(), 100 * (t.median.count() / modelled(f).count() - 1));
      out += line.data();
      most_threads = std::max(most_threads, threads_of(f));
    }
    const std::size_t cores = std::thread::hardware_concurrency();
    if (cores < most_threads)
      out += "these schedules have up to " + std::to_string(most_threads) +
             " threads, and this process " + std::to_string(cores) +
             (cores == 1 ? " core" : " cores") +
             ": what is measured here says nothing of a machine that has a core for each\n";
    std::string alike;
    std::size_t others = 0;
    for (const std::size_t i : ranks_)
      if (i != ranks_.front() && times_[i].alike(times_[ranks_.front()])) {
        alike += ", " + std::to_string(i + 1);
        ++others;
      }
    if (others > 0)
      out += "rounds differ by as much as these schedules do: nothing tells " +
             std::to_string(ranks_.front() + 1) + alike + " apart\n";
    return out + "taken: " + std::to_string(best() + 1) + "\n";
  }

 private:
  static constexpr seconds shortest{1e-6};

  static seconds modelled(const stretto::search::found_schedule& f) {
    return seconds(f.period.value() * 1e-9);
  }
  static std::size_t threads_of(const stretto::search::found_schedule& f) {
    std::set<std::string> names{f.schedule.caller_runs, f.schedule.source.thread};
    for (const auto& t : f.schedule.tasks) names.insert(t.thread);
    names.erase("");
    return names.size();
  }
  static std::string in_microseconds(seconds time) {
    std::array<char, 48> text{};
    std::snprintf(text.data(), text.size(), "%.1f us", time.count() * 1e6);
    return text.data();
  }

  class stood_in {
   public:
    stood_in(const stretto::search::found_schedule& f, const std::vector<stretto::task_cost>& costs)
        : source_takes_(time_of("pull", f.schedule.source.weight, costs)),
          skipped_(2 * static_cast<std::size_t>(f.in_flight)),
          period_(modelled(f)),
          pipeline_(spinning(f.schedule, costs)) {
      // A tenth of a second, and ten batches at least.
      constexpr double length = 0.1;
      batches_ =
          skipped_ + 11 + static_cast<std::size_t>(std::min(length / period_.count(), 100'000.0));
    }
    double expected() const { return static_cast<double>(batches_) * period_.count(); }
    seconds run() {
      std::size_t pulled = 0;
      const auto pull = [&](int& slot) {
        if (pulled == batches_) return false;
        slot = static_cast<int>(pulled++);
        spin(source_takes_);
        return true;
      };
      return stretto::time_per_result(pipeline_.run<int>(pull), skipped_);
    }

   private:
    using clock = std::chrono::steady_clock;

    static void spin(std::chrono::nanoseconds time) {
      if (time.count() == 0) return;
      for (const clock::time_point end = clock::now() + time; clock::now() < end;) {
      }
    }
    static std::chrono::nanoseconds time_of(const std::string& task, long long weight,
                                            const std::vector<stretto::task_cost>& costs) {
      for (const stretto::task_cost& c : costs)
        if (c.task == task) return std::chrono::nanoseconds(c.time);
      return std::chrono::nanoseconds(weight);
    }
    /// With bodies, and a number in each slot.
    static stretto::dynamic::schedule spinning(stretto::dynamic::schedule s,
                                               const std::vector<stretto::task_cost>& costs) {
      std::set<std::string> slots{s.source.slot};
      for (stretto::dynamic::task& t : s.tasks) {
        t.body = [time = time_of(t.name, t.weight, costs)](stretto::dynamic::slot_access&) {
          spin(time);
        };
        for (const stretto::dynamic::use& u : t.writes) slots.insert(u.slot);
      }
      slots.erase("");
      s.types.clear();
      s.max_bytes = 0;
      for (const std::string& slot : slots) s.slot<int>(slot);
      return s;
    }

    std::chrono::nanoseconds source_takes_;
    std::size_t skipped_;
    seconds period_;
    std::size_t batches_ = 0;
    stretto::dynamic::pipeline<> pipeline_;
  };

  const std::vector<stretto::search::found_schedule>* found_;
  const std::vector<stretto::task_cost>* costs_;
  std::size_t rounds_;
  std::vector<std::size_t> ranks_;
  std::vector<stretto::measured_times> times_;
};
