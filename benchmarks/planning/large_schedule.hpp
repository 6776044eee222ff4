// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <deque>
#include <stretto/plan/model/declaration.hpp>
#include <string>
#include <string_view>
#include <vector>

/// A declaration of any number of tasks, made of values. Stays where it is made.
class large_schedule {
 public:
  struct task {
    stretto::planner::task row;
    std::vector<stretto::planner::access> reads, writes;
    std::vector<stretto::planner::dependency> depends_on, cross_iter, sync;
    std::vector<stretto::name> observes, mutates;
  };

  large_schedule() = default;
  large_schedule(const large_schedule&) = delete;
  large_schedule& operator=(const large_schedule&) = delete;

  /// "slot 12" and the like: the text is kept.
  std::string_view text(std::string_view what, std::size_t number) {
    return texts_.emplace_back(what).append(" ").append(std::to_string(number));
  }
  stretto::name named(std::string_view what, std::size_t number) { return {text(what, number)}; }

  void stream(std::string_view name) { streams_.push_back(name); }
  void result(stretto::name slot) { results_.push_back(slot); }

  task& add(stretto::name id, int lookahead = 0, std::string_view stream = {},
            std::string_view thread = {}) {
    task& t = tasks_.emplace_back();
    t.row.id = id;
    t.row.lookahead = lookahead;
    t.row.stream = stream;
    t.row.thread = thread;
    return t;
  }
  static void reads(task& t, stretto::name slot) { t.reads.push_back({slot, t.row.lookahead}); }
  static void writes(task& t, stretto::name slot) { t.writes.push_back({slot, t.row.lookahead}); }

  std::size_t tasks() const { return tasks_.size(); }

  stretto::planner::declaration declaration() {
    rows_.clear();
    for (task& t : tasks_) {
      t.row.reads = t.reads;
      t.row.writes = t.writes;
      t.row.depends_on = t.depends_on;
      t.row.cross_iter_depends_on = t.cross_iter;
      t.row.same_progress_sync = t.sync;
      t.row.observes = t.observes;
      t.row.mutates = t.mutates;
      rows_.push_back(t.row);
    }
    stretto::planner::declaration d;
    d.tasks = rows_;
    d.streams = streams_;
    d.from.slot = stretto::name("source");
    d.results = results_;
    d.groups = groups;
    d.turns = turns;
    d.slacks = slacks;
    return d;
  }

  std::vector<stretto::planner::thread_group> groups;
  std::vector<stretto::planner::turn> turns;
  std::vector<stretto::planner::slack> slacks;

 private:
  std::deque<std::string> texts_;
  std::deque<task> tasks_;
  std::vector<stretto::planner::task> rows_;
  std::vector<std::string_view> streams_;
  std::vector<stretto::name> results_;
};
