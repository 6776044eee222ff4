// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <stretto/bound/planned.hpp>
#include <stretto/bound/slot_queues.hpp>
#include <stretto/declare/tag.hpp>
#include <stretto/plan/model/rate.hpp>
#include <stretto/plan/text/plan_view.hpp>
#include <stretto/plan/text/viewed_plan.hpp>
#include <stretto/watch/activity.hpp>
#include <stretto/watch/distribution.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace stretto {

/// Observer for long runs: `pipeline<training, monitor>`, then `pipeline.observer().look()`, on any
/// thread, while tasks run or not. Keeps counts and distributions of each task's times on each
/// thread, and of how many batches wait in each slot, not the times, so its memory does not grow:
/// some 10 KiB for each task and thread that runs it, and 5 more for each slot that it is the last
/// to write, allocated when the task first runs there. Costs two clock readings per task, and a
/// look at how far the readers of such a slot are.
class monitor {
 public:
  using stretto_tag = tag::observer;
  static constexpr bool observes = true;
  using clock = std::chrono::steady_clock;

  void attached(std::span<const std::string_view> threads,
                std::span<const std::string_view> tasks) {
    queues_.clear();
    tasks_ = std::vector<task_state>(tasks.size());
    for (std::size_t t = 0; t < tasks.size(); ++t) tasks_[t].name = tasks[t];
    lanes_ = std::vector<lane>(threads.size());
    for (std::size_t t = 0; t < threads.size(); ++t) {
      lanes_[t].name = threads[t];
      lanes_[t].by_task = std::vector<slot_of_task>(tasks.size());
    }
    run_ = std::make_unique<run_times>();
  }
  /// From who wraps a monitor and is told no more than that.
  void rates(std::span<const std::size_t> every, std::span<const std::size_t> phase) {
    for (std::size_t t = 0; t < every.size(); ++t)
      tasks_[t].runs = {static_cast<int>(every[t]), static_cast<int>(phase[t])};
  }
  void planned(const planner::plan_view& plan) {
    for (std::size_t t = 0; t < plan.tasks(); ++t)
      tasks_[t].runs = planner::rate_of(plan.declared.tasks[t]);
    const batch_order before(plan);
    for (const bound::slot_queue& q : bound::slot_queues(plan)) {
      queue of;
      of.slot = plan.slot_list[q.slot].text;
      of.room = plan.copies[q.slot];
      of.writer = *std::max_element(q.writers.begin(), q.writers.end(), before);
      for (const std::size_t r : q.readers) {
        if (before(r, of.writer)) continue;  // it reads what is not written last
        // Of those that a thread runs for one batch after the other the last one tells.
        const bool is_last = std::none_of(q.readers.begin(), q.readers.end(), [&](std::size_t o) {
          return plan.thread_of[o] == plan.thread_of[r] && tasks_[o].runs == tasks_[r].runs &&
                 before(r, o);
        });
        if (is_last) of.readers.push_back(r);
      }
      of.every_batch = !of.readers.empty() && tasks_[of.writer].runs.every == 1 &&
                       std::all_of(of.readers.begin(), of.readers.end(),
                                   [&](std::size_t r) { return tasks_[r].runs.every == 1; });
      tasks_[of.writer].fills.push_back(queues_.size());
      queues_.push_back(of);
    }
  }
  template <bound::planned Planned>
  void planned(const Planned& plan) {
    const planner::viewed_plan viewed(plan.declaration(), plan.plan());
    planned(viewed.view());
  }
  void begins_at(std::size_t batch) { run_->first.store(batch, std::memory_order_relaxed); }
  void run_begins() {
    const clock::time_point now = clock::now();
    // Relaxed: the threads of the run are let go after this.
    for (lane& l : lanes_) {
      l.left = now;
      l.state.show({activity::none, 0, false, now});
    }
    for (const task_state& t : tasks_)
      t.each([](figures& f) {
        f.begun.store(0, std::memory_order_relaxed);
        f.batches.store(0, std::memory_order_relaxed);
      });
    run_->dry.store(false, std::memory_order_relaxed);
    run_->begun.store(now.time_since_epoch().count(), std::memory_order_relaxed);
    run_->running.store(true, std::memory_order_relaxed);
  }
  void run_ended() {
    run_->ended.store(clock::now().time_since_epoch().count(), std::memory_order_relaxed);
    run_->running.store(false, std::memory_order_relaxed);
  }
  void started(std::size_t thread, std::size_t task, std::size_t batch) {
    lane& l = lanes_[thread];
    const clock::time_point now = clock::now();
    figures& f = l.by_task[task].made(tasks_[task]);
    f.waits.add(now - l.left);
    raise(f.begun);
    if (is_pull(task)) run_->dry.store(false, std::memory_order_relaxed);
    l.entered = now;
    l.state.show({task, batch, true, now});
  }
  void finished(std::size_t thread, std::size_t task, std::size_t batch) {
    figures& f = leave(thread, task, batch);
    raise(f.batches);
    const std::vector<std::size_t>& fills = tasks_[task].fills;
    for (std::size_t q = 0; q < fills.size(); ++q)
      count_waiting(queues_[fills[q]], batch, f.found[q]);
  }
  /// The source has none.
  void no_batch(std::size_t thread, std::size_t task, std::size_t batch) {
    leave(thread, task, batch);
    run_->dry.store(true, std::memory_order_relaxed);
  }
  void failed(std::size_t thread, std::size_t task, std::size_t batch) {
    raise(leave(thread, task, batch).failures);
  }

  /// A batch that the task has dropped because it failed.
  void failure_dropped(std::size_t thread, std::size_t task, std::size_t batch) {
    figures& f = leave(thread, task, batch);
    raise(f.failures);
    raise(f.batches);
  }

  /// A batch that another task has dropped: this one is through with it.
  void passed_over(std::size_t thread, std::size_t task, std::size_t batch) {
    lane& l = lanes_[thread];
    figures& f = l.by_task[task].made(tasks_[task]);
    raise(f.begun);
    raise(f.batches);
    l.state.show({task, batch, false, clock::now()});
  }

  /// What the pipeline does now, and has done so far. Figures of one look may be a run of a task
  /// apart, as tasks go on meanwhile.
  activity look() const {
    activity now;
    now.at = clock::now();
    if (run_ == nullptr) return now;
    const auto when = [](const std::atomic<clock::rep>& t) {
      return clock::time_point(clock::duration(t.load(std::memory_order_relaxed)));
    };
    now.running = run_->running.load(std::memory_order_relaxed);
    now.first = run_->first.load(std::memory_order_relaxed);
    const clock::time_point begun = when(run_->begun);
    if (begun != clock::time_point{}) now.up = (now.running ? now.at : when(run_->ended)) - begun;
    for (const lane& l : lanes_) now.threads.push_back(row_of(l, now.at));
    for (std::size_t task = 0; task < tasks_.size(); ++task) add_row_of(task, now);
    count_batches(now);
    for (const queue& q : queues_) now.queues.push_back(row_of(q));
    now.dry = run_->dry.load(std::memory_order_relaxed);
    return now;
  }

  /// A number that changes whenever a task begins or ends.
  std::uint64_t moves() const {
    std::uint64_t all = 0;
    for (const lane& l : lanes_) all += l.state.changes();
    return all;
  }

 private:
  struct step {
    std::size_t task = activity::none;
    std::size_t batch = 0;
    bool runs = false;
    clock::time_point since{};
  };

  /// What a thread shows of itself, for others to see whole: a sequence lock.
  class shown_step {
   public:
    void show(const step& s) {
      const std::uint64_t before = sequence_.load(std::memory_order_relaxed);
      sequence_.store(before + 1, std::memory_order_relaxed);
      // Release: who sees one of these sees the odd number, too.
      task_.store(s.task, std::memory_order_release);
      batch_.store(s.batch, std::memory_order_release);
      runs_.store(s.runs, std::memory_order_release);
      since_.store(s.since.time_since_epoch().count(), std::memory_order_release);
      // Release: who sees the even number sees all of them.
      sequence_.store(before + 2, std::memory_order_release);
    }
    step seen() const {
      step s;
      // A thread that always is in between moves too fast for its step to matter.
      for (int attempt = 0; attempt < 100; ++attempt) {
        const std::uint64_t before = sequence_.load(std::memory_order_acquire);
        // Acquire: the sequence is read again after these.
        s.task = task_.load(std::memory_order_acquire);
        s.batch = batch_.load(std::memory_order_acquire);
        s.runs = runs_.load(std::memory_order_acquire);
        s.since = clock::time_point(clock::duration(since_.load(std::memory_order_acquire)));
        if (before % 2 == 0 && sequence_.load(std::memory_order_relaxed) == before) break;
      }
      return s;
    }
    std::uint64_t changes() const { return sequence_.load(std::memory_order_relaxed); }

   private:
    std::atomic<std::uint64_t> sequence_{0};
    std::atomic<std::size_t> task_{activity::none};
    std::atomic<std::size_t> batch_{0};
    std::atomic<bool> runs_{false};
    std::atomic<clock::rep> since_{0};
  };

  using count = std::atomic<std::size_t>;

  /// Of a task on a thread; written by that thread, and counts of batches by who begins a run.
  struct figures {
    explicit figures(std::size_t queues) : found(queues) {}

    count begun{0};    ///< batches, those that it passed over among them
    count batches{0};  ///< that it is through with
    count failures{0};
    figures* other = nullptr;  ///< of the task on another thread
    watch::detail::distribution runs;
    watch::detail::distribution waits;
    std::vector<watch::detail::distribution> found;  ///< as the task's `fills`
  };
  struct task_state {
    /// Calls \p use with the figures on each thread.
    template <class Use>
    void each(Use use) const {
      for (figures* f = latest.load(std::memory_order_acquire); f != nullptr; f = f->other) use(*f);
    }
    std::size_t sum(count figures::*of) const {
      std::size_t all = 0;
      each([&](const figures& f) { all += (f.*of).load(std::memory_order_relaxed); });
      return all;
    }

    std::string name;
    planner::rate runs;
    std::vector<std::size_t> fills;         ///< queues of slots that it is the last to write
    std::atomic<figures*> latest{nullptr};  ///< that were made
  };
  /// A slot that a task reads. All who write one run for the same batches: the last of them counts.
  struct queue {
    std::string slot;
    std::size_t room = 0;
    std::size_t writer = 0;
    std::vector<std::size_t> readers;
    bool every_batch = true;  ///< is written, and read by each of them
  };
  /// Whether one of two nodes comes before the other, for any batch.
  class batch_order {
   public:
    explicit batch_order(const planner::plan_view& plan) : plan_(plan), place_(plan.order.size()) {
      for (std::size_t i = 0; i < place_.size(); ++i) place_[plan.order[i]] = i;
    }
    bool operator()(std::size_t a, std::size_t b) const {
      return plan_.lag[a] != plan_.lag[b] ? plan_.lag[a] < plan_.lag[b] : place_[a] < place_[b];
    }

   private:
    const planner::plan_view& plan_;
    std::vector<std::size_t> place_;  // by node
  };
  /// Figures that are made by their thread when they are first needed.
  class slot_of_task {
   public:
    slot_of_task() = default;
    slot_of_task(const slot_of_task&) = delete;
    slot_of_task& operator=(const slot_of_task&) = delete;
    ~slot_of_task() { delete get(); }

    figures& made(task_state& of) {
      figures* f = made_.load(std::memory_order_relaxed);
      if (f == nullptr) {
        f = new figures(of.fills.size());
        made_.store(f, std::memory_order_release);  // release: with what is in them
        f->other = of.latest.load(std::memory_order_relaxed);
        while (!of.latest.compare_exchange_weak(f->other, f, std::memory_order_release,
                                                std::memory_order_relaxed)) {
        }
      }
      return *f;
    }
    figures* get() const { return made_.load(std::memory_order_acquire); }

   private:
    std::atomic<figures*> made_{nullptr};
  };

  struct alignas(64) lane {
    shown_step state;
    clock::time_point entered{};  // the task that runs; of the thread alone
    clock::time_point left{};     // the last task; of the thread, and of whoever begins a run
    std::string name;
    std::vector<slot_of_task> by_task;
  };
  struct run_times {
    std::atomic<clock::rep> begun{0};
    std::atomic<clock::rep> ended{0};
    std::atomic<bool> running{false};
    std::atomic<std::size_t> first{0};  // batch
    std::atomic<bool> dry{false};
  };

  /// Of a count that one thread writes.
  static void raise(count& n) {
    n.store(n.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
  }
  figures& leave(std::size_t thread, std::size_t task, std::size_t batch) {
    lane& l = lanes_[thread];
    const clock::time_point now = clock::now();
    figures& f = l.by_task[task].made(tasks_[task]);
    f.runs.add(now - l.entered);
    l.left = now;
    l.state.show({task, batch, false, now});
    return f;
  }

  activity::thread_row row_of(const lane& l, clock::time_point now) const {
    activity::thread_row row;
    row.name = l.name;
    step s;
    // Again if a task began or ended meanwhile: its time counts once, whatever is read.
    for (int attempt = 0; attempt < 100; ++attempt) {
      const std::uint64_t before = l.state.changes();
      s = l.state.seen();
      row.busy = {};
      for (std::size_t task = 0; task < tasks_.size(); ++task)
        if (const figures* const f = l.by_task[task].get(); f != nullptr && !is_pull(task))
          row.busy += f->runs.total();
      if (l.state.changes() == before) break;
    }
    row.task = s.task;
    row.batch = s.batch;
    row.runs_a_task = s.runs;
    row.since = (std::max)(clock::duration{}, now - s.since);
    if (s.runs && !is_pull(s.task)) row.busy += row.since;
    return row;
  }
  void add_row_of(std::size_t task, activity& now) const {
    activity::task_row row;
    const task_state& of = tasks_[task];
    row.name = of.name;
    watch::detail::histogram runs;
    watch::detail::histogram waits;
    of.each([&](const figures& f) {
      f.runs.add_to(runs);
      f.waits.add_to(waits);
    });
    row.failures = of.sum(&figures::failures);
    row.batches = of.sum(&figures::batches);
    row.runs = runs.summary();
    row.waits = waits.summary();
    now.tasks.push_back(std::move(row));
  }
  /// Tasks alone tell: the source is asked once more than it has batches, and not every pipeline
  /// delivers. A task that does not run for every batch is through with all batches before the next
  /// one for which it runs, as far as any task tells that they exist.
  void count_batches(activity& now) const {
    const std::size_t tasks = tasks_.size() < 2 ? 0 : tasks_.size() - 2;
    now.through = tasks == 0 ? 0 : activity::none;
    for (std::size_t t = 0; t < tasks; ++t) {
      const std::size_t runs = now.tasks[t].batches;
      const std::size_t due = due_after(tasks_[t].runs, runs, now.first);
      if (runs > 0)
        now.begun = (std::max)(
            now.begun,
            there(tasks_[t].runs, due - static_cast<std::size_t>(tasks_[t].runs.every) + 1));
      now.through = (std::min)(now.through, due);
    }
    for (const activity::thread_row& thread : now.threads)
      if (thread.runs_a_task && !is_pull(thread.task) && thread.task < tasks)
        now.begun =
            (std::max)(now.begun, there(tasks_[thread.task].runs, thread.batch + 1 - now.first));
    now.through = (std::min)(now.through, now.begun);
  }
  /// Of the batches up to the one that a task runs for, how many are there for certain: at the end
  /// of a stream it may run for what is left of a group.
  static std::size_t there(const planner::rate& r, std::size_t batches) {
    const auto missing = r.at_end ? static_cast<std::size_t>(r.phase) : 0;
    return batches > missing ? batches - missing : 0;
  }
  /// How many batches of a run that begins with batch \p first come before the one for which a task
  /// runs next that has run for some.
  static std::size_t due_after(const planner::rate& r, std::size_t runs, std::size_t first) {
    if (r.every == 1) return runs;
    const auto every = static_cast<std::size_t>(r.every);
    const auto phase = static_cast<std::size_t>(r.phase);
    // The first batch for which it runs, and how many come before it.
    const std::size_t before = (first % every <= phase ? phase : phase + every) - first % every;
    return runs * every + before;
  }

  /// Whether a batch may wait in a queue: it is written, and read by any.
  bool is_queued(const queue& q, std::size_t batch) const {
    const auto runs = [&](std::size_t task) { return planner::runs_for(tasks_[task].runs, batch); };
    return q.every_batch ||
           (runs(q.writer) && std::any_of(q.readers.begin(), q.readers.end(), runs));
  }
  /// How many wait now. Batches that workers share count as if they were done in order.
  std::size_t waiting_in(const queue& q) const {
    const std::size_t first = run_->first.load(std::memory_order_relaxed);
    const std::size_t written =
        due_after(tasks_[q.writer].runs, tasks_[q.writer].sum(&figures::batches), first);
    const auto read_by = [&](std::size_t r) {
      return due_after(tasks_[r].runs, tasks_[r].sum(&figures::begun), first);
    };
    std::size_t read = activity::none;
    for (const std::size_t r : q.readers) read = (std::min)(read, read_by(r));
    // A reader may have got on since the writer was asked.
    if (read >= written) return 0;
    if (q.every_batch) return written - read;
    std::size_t all = 0;
    for (std::size_t b = read; b < written; ++b)
      if (planner::runs_for(tasks_[q.writer].runs, first + b) &&
          std::any_of(q.readers.begin(), q.readers.end(), [&](std::size_t r) {
            return planner::runs_for(tasks_[r].runs, first + b) && read_by(r) <= b;
          }))
        ++all;
    return all;
  }
  /// When a batch has been written. Nobody has begun to read it.
  void count_waiting(const queue& q, std::size_t batch, watch::detail::distribution& found) const {
    if (is_queued(q, batch)) found.add_number((std::max)(std::size_t{1}, waiting_in(q)));
  }
  activity::queue_row row_of(const queue& q) const {
    const std::vector<std::size_t>& fills = tasks_[q.writer].fills;
    const auto which = static_cast<std::size_t>(
        std::find(fills.begin(), fills.end(), static_cast<std::size_t>(&q - queues_.data())) -
        fills.begin());
    watch::detail::histogram found;
    tasks_[q.writer].each([&](const figures& f) { f.found[which].add_to(found); });
    // Not more than there is room for, be it that a reader is seen later than the writer.
    return {q.slot, q.room, (std::min)(q.room, waiting_in(q)), found.lengths()};
  }

  bool is_pull(std::size_t task) const { return task + 2 == tasks_.size(); }

  std::vector<task_state> tasks_;
  std::vector<queue> queues_;
  std::vector<lane> lanes_;  // by thread
  std::unique_ptr<run_times> run_;
};

}  // namespace stretto
