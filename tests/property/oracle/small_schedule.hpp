// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cstddef>
#include <deque>
#include <random>
#include <stretto/plan/derive/threads.hpp>
#include <stretto/plan/model/declaration.hpp>
#include <string>
#include <string_view>
#include <vector>

/// A random declaration of few tasks, small enough to try all its interleavings, that has a little
/// of everything: host and device tasks, slots with several writers, slack, history, resources,
/// collectives, an order; if asked to, queues, workers, tasks that run once per two or three
/// batches, or these with workers. Stays where it is made.
class small_schedule {
 public:
  enum class with { neither, queues, workers, rates, rates_and_workers };

  explicit small_schedule(unsigned seed, with groups = with::neither)
      : random_(seed), workers_(groups == with::workers || groups == with::rates_and_workers) {
    const bool rated = groups == with::rates || groups == with::rates_and_workers;
    const int tasks = groups == with::neither ? pick(2, 5)
                      : workers_ || rated     ? pick(2, 3)
                                              : pick(2, 4);
    for (int s = pick(1, 3); s > 0; --s) streams_.push_back(numbered("s", s));
    fields_.resize(static_cast<std::size_t>(tasks));
    for (int t = 0; t < tasks; ++t) {
      stretto::planner::task task;
      task.id = stretto::name(numbered("t", t));
      task.lookahead = std::max(0, pick(-1, 2));
      if (workers_ ? one_in(5) : !one_in(3))
        task.stream = streams_[at(pick(0, static_cast<int>(streams_.size()) - 1))];
      if (!one_in(2))
        task.thread = one_in(3) ? std::string_view("caller") : numbered("h", pick(0, 1));
      task.collective = one_in(workers_ ? 9 : 4);
      tasks_.push_back(task);
    }
    for (int s = pick(0, 2); s > 0; --s) add_slot(numbered("x", s));
    for (int t = 0; t < tasks; ++t) fill(t);
    if (rated) add_rates();
    for (std::size_t t = 0; t < tasks_.size(); ++t) {
      tasks_[t].reads = fields_[t].reads;
      tasks_[t].writes = fields_[t].writes;
      tasks_[t].depends_on = fields_[t].depends_on;
      tasks_[t].cross_iter_depends_on = fields_[t].cross_iter;
      tasks_[t].same_progress_sync = fields_[t].sync;
      tasks_[t].observes = fields_[t].observes;
      tasks_[t].mutates = fields_[t].mutates;
    }
    for (int orders = pick(0, 2); orders > 0; --orders) {
      if (!one_in(3)) continue;
      std::vector<std::size_t> some = shuffled();
      some.resize(at(pick(2, static_cast<int>(some.size()))));
      const std::size_t list = turns_.size();
      for (const std::size_t t : some) turns_.push_back({tasks_[t].id, list});
    }
    source_ahead_ = one_in(8) ? 2 : stretto::planner::deepest;
    source_aside_ = one_in(6);
    if (groups != with::neither && groups != with::rates) add_groups();
  }
  small_schedule(const small_schedule&) = delete;
  small_schedule& operator=(const small_schedule&) = delete;

  stretto::planner::declaration declaration() const {
    stretto::planner::declaration d;
    d.tasks = tasks_;
    d.streams = streams_;
    d.from.slot = stretto::name("source");
    d.from.lookahead = source_ahead_;
    if (source_aside_) d.from.thread = "h0";
    d.results = results_;
    d.slacks = slacks_;
    d.turns = turns_;
    d.groups = groups_;
    return d;
  }

 private:
  struct fields {
    std::vector<stretto::planner::access> reads, writes;
    std::vector<stretto::planner::dependency> depends_on, cross_iter, sync;
    std::vector<stretto::name> observes, mutates;
  };

  static std::size_t at(int i) { return static_cast<std::size_t>(i); }
  int pick(int least, int most) { return std::uniform_int_distribution<int>(least, most)(random_); }
  bool one_in(int n) { return pick(1, n) == 1; }
  std::string_view numbered(const char* what, int number) {
    return texts_.emplace_back(what).append(std::to_string(number));
  }
  std::vector<std::size_t> shuffled() {
    std::vector<std::size_t> all(tasks_.size());
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = i;
    std::shuffle(all.begin(), all.end(), random_);
    return all;
  }

  /// Writers at different offsets on one stream, then readers no further ahead; now and then one
  /// that is, which the rules refuse.
  void add_slot(std::string_view name) {
    const stretto::name slot(name);
    std::vector<std::size_t> writers;
    int ahead = 0;
    const int wanted = pick(1, 3);
    const auto tasks = shuffled();
    for (const std::size_t t : tasks) {
      const bool fits = std::all_of(writers.begin(), writers.end(), [&](std::size_t w) {
        return tasks_[w].stream == tasks_[t].stream && tasks_[w].lookahead != tasks_[t].lookahead;
      });
      if (!fits || static_cast<int>(writers.size()) == wanted) continue;
      writers.push_back(t);
      ahead = std::max(ahead, tasks_[t].lookahead);
      fields_[t].writes.push_back({slot, tasks_[t].lookahead});
    }
    for (const std::size_t t : tasks) {
      const bool writes = std::find(writers.begin(), writers.end(), t) != writers.end();
      if (writes || !one_in(2) || (tasks_[t].lookahead > ahead && !one_in(8))) continue;
      fields_[t].reads.push_back({slot, tasks_[t].lookahead});
    }
    if (one_in(4)) slacks_.push_back({slot, 1});
    if (one_in(3)) results_.push_back(slot);
  }

  /// What others write now and then is mostly read as written last.
  void add_rates() {
    for (auto& t : tasks_) {
      if (!one_in(2)) continue;
      t.every = pick(2, 3);
      t.phase = pick(0, t.every - 1);
    }
    for (fields& f : fields_)
      for (stretto::planner::access& read : f.reads) {
        if (one_in(3)) continue;
        read.latest = !one_in(3);
        read.ago = read.latest ? pick(0, 2) : pick(0, 1);
      }
  }

  /// Queues, or workers, for some of the thread groups, at least one.
  void add_groups() {
    std::vector<std::string_view> threads;
    for (const auto& t : tasks_) {
      const std::string_view thread = stretto::planner::thread_name(t);
      if (thread != stretto::planner::caller &&
          std::find(threads.begin(), threads.end(), thread) == threads.end())
        threads.push_back(thread);
    }
    for (const std::string_view thread : threads)
      if (groups_.empty() || one_in(3))
        groups_.push_back(
            workers_ ? stretto::planner::thread_group{thread, one_in(4) ? 1 : 0, pick(2, 3)}
                     : stretto::planner::thread_group{thread, pick(1, 2), 1});
  }

  void fill(int t) {
    fields& f = fields_[at(t)];
    if (one_in(3)) f.reads.push_back({stretto::name("source"), tasks_[at(t)].lookahead});
    for (const std::size_t o : shuffled()) {
      if (o == at(t) || !one_in(5)) continue;
      const stretto::name other = tasks_[o].id;
      switch (pick(0, 2)) {
        case 0: f.depends_on.push_back({other, 0}); break;
        case 1: f.cross_iter.push_back({other, pick(1, 3)}); break;
        default: f.sync.push_back({other, 0});
      }
    }
    if (workers_ && one_in(3)) f.cross_iter.push_back({tasks_[at(t)].id, pick(1, 3)});
    if (one_in(5)) f.mutates.emplace_back("r");
    if (one_in(5)) f.observes.emplace_back("r");
  }

  std::mt19937 random_;
  bool workers_ = false;
  std::deque<std::string> texts_;
  std::vector<std::string_view> streams_;
  std::vector<fields> fields_;
  std::vector<stretto::planner::task> tasks_;
  std::vector<stretto::name> results_;
  std::vector<stretto::planner::slack> slacks_;
  std::vector<stretto::planner::turn> turns_;
  std::vector<stretto::planner::thread_group> groups_;
  int source_ahead_ = 0;
  bool source_aside_ = false;
};
