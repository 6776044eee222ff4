// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <stretto/observe/recorded_wait.hpp>
#include <stretto/observe/timeline.hpp>
#include <stretto/plan/model/edge.hpp>
#include <stretto/plan/model/graph.hpp>
#include <stretto/plan/model/list.hpp>
#include <stretto/plan/model/text_builder.hpp>
#include <stretto/plan/text/plan_view.hpp>
#include <stretto/plan/text/plan_writer.hpp>
#include <stretto/run/error.hpp>
#include <stretto/text/visible.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace stretto {

/// What the threads of a run did while they ran no task: how long each waited for which task, and
/// why it had to. Made by `idle_of` of a timeline and the plan that ran.
///
/// A task may begin when all that it comes after has ended; of those on other threads the last one
/// to end is what its thread has waited for. What is left, from there until the task begins, is no
/// wait of the plan: handing over to another core, being interrupted, and on the calling thread the
/// loop over results.
class idle_times {
 public:
  using seconds = timeline::seconds;

  /// Time that a thread waited for a task.
  struct cause {
    std::string task;    ///< that ended last
    std::string why;     ///< for what the waiting task needs it
    std::string waiter;  ///< the task that began then
    seconds time{};
  };
  struct thread_row {
    std::string name;
    seconds total{};      ///< from its first task's begin to its last one's end, gaps left out
    seconds busy{};       ///< in tasks
    seconds in_source{};  ///< in the source, at work or waiting
    std::vector<cause> causes;  ///< the longest first
    seconds other{};            ///< no wait of the plan

    seconds waiting() const {
      seconds sum{};
      for (const cause& c : causes) sum += c.time;
      return sum;
    }
  };

  explicit idle_times(std::vector<thread_row> rows) : rows_(std::move(rows)) {}

  /// Each thread's, as observers name them.
  const std::vector<thread_row>& threads() const& { return rows_; }
  // Of a temporary, in a loop over a range, too.
  std::vector<thread_row> threads() && { return std::move(rows_); }

  /// For people: a thread a line, and below it what it waited for, down to a hundredth of its time.
  [[gnu::cold]] std::string text() const {
    planner::text_builder out;
    for (const thread_row& row : rows_) {
      out.add("thread ").quoted(row.name);
      if (row.total.count() <= 0) {
        out.add(" ran nothing\n");
        continue;
      }
      add_part(out.add(" was busy "), row.busy, row);
      if (row.in_source.count() > 0) add_part(out.add(", in the source "), row.in_source, row);
      out.add("\n");
      seconds others{};
      for (const cause& c : row.causes) {
        if (c.time < row.total / 100) {
          others += c.time;
          continue;
        }
        add_part(out.add("  "), c.time, row);
        out.add(" waited for ").quoted(c.task).add(", ").quoted(c.waiter).add(" ").add(c.why);
        out.add("\n");
      }
      if (others.count() > 0) {
        add_part(out.add("  "), others, row);
        out.add(" waited for others\n");
      }
      if (row.other.count() > 0) {
        add_part(out.add("  "), row.other, row);
        out.add(&row == rows_.data() ? " in the loop over results, handed over to, or interrupted\n"
                                     : " handed over to, or interrupted\n");
      }
    }
    return out.text();
  }

 private:
  [[gnu::cold]] static void add_part(planner::text_builder& out, seconds time,
                                     const thread_row& row) {
    const long long tenths = std::llround(1000 * time / row.total);
    out.number(tenths / 10).add(".").number(tenths % 10).add(" %");
  }

  std::vector<thread_row> rows_;
};

namespace bound::detail {

/// Throws `usage_error` if a record is of other tasks or threads than the plan's. One that nobody
/// has told anything is of any plan.
inline void check_record(const planner::plan_view& plan, const timeline& record) {
  const std::size_t nodes = record.tasks().size();
  if (nodes == 0) return;
  std::size_t hosts = 0;
  for (const std::size_t w : plan.workers) hosts += w;
  if (nodes != plan.tasks() + 2 || record.threads().size() != hosts)
    throw usage_error("the timeline is of another schedule: it has other tasks or threads");
  for (std::size_t n = 0; n < nodes; ++n)
    if (record.tasks()[n] != planner::node_name(plan.declared, n))
      throw usage_error("the timeline is of another schedule: it has no task `" +
                        text::visible_name(planner::node_name(plan.declared, n)) +
                        "` where the plan has it");
}

/// Finds out of a stretch of a record of one run of a plan what its threads waited for.
class idle_finder {
 public:
  /// \p spans: of the stretch, by thread. \p begins: of each node, the progress before which
  /// nothing is known of it, as it may have run when nothing was recorded. \p meets: threads met
  /// after each progress.
  idle_finder(const planner::plan_view& p, const timeline& record,
              std::vector<std::vector<timeline::span>> spans, std::vector<std::size_t> begins,
              bool meets)
      : plan_(p),
        record_(record),
        meets_(meets),
        nodes_(record.tasks().size()),
        spans_(std::move(spans)),
        begins_(std::move(begins)) {
    for (const std::vector<timeline::span>& all : spans_)
      for (const timeline::span& s : all) {
        first_ = (std::min)(first_, progress_of(s));
        last_ = (std::max)(last_, progress_of(s) + 1);
      }
    if (first_ < last_) find_ends();
  }

  /// Adds what each thread did to its row.
  void add_to(std::vector<idle_times::thread_row>& rows) const {
    for (std::size_t t = 0; t < spans_.size(); ++t) add_to(rows[t], t);
  }

  /// Adds the waits of its stretch, by thread, the oldest first.
  void add_to(std::vector<recorded_wait>& all) const {
    for (std::size_t t = 0; t < spans_.size(); ++t)
      for_each_gap(t, [&](const wait& last, std::size_t i, time_point free) {
        if (last.is_unknown || last.end <= free || last.end > spans_[t][i].begin) return;
        const turn ended = seen(last.task, last.progress);
        if (ended.span == planner::none) return;  // a turn without work: others ended it
        all.push_back({ended.thread, spans_[ended.thread][ended.span], t, spans_[t][i], why(last)});
      });
  }

 private:
  using seconds = timeline::seconds;
  using time_point = timeline::clock::time_point;
  /// When a node's turn in a progress ended.
  struct turn {
    time_point end{};
    bool recorded = false;
    std::size_t thread = 0;
    std::size_t span = planner::none;  ///< of that thread; none: before the record, or none at all
    bool is_unknown = false;           ///< it may have ended later, when nothing was recorded
  };
  struct wait {
    time_point end{};
    const planner::edge* edge = nullptr;  ///< none: a meeting
    std::size_t task = planner::none;
    std::size_t progress = 0;  ///< of that task
    std::size_t waiter = planner::none;
    bool is_unknown = false;  ///< it may have been for a task that ended unrecorded
  };

  std::size_t progress_of(const timeline::span& s) const { return s.batch + plan_.lag[s.task]; }
  std::size_t workers_of(std::size_t node) const { return plan_.workers[plan_.thread_of[node]]; }
  turn& at(std::size_t node, std::size_t progress) {
    return turns_[(progress - first_) * nodes_ + node];
  }
  /// What was before the record has ended long ago.
  turn seen(std::size_t node, std::size_t progress) const {
    return progress < first_ ? turn{{}, true, 0, planner::none, progress < begins_[node]}
                             : turns_[(progress - first_) * nodes_ + node];
  }

  /// Where a node has nothing to do, or only hands out, nothing is recorded: its turn ends when
  /// that of what it comes after does.
  void find_ends() {
    turns_.resize((last_ - first_) * nodes_);
    for (std::size_t t = 0; t < spans_.size(); ++t)
      for (std::size_t i = 0; i < spans_[t].size(); ++i) {
        const timeline::span& s = spans_[t][i];
        at(s.task, progress_of(s)) = {s.end, true, t, i};
      }
    for (std::size_t progress = first_; progress < last_; ++progress)
      for (const std::size_t node : plan_.order) {
        if (at(node, progress).recorded) continue;
        wait last;
        take(node, progress, last);
        time_point end = last.end;
        if (const auto [before, then] = turn_before(node, progress); before != planner::none)
          end = (std::max)(end, seen(before, then).end);
        at(node, progress).end = end;
        at(node, progress).is_unknown = last.is_unknown || progress < begins_[node];
      }
  }

  /// Whose turn comes before a node's on its thread, and in which progress; none before the record.
  std::pair<std::size_t, std::size_t> turn_before(std::size_t node, std::size_t progress) const {
    const planner::range own = plan_.chains[plan_.thread_of[node]];
    std::size_t place = own.first;
    while (plan_.chained[place] != node) ++place;
    if (place > own.first) return {plan_.chained[place - 1], progress};
    const std::size_t workers = workers_of(node);
    if (progress < first_ + workers) return {planner::none, 0};
    return {plan_.chained[own.last - 1], progress - workers};
  }

  /// Takes what a node's turn came after on other threads, if that ended later.
  void take(std::size_t node, std::size_t progress, wait& last) const {
    const auto elsewhere = [&](std::size_t other) {
      return plan_.thread_of[other] != plan_.thread_of[node] || workers_of(node) > 1;
    };
    const auto take_all = [&](planner::view<planner::edge> edges) {
      for (const planner::edge& e : edges) {
        const auto ago = static_cast<std::size_t>(e.delta);
        if (e.consumer != node || ago > progress || !elsewhere(e.producer)) continue;
        take_turn(seen(e.producer, progress - ago), {{}, &e, e.producer, progress - ago, node},
                  last);
      }
    };
    take_all(plan_.edges);
    // With those that hand out no batch before all of it is done.
    if (!meets_) take_all(plan_.run_ahead_waits);
    if (!meets_ || progress == 0) return;
    for (std::size_t n = 0; n < nodes_; ++n)
      if (elsewhere(n))
        take_turn(seen(n, progress - 1), {{}, nullptr, n, progress - 1, node}, last);
  }
  static void take_turn(const turn& ended, wait by, wait& last) {
    const bool is_unknown = last.is_unknown || ended.is_unknown;
    if (ended.end > last.end) {
      last = by;
      last.end = ended.end;
    }
    last.is_unknown = is_unknown;
  }
  /// That of a task and of what its thread did since the task before, of which there is no record.
  wait awaited(std::size_t node, std::size_t progress) const {
    wait last;
    for (;;) {
      take(node, progress, last);
      const auto [before, then] = turn_before(node, progress);
      if (before == planner::none || seen(before, then).recorded) return last;
      node = before;
      progress = then;
    }
  }

  void add_to(idle_times::thread_row& row, std::size_t thread) const {
    const std::vector<timeline::span>& spans = spans_[thread];
    for (const timeline::span& s : spans)
      (record_.in_source(s) ? row.in_source : row.busy) += s.end - s.begin;
    for_each_gap(thread, [&](const wait& last, std::size_t i, time_point free) {
      if (last.is_unknown) {
        row.total -= spans[i].begin - free;
        return;
      }
      const time_point ready = (std::clamp)(last.end, free, spans[i].begin);
      if (ready > free) add_cause(row, last, ready - free);
      row.other += spans[i].begin - ready;
    });
    if (!spans.empty()) row.total += spans.back().end - spans.front().begin;
  }

  /// Calls \p use for each time between two runs of a thread: with what the second one waited for,
  /// its number, and when the thread was free.
  template <class Use>
  void for_each_gap(std::size_t thread, Use use) const {
    const std::vector<timeline::span>& spans = spans_[thread];
    for (std::size_t i = 1; i < spans.size(); ++i)
      if (const time_point free = spans[i - 1].end; spans[i].begin > free)
        use(awaited(spans[i].task, progress_of(spans[i])), i, free);
  }

  std::string why(const wait& last) const {
    if (last.edge == nullptr) return "meets it after each progress";
    planner::plan_writer reason(plan_, planner::add_for_person);
    reason.at = *last.edge;
    reason.write("$w");
    return reason.text.text();
  }
  void add_cause(idle_times::thread_row& row, const wait& last, seconds time) const {
    std::string why = this->why(last);
    const std::string& task = record_.tasks()[last.task];
    const std::string& by = record_.tasks()[last.waiter];
    for (idle_times::cause& c : row.causes)
      if (c.task == task && c.waiter == by && c.why == why) {
        c.time += time;
        return;
      }
    row.causes.push_back({task, std::move(why), by, time});
  }

  const planner::plan_view& plan_;
  const timeline& record_;
  bool meets_;
  std::size_t nodes_;
  std::vector<std::vector<timeline::span>> spans_;  // by thread
  std::vector<std::size_t> begins_;                 // by node
  std::size_t first_ = planner::none;               // progress
  std::size_t last_ = 0;                            // likewise, and one
  std::vector<turn> turns_;                         // by progress and node
};

/// Calls \p use with a finder for each stretch of a record of one run of a plan, the oldest first.
/// Throws `usage_error` if the record is of other tasks or threads than the plan's.
template <class Use>
void for_each_stretch(const planner::plan_view& p, const timeline& record, bool meets, Use use) {
  check_record(p, record);
  std::vector<timeline::stretch_spans> all = record.spans_by_stretch();
  std::vector<char> is_recorded(record.tasks().size(), 0);
  for (const timeline::stretch_spans& of : all)
    for (const std::vector<timeline::span>& of_thread : of.by_thread)
      for (const timeline::span& s : of_thread) is_recorded[s.task] = 1;
  for (timeline::stretch_spans& of : all) {
    // What was before a whole record has ended long ago; what was before it was resumed may not.
    std::vector<std::size_t> begins(record.tasks().size(), 0);
    for (std::size_t task = 0; task < begins.size(); ++task)
      if (of.stretch != 0 && is_recorded[task] != 0) begins[task] = planner::none;
    for (const std::vector<timeline::span>& of_thread : of.by_thread)
      for (const timeline::span& s : of_thread)
        begins[s.task] = (std::min)(begins[s.task], s.batch + p.lag[s.task]);
    use(idle_finder(p, record, std::move(of.by_thread), std::move(begins), meets));
  }
}

/// What each thread of a run did, in all stretches of its record.
inline idle_times find_idle(const planner::plan_view& p, const timeline& record, bool meets) {
  std::vector<idle_times::thread_row> rows(record.threads().size());
  for_each_stretch(p, record, meets, [&](const idle_finder& found) { found.add_to(rows); });
  for (std::size_t t = 0; t < rows.size(); ++t) {
    rows[t].name = record.threads()[t];
    planner::insertion_sort(rows[t].causes,
                            [](const auto& a, const auto& b) { return a.time > b.time; });
  }
  return idle_times(std::move(rows));
}
inline std::vector<recorded_wait> find_waits(const planner::plan_view& p, const timeline& record,
                                             bool meets) {
  std::vector<recorded_wait> all;
  for_each_stretch(p, record, meets, [&](const idle_finder& found) { found.add_to(all); });
  return all;
}

}  // namespace bound::detail
}  // namespace stretto
