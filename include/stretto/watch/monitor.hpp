// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <stretto/declare/tag.hpp>
#include <stretto/watch/activity.hpp>
#include <stretto/watch/distribution.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace stretto {

/// Observer for long runs: `pipeline<training, monitor>`, then `pipeline.observer().look()`, on any
/// thread, while tasks run or not. Keeps counts and distributions of each task's times on each
/// thread, not the times, so its memory does not grow: some 10 KiB for each task and thread that
/// runs it, allocated when the task first runs there. Costs two clock readings per task.
class monitor {
 public:
  using stretto_tag = tag::observer;
  static constexpr bool observes = true;
  using clock = std::chrono::steady_clock;

  void attached(std::span<const std::string_view> threads,
                std::span<const std::string_view> tasks) {
    tasks_.assign(tasks.begin(), tasks.end());
    lanes_ = std::vector<lane>(threads.size());
    for (std::size_t t = 0; t < threads.size(); ++t) {
      lanes_[t].name = threads[t];
      lanes_[t].by_task = std::vector<slot_of_task>(tasks.size());
    }
    run_ = std::make_unique<run_times>();
  }
  void rates(std::span<const std::size_t> every, std::span<const std::size_t> phase) {
    every_.assign(every.begin(), every.end());
    phase_.assign(phase.begin(), phase.end());
  }
  void begins_at(std::size_t batch) { run_->first.store(batch, std::memory_order_relaxed); }
  void run_begins() {
    const clock::time_point now = clock::now();
    // Relaxed: the threads of the run are let go after this.
    for (lane& l : lanes_) {
      l.left = now;
      l.state.show({activity::none, 0, false, now});
      for (slot_of_task& s : l.by_task)
        if (figures* const f = s.get()) f->batches.store(0, std::memory_order_relaxed);
    }
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
    l.by_task[task].made().waits.add(now - l.left);
    l.entered = now;
    l.state.show({task, batch, true, now});
  }
  void finished(std::size_t thread, std::size_t task, std::size_t batch) {
    figures& f = leave(thread, task, batch);
    f.batches.store(f.batches.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
  }
  void failed(std::size_t thread, std::size_t task, std::size_t batch) {
    count_failure(leave(thread, task, batch));
  }

  /// A batch that the task has dropped because it failed.
  void failure_dropped(std::size_t thread, std::size_t task, std::size_t batch) {
    figures& f = leave(thread, task, batch);
    count_failure(f);
    f.batches.store(f.batches.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
  }

  /// A batch that another task has dropped: this one is through with it.
  void passed_over(std::size_t thread, std::size_t task, std::size_t batch) {
    lane& l = lanes_[thread];
    figures& f = l.by_task[task].made();
    f.batches.store(f.batches.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
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

  /// Of a task on a thread; written by that thread, and batches by who begins a run.
  struct figures {
    watch::detail::distribution runs;
    watch::detail::distribution waits;
    std::atomic<std::uint64_t> failures{0};
    std::atomic<std::size_t> batches{0};
  };
  /// Figures that are made by their thread when they are first needed.
  class slot_of_task {
   public:
    slot_of_task() = default;
    slot_of_task(const slot_of_task&) = delete;
    slot_of_task& operator=(const slot_of_task&) = delete;
    ~slot_of_task() { delete get(); }

    figures& made() {
      figures* f = made_.load(std::memory_order_relaxed);
      if (f == nullptr) {
        f = new figures;
        made_.store(f, std::memory_order_release);  // release: with what is in them
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
  };

  static void count_failure(figures& f) {
    f.failures.store(f.failures.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
  }
  figures& leave(std::size_t thread, std::size_t task, std::size_t batch) {
    lane& l = lanes_[thread];
    const clock::time_point now = clock::now();
    figures& f = l.by_task[task].made();
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
    row.name = tasks_[task];
    watch::detail::histogram runs;
    watch::detail::histogram waits;
    for (const lane& l : lanes_)
      if (const figures* const f = l.by_task[task].get(); f != nullptr) {
        f->runs.add_to(runs);
        f->waits.add_to(waits);
        row.failures += f->failures.load(std::memory_order_relaxed);
        row.batches += f->batches.load(std::memory_order_relaxed);
      }
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
      const std::size_t every = number_of(every_, t, 1);
      const std::size_t phase = number_of(phase_, t, 0);
      // The first batch for which it runs, and how many come before it.
      const std::size_t before =
          (now.first % every <= phase ? phase : phase + every) - now.first % every;
      const std::size_t due = runs * every + before;
      if (runs > 0) now.begun = (std::max)(now.begun, due - every + 1);
      now.through = (std::min)(now.through, due);
    }
    for (const activity::thread_row& thread : now.threads)
      if (thread.runs_a_task && !is_pull(thread.task) && thread.task < tasks)
        now.begun = (std::max)(now.begun, thread.batch + 1 - now.first);
    now.through = (std::min)(now.through, now.begun);
  }
  static std::size_t number_of(const std::vector<std::size_t>& by_task, std::size_t task,
                               std::size_t without) {
    return task < by_task.size() ? by_task[task] : without;
  }
  bool is_pull(std::size_t task) const { return task + 2 == tasks_.size(); }

  std::vector<std::string> tasks_;
  std::vector<std::size_t> every_;  // by task
  std::vector<std::size_t> phase_;  // by task
  std::vector<lane> lanes_;         // by thread
  std::unique_ptr<run_times> run_;
};

}  // namespace stretto
