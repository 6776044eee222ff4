// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cstddef>
#include <deque>
#include <random>
#include <stretto/plan/rules/diagnose.hpp>
#include <string>
#include <string_view>
#include <vector>

/// A random declaration, made of values: some are valid, some are not. Stays where it is made.
class random_schedule {
 public:
  explicit random_schedule(unsigned seed, int most_tasks = 7) : random_(seed) {
    const int tasks = pick(1, most_tasks);
    const int streams = pick(1, 3);
    for (int s = 0; s < streams; ++s) streams_.push_back(numbered("stream", s));
    fields_.resize(static_cast<std::size_t>(tasks));
    for (int t = 0; t < tasks; ++t) {
      stretto::planner::task task;
      task.id = stretto::name(numbered("t", t));
      task.lookahead = pick(0, 3);
      if (pick(0, 5) != 0) task.stream = streams_[static_cast<std::size_t>(pick(0, streams - 1))];
      if (pick(0, 1) != 0) task.thread = numbered("thread", pick(0, 2));
      task.collective = pick(0, 5) == 0;
      tasks_.push_back(task);
    }
    for (int t = 0; t < tasks; ++t) fill(t, tasks);
    for (std::size_t t = 0; t < tasks_.size(); ++t) {
      tasks_[t].reads = fields_[t].reads;
      tasks_[t].writes = fields_[t].writes;
      tasks_[t].depends_on = fields_[t].depends_on;
      tasks_[t].cross_iter_depends_on = fields_[t].cross_iter;
      tasks_[t].same_progress_sync = fields_[t].sync;
      tasks_[t].observes = fields_[t].observes;
      tasks_[t].mutates = fields_[t].mutates;
    }
  }
  random_schedule(const random_schedule&) = delete;
  random_schedule& operator=(const random_schedule&) = delete;

  stretto::planner::declaration declaration() const {
    stretto::planner::declaration d;
    d.tasks = tasks_;
    d.streams = streams_;
    d.from.slot = stretto::name("source");
    return d;
  }

  /// Calls \p use with \p count declarations that keep the rules; they may hold races.
  template <class Use>
  static void for_each_valid(std::size_t count, unsigned seed, Use use, int most_tasks = 7) {
    for (std::size_t found = 0; found < count; ++seed) {
      const random_schedule candidate(seed, most_tasks);
      const auto findings = stretto::planner::diagnose(candidate.declaration()).findings;
      if (std::any_of(findings.begin(), findings.end(),
                      [](const auto& f) { return f.what != stretto::planner::kind::race; }))
        continue;
      ++found;
      use(candidate.declaration(), seed);
    }
  }

 private:
  struct fields {
    std::vector<stretto::planner::access> reads, writes;
    std::vector<stretto::planner::dependency> depends_on, cross_iter, sync;
    std::vector<stretto::name> observes, mutates;
  };

  int pick(int least, int most) { return std::uniform_int_distribution<int>(least, most)(random_); }
  std::string_view numbered(const char* what, int number) {
    return texts_.emplace_back(what).append(std::to_string(number));
  }

  void fill(int t, int tasks) {
    fields& f = fields_[static_cast<std::size_t>(t)];
    const int ahead = tasks_[static_cast<std::size_t>(t)].lookahead;
    if (pick(0, 2) != 0) f.writes.push_back({stretto::name(numbered("s", pick(0, tasks))), ahead});
    for (int i = pick(0, 2); i > 0; --i) {
      const int slot = pick(-1, tasks);
      f.reads.push_back(
          {stretto::name(slot < 0 ? std::string_view("source") : numbered("s", slot)), ahead});
    }
    std::vector<int> others;
    for (int o = 0; o < tasks; ++o)
      if (o != t) others.push_back(o);
    std::shuffle(others.begin(), others.end(), random_);
    for (int i = pick(0, 2); i > 0 && !others.empty(); --i) {
      const stretto::name other = tasks_[static_cast<std::size_t>(others.back())].id;
      others.pop_back();
      switch (pick(0, 2)) {
        case 0: f.depends_on.push_back({other, 0}); break;
        case 1: f.cross_iter.push_back({other, pick(1, 3)}); break;
        default: f.sync.push_back({other, 0});
      }
    }
    for (const char* resource : {"r0", "r1"}) {
      const int how = pick(0, 5);
      if (how == 0) f.mutates.emplace_back(resource);
      if (how == 1) f.observes.emplace_back(resource);
    }
  }

  std::mt19937 random_;
  std::deque<std::string> texts_;
  std::vector<std::string_view> streams_;
  std::vector<fields> fields_;
  std::vector<stretto::planner::task> tasks_;
};
