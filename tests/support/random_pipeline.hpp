// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cstddef>
#include <deque>
#include <functional>
#include <random>
#include <stretto/plan/model/declaration.hpp>
#include <string>
#include <string_view>
#include <vector>

/// A random declaration that keeps all rules, of exactly N tasks, with weights. Stays where
/// it is made.
class random_pipeline {
 public:
  struct shape {
    int tasks = 8;
    int deepest = 2;
    int streams = 2;
    int heaviest = 1000;
  };

  random_pipeline(unsigned seed, shape s) : random_(seed) {
    const int most_reads = pick(1, 3);
    for (int i = 0; i < s.streams; ++i) streams_.push_back(numbered("stream", i));
    std::vector<int> ahead;
    for (int t = 0; t < s.tasks; ++t) ahead.push_back(pick(0, s.deepest));
    std::sort(ahead.begin(), ahead.end(), std::greater<>());
    if (pick(0, 1) == 0) std::shuffle(ahead.begin(), ahead.end(), random_);
    for (int t = 0; t < s.tasks; ++t) add(t, ahead, most_reads, s.heaviest);
    for (std::size_t t = 0; t < tasks_.size(); ++t) {
      tasks_[t].reads = fields_[t].reads;
      tasks_[t].writes = fields_[t].writes;
      tasks_[t].depends_on = fields_[t].depends_on;
      tasks_[t].cross_iter_depends_on = fields_[t].cross_iter;
      tasks_[t].same_progress_sync = fields_[t].sync;
    }
  }
  random_pipeline(const random_pipeline&) = delete;
  random_pipeline& operator=(const random_pipeline&) = delete;

  stretto::planner::declaration on(std::size_t threads) const {
    stretto::planner::declaration d;
    d.tasks = tasks_;
    d.streams = streams_;
    d.from.slot = stretto::name("source");
    d.generated = threads;
    return d;
  }
  stretto::planner::task& task(std::size_t t) { return tasks_[t]; }

 private:
  struct fields {
    std::vector<stretto::planner::access> reads, writes;
    std::vector<stretto::planner::dependency> depends_on, cross_iter, sync;
  };

  int pick(int least, int most) {
    // Not a standard distribution: those differ between libraries.
    return least + static_cast<int>(random_() % static_cast<unsigned>(most - least + 1));
  }
  std::string_view numbered(const char* what, int number) {
    return texts_.emplace_back(what).append(std::to_string(number));
  }

  void add(int t, const std::vector<int>& ahead, int most_reads, int heaviest) {
    const auto lookahead = [&](int task) { return ahead[static_cast<std::size_t>(task)]; };
    const auto id = [&](int task) { return tasks_[static_cast<std::size_t>(task)].id; };
    stretto::planner::task task;
    task.id = stretto::name(numbered("t", t));
    task.lookahead = lookahead(t);
    task.weight = pick(1, heaviest);
    if (!streams_.empty() && pick(0, 2) == 0)
      task.stream =
          streams_[static_cast<std::size_t>(pick(0, static_cast<int>(streams_.size()) - 1))];
    fields& f = fields_.emplace_back();
    f.writes.push_back({stretto::name(numbered("s", t)), task.lookahead});
    // Only earlier tasks are named, each once, so that there is no cycle.
    std::vector<int> others;
    for (int other = 0; other < t; ++other) others.push_back(other);
    std::shuffle(others.begin(), others.end(), random_);
    const auto next =
        [&](int room) {  // a task that has run on the batch `room` ahead; -1: none left
          while (!others.empty()) {
            const int other = others.back();
            others.pop_back();
            if (lookahead(other) + room >= task.lookahead) return other;
          }
          return -1;
        };
    if (pick(0, 3) == 0) f.reads.push_back({stretto::name("source"), task.lookahead});
    for (int i = pick(0, most_reads); i > 0; --i)
      if (const int other = next(0); other >= 0)
        f.reads.push_back(
            {fields_[static_cast<std::size_t>(other)].writes[0].slot, task.lookahead});
    if (pick(0, 3) == 0)
      if (const int other = next(0); other >= 0) f.depends_on.push_back({id(other), 0});
    if (pick(0, 5) == 0)
      if (const int other = next(0); other >= 0) f.cross_iter.push_back({id(other), pick(1, 2)});
    if (pick(0, 3) == 0)
      if (const int other = next(1000); other >= 0) f.sync.push_back({id(other), 0});
    tasks_.push_back(task);
  }

  std::mt19937 random_;
  std::deque<std::string> texts_;
  std::vector<std::string_view> streams_;
  std::deque<fields> fields_;
  std::vector<stretto::planner::task> tasks_;
};
