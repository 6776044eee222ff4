// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <deque>
#include <initializer_list>
#include <stretto/plan/derive/repetitions.hpp>
#include <stretto/plan/model/declaration.hpp>
#include <string>
#include <string_view>
#include <vector>

/// A declaration written down task by task, as few words as it takes. Stays where it is made, and
/// texts given to it outlive it.
class draft {
 public:
  class task {
   public:
    using names = std::initializer_list<std::string_view>;

    task(std::string_view name, int lookahead, std::string_view stream) {
      row_.id = stretto::name(name);
      row_.lookahead = lookahead;
      row_.stream = stream;
    }
    task& reads(names slots) { return use(reads_, slots, row_.lookahead); }
    task& writes(names slots) { return use(writes_, slots, row_.lookahead); }
    task& takes(names slots) {
      reads(slots);
      for (auto last = reads_.end() - static_cast<std::ptrdiff_t>(slots.size());
           last != reads_.end(); ++last)
        last->takes = true;
      return *this;
    }
    task& reads_at(std::string_view slot, int offset) { return use(reads_, {slot}, offset); }
    task& writes_at(std::string_view slot, int offset) { return use(writes_, {slot}, offset); }
    task& previous(std::string_view slot, int ago = 1) {
      reads_.push_back({stretto::name(slot), row_.lookahead, false, ago});
      return *this;
    }
    task& latest(std::string_view slot, int ago = 0) {
      reads_.push_back({stretto::name(slot), row_.lookahead, false, ago, false, true});
      return *this;
    }
    task& every(int batches, int phase = stretto::last_of_group) {
      row_.every = batches;
      row_.phase = phase;
      return *this;
    }
    task& and_at_end() {
      row_.and_at_end = true;
      return *this;
    }
    task& drops() {
      row_.drops = true;
      return *this;
    }
    task& drops_failures(int most = 0) {
      row_.on_failure = stretto::planner::drops_it;
      row_.max_failures = most;
      return *this;
    }
    /// Reads a slot of this batch and of those before it, \p batches in all.
    task& window(std::string_view slot, int batches) {
      for (int ago = 0; ago < batches; ++ago) {
        previous(slot, ago);
        reads_.back().in_window = true;
      }
      return *this;
    }
    task& consumes(std::string_view slot, int items = 1) {
      reads({slot});
      reads_.back().items = items;
      return *this;
    }
    task& produces(std::string_view slot, int items = 1) {
      writes({slot});
      writes_.back().items = items;
      return *this;
    }
    task& weight(int time) {
      row_.weight = time;
      return *this;
    }
    task& depends_on(names tasks) { return link(depends_on_, tasks, 0); }
    task& cross_iter(std::string_view other, int ago = 1) {
      return link(cross_iter_, {other}, ago);
    }
    task& sync(names tasks) { return link(sync_, tasks, 0); }
    task& observes(names resources) { return share(observes_, resources); }
    task& mutates(names resources) { return share(mutates_, resources); }
    task& thread(std::string_view name) {
      row_.thread = name;
      return *this;
    }
    task& collective() {
      row_.collective = true;
      return *this;
    }

    stretto::planner::task row() const {
      stretto::planner::task r = row_;
      r.reads = reads_;
      r.writes = writes_;
      r.depends_on = depends_on_;
      r.cross_iter_depends_on = cross_iter_;
      r.same_progress_sync = sync_;
      r.observes = observes_;
      r.mutates = mutates_;
      return r;
    }

   private:
    task& use(std::vector<stretto::planner::access>& into, names slots, int offset) {
      for (const auto s : slots) into.push_back({stretto::name(s), offset});
      return *this;
    }
    task& share(std::vector<stretto::name>& into, names resources) {
      for (const auto r : resources) into.emplace_back(r);
      return *this;
    }
    task& link(std::vector<stretto::planner::dependency>& into, names tasks, int ago) {
      for (const auto t : tasks) into.push_back({stretto::name(t), ago});
      return *this;
    }

    stretto::planner::task row_;
    std::vector<stretto::planner::access> reads_, writes_;
    std::vector<stretto::planner::dependency> depends_on_, cross_iter_, sync_;
    std::vector<stretto::name> observes_, mutates_;
  };

  draft(std::initializer_list<std::string_view> streams = {}) : streams_(streams) {}
  draft(const draft&) = delete;
  draft& operator=(const draft&) = delete;

  task& add(std::string_view name, int lookahead = 0, std::string_view stream = {}) {
    return tasks_.emplace_back(name, lookahead, stream);
  }
  draft& result(std::string_view slot) {
    results_.emplace_back(slot);
    return *this;
  }

  draft& points(std::string_view slot, std::string_view into) {
    points_.push_back({stretto::name(slot), stretto::name(into)});
    return *this;
  }
  draft& slack(std::string_view slot, std::size_t copies) {
    slacks_.push_back({stretto::name(slot), copies});
    return *this;
  }
  /// A queue of a number of batches between a thread group and the others, and workers for it.
  draft& group(std::string_view thread, int queue, int workers = 1) {
    groups_.push_back({thread, queue, workers});
    return *this;
  }
  draft& source_on(std::string_view thread, int lookahead = stretto::planner::deepest) {
    source_thread_ = thread;
    source_lookahead_ = lookahead;
    return *this;
  }
  draft& order(std::initializer_list<std::string_view> tasks) {
    const std::size_t list = turns_.size();
    for (const auto t : tasks) turns_.push_back({stretto::name(t), list});
    return *this;
  }

  stretto::planner::declaration declaration() {
    rows_.clear();
    for (const task& t : tasks_) rows_.push_back(t.row());
    stretto::planner::repeat_calls(rows_);
    stretto::planner::declaration d;
    d.tasks = rows_;
    d.streams = streams_;
    d.from.slot = stretto::name("source");
    d.results = results_;
    d.slacks = slacks_;
    d.turns = turns_;
    d.points = points_;
    d.groups = groups_;
    d.from.thread = source_thread_;
    d.from.lookahead = source_lookahead_;
    return d;
  }

 private:
  std::vector<std::string_view> streams_;
  std::deque<task> tasks_;
  std::vector<stretto::planner::task> rows_;
  std::vector<stretto::name> results_;
  std::vector<stretto::planner::slack> slacks_;
  std::vector<stretto::planner::turn> turns_;
  std::vector<stretto::planner::pointing> points_;
  std::vector<stretto::planner::thread_group> groups_;
  std::string_view source_thread_ = stretto::planner::caller;
  int source_lookahead_ = stretto::planner::deepest;
};
