// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cstddef>
#include <random>
#include <stretto/bound.hpp>
#include <stretto/dynamic.hpp>
#include <string>
#include <vector>

/// Schedules by chance, for which schedules are looked for.
namespace random_schedule {

namespace st = stretto;
namespace dynamic = stretto::dynamic;

/// A random valid schedule, and what its tasks cost.
struct random_case {
  dynamic::schedule schedule;
  std::vector<long long> times;

  std::vector<st::task_cost> costs() const {
    std::vector<st::task_cost> all;
    for (std::size_t t = 0; t < schedule.tasks.size(); ++t)
      all.push_back({schedule.tasks[t].name, times[t]});
    all.push_back({"pull", times.back()});
    return all;
  }

  static random_case valid(std::mt19937& random, int most_tasks) {
    while (true) {
      random_case made(random, most_tasks);
      if (dynamic::diagnose(made.schedule).ok()) return made;
    }
  }

 private:
  random_case(std::mt19937& random, int most_tasks) {
    const auto pick = [&](int least, int most) {
      return std::uniform_int_distribution<int>(least, most)(random);
    };
    dynamic::schedule& s = schedule;
    const int tasks = pick(2, most_tasks);
    s.streams = {"s0", "s1"};
    s.source.slot = "source";
    if (pick(0, 3) == 0) s.source.thread = "puller";
    if (pick(0, 5) == 0) s.source.collective = true;
    if (pick(0, 3) == 0) s.caller_runs = "t0";
    s.frugal = pick(0, 1) == 0;
    for (int t = 0; t < tasks; ++t) {
      dynamic::task& task = s.tasks.emplace_back();
      task.name = "task" + std::to_string(t);
      task.lookahead = pick(0, 2);
      if (pick(0, 2) == 0) task.stream = "s" + std::to_string(pick(0, 1));
      const int thread = pick(0, 3);
      if (thread < 3) task.thread = thread == 2 ? "caller" : "t" + std::to_string(thread);
      task.collective = pick(0, 4) == 0;
      task.writes = {"slot" + std::to_string(t)};
      std::vector<int> read;
      for (int i = pick(0, 2); i > 0; --i) read.push_back(pick(-1, t - 1));
      std::sort(read.begin(), read.end());
      read.erase(std::unique(read.begin(), read.end()), read.end());
      for (const int r : read) {
        const std::string slot = r < 0 ? "source" : "slot" + std::to_string(r);
        const int how = pick(0, 5);
        task.reads.push_back(how == 0 ? dynamic::use::previous(slot, pick(1, 2)) : slot);
        if (how == 1) task.reads.back() = dynamic::takes(slot);
      }
      if (pick(0, 2) == 0) task.reads.push_back(dynamic::use::previous(task.writes[0].slot));
      const int other = pick(0, tasks - 1);
      switch (pick(0, 4)) {
        case 0:
          task.cross_iter_depends_on.emplace_back("task" + std::to_string(other), pick(1, 2));
          break;
        case 1:
          if (other < t) task.depends_on.push_back("task" + std::to_string(other));
          break;
        case 2:
          if (other < t) task.same_progress_sync.push_back("task" + std::to_string(other));
          break;
        default: break;
      }
      if (pick(0, 5) == 0) task.mutates = {"weights"};
      if (pick(0, 5) == 0 && task.mutates.empty()) task.observes = {"weights"};
      if (pick(0, 9) == 0) task.writes.emplace_back("slot" + std::to_string(pick(0, t)));
      times.push_back(pick(0, 4) == 0 ? 0 : pick(1, 100));
    }
    if (pick(0, 4) != 0) s.results = {"slot" + std::to_string(tasks - 1)};
    if (!s.results.empty() && pick(0, 4) == 0) s.results_on = "s1";
    if (pick(0, 4) == 0) s.slacks = {{"slot0", 1}};
    if (pick(0, 4) == 0) s.orders = {{"task0", "task1"}};
    for (int t = 0; t < tasks; ++t) s.slot<int>("slot" + std::to_string(t));
    s.slot<int>("source");
    times.push_back(pick(0, 1) * pick(1, 50));
  }
};

}  // namespace random_schedule
