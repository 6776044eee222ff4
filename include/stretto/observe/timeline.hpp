// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <stretto/declare/tag.hpp>
#include <stretto/observe/counter_map.hpp>
#include <stretto/observe/observer.hpp>
#include <stretto/observe/processor_counter.hpp>
#include <stretto/observe/recording_switch.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace stretto {

/// Observer that records when each task ran: `pipeline<training, timeline>`, then
/// `pipeline.observer()`. Keeps the latest \c capacity runs of each thread in memory allocated
/// once, and counts those before (\c overwritten). Costs two readings per task, or one where it
/// begins when another one ends: of the processors' counter where that makes the clock, else of the
/// clock. Read it while no progress is running. Times are those of `std::chrono::steady_clock`, to
/// within some tens of nanoseconds.
///
/// It can be switched off and on while runs go on (\c pause, \c resume), and costs a task two loads
/// of a flag while it is off. What is recorded between two switches is a *stretch*, of whole runs
/// of tasks; so is a run of the pipeline of which an earlier one is in the record. Periods, windows
/// and waits are of single stretches, never across the gap between two.
class timeline {
 public:
  using stretto_tag = tag::observer;
  static constexpr bool observes = true;
  static constexpr std::size_t capacity = std::size_t{1} << 16;

  using clock = std::chrono::steady_clock;
  using seconds = std::chrono::duration<double>;

  /// One task working on one batch.
  struct span {
    std::size_t task = 0;
    std::size_t batch = 0;
    clock::time_point begin{};
    clock::time_point end{};
    std::uint32_t stretch = 0;  ///< how many stretches there were before
  };

  /// When batches were through: the end of the last task of each, from the first batch that is in
  /// the record to the last. The epoch of the clock: that one is no longer in it. Of a timeline
  /// that was paused: in the stretch that has most batches, those that have all their tasks there.
  struct batch_ends {
    std::size_t first = 0;
    std::vector<clock::time_point> through;
    std::uint32_t stretch = 0;
  };

  /// What happened between two ends of the pipeline's work on a batch.
  struct window {
    std::size_t first_batch = 0;
    std::size_t batches = 0;
    seconds wall{};
    std::vector<seconds> busy;       ///< by thread: time inside tasks
    std::vector<seconds> in_source;  ///< by thread: time inside the source, at work or waiting

    seconds busiest() const { return *std::max_element(busy.begin(), busy.end()); }
    seconds total() const {
      seconds sum{};
      for (const seconds b : busy) sum += b;
      return sum;
    }
  };

  void attached(std::span<const std::string_view> threads,
                std::span<const std::string_view> tasks) {
    threads_.assign(threads.begin(), threads.end());
    tasks_.assign(tasks.begin(), tasks.end());
    lanes_.clear();
    name_streams({});
    for (std::size_t t = 0; t < threads.size(); ++t) {
      lane& l = lanes_.emplace_back();
      l.entries.resize(capacity);
      l.anchors.reserve(most_anchors);  // of what is not used, a system gives no memory
    }
    closing_ = {};
    counts_ = counter_type::is_steady();
    take_anchors_anew();
  }
  /// From now on nothing is recorded, on no thread: for this run, and for those that come. Any
  /// thread may call it while others run tasks: what these are at is left out, and one that has not
  /// heard of it yet may record a task or two more. Before a run (`pipeline.observer().pause()`),
  /// this makes it begin without.
  void pause() noexcept { switch_.turn(false); }
  /// From now on all is recorded that begins, on any thread, as for \c pause.
  void resume() noexcept { switch_.turn(true); }
  bool is_paused() const noexcept { return !recording_switch::is_on(switch_.now()); }

  /// A run of which something is recorded is not gone on with: batches have their numbers anew, and
  /// what lies between two runs is nobody's time.
  void run_begins() noexcept {
    if (std::any_of(lanes_.begin(), lanes_.end(), [](const lane& l) { return l.count != 0; }))
      switch_.begin_stretch();
  }
  /// From here on times do not depend on when they are asked for.
  void run_ended() noexcept {
    if (counts_) closing_ = counter_type::anchor();
  }
  void started(std::size_t thread, std::size_t /*task*/, std::size_t /*batch*/) {
    begin(lanes_[thread], switch_.now());
  }
  /// The reading at the end of one task is that at the begin of the next: it is not made twice.
  void started(std::size_t thread, std::size_t /*task*/, std::size_t /*batch*/, back_to_back) {
    lane& l = lanes_[thread];
    const recording_switch::count now = switch_.now();
    // Without a change since the task before began, its end is in the record.
    if (now != l.began_at) [[unlikely]]
      begin(l, now);
  }
  void finished(std::size_t thread, std::size_t task, std::size_t batch) {
    lane& l = lanes_[thread];
    if (!is_recorded(l)) [[unlikely]]
      return;
    if (counts_) [[likely]]
      counter_type::wait_for_all_before();
    lane_entry& e = l.entries[l.count++ % capacity];
    e.batch = batch;
    e.begin = l.since;
    e.task = static_cast<std::uint32_t>(task);
    e.made_at = l.began_at;
    if (counts_) [[likely]] {
      e.made_at |= 1U;
      e.end = counter_type::read();
    } else {
      e.end = in_clock(clock::now());
    }
    l.since = e.end;
    if (l.since >= l.anchor_due) [[unlikely]] {
      add_anchor(l);
      l.since = reading();
    }
  }
  /// Adds a run that was timed elsewhere.
  void add(std::size_t thread, const span& run) {
    lane& l = lanes_[thread];
    l.entries[l.count++ % capacity] = {run.batch, in_clock(run.begin), in_clock(run.end),
                                       static_cast<std::uint32_t>(run.task), 2 * run.stretch};
  }

  /// Makes room for what streams of a device do, as far as it is timed elsewhere
  /// (`cuda::timeline`).
  void name_streams(std::span<const std::string_view> names) {
    streams_.assign(names.begin(), names.end());
    on_streams_.clear();
    for (std::size_t s = 0; s < names.size(); ++s)
      on_streams_.emplace_back().spans.resize(capacity);
  }
  /// Adds the run of a task on a stream.
  void add_on_stream(std::size_t stream, const span& run) {
    stream_lane& r = on_streams_[stream];
    r.spans[r.count++ % capacity] = run;
  }

  /// How many runs of tasks, of threads and of streams, are missing, because later ones took their
  /// room.
  std::size_t overwritten() const {
    std::size_t all = 0;
    const auto add_missing = [&all](std::size_t count) {
      all += count - (std::min)(count, capacity);
    };
    for (const lane& l : lanes_) add_missing(l.count);
    for (const stream_lane& r : on_streams_) add_missing(r.count);
    return all;
  }

  void clear() {
    for (lane& l : lanes_) l.count = 0;
    for (stream_lane& r : on_streams_) r.count = 0;
    take_anchors_anew();
    cleared_at_ = switch_.now();
  }

  std::span<const std::string> threads() const { return threads_; }
  /// By task number, as in \c span; the last two are `pull` and `deliver`.
  std::span<const std::string> tasks() const { return tasks_; }
  /// Whether a run is a pull: nobody outside the source can tell how much of it was work and how
  /// much was waiting for a batch, so it does not count as busy.
  bool in_source(const span& run) const { return run.task + 2 == tasks_.size(); }

  /// The recorded runs of a thread, oldest first. Throws `std::out_of_range` if there is none of
  /// that number.
  std::vector<span> spans(std::size_t thread) const { return kept_in(lanes_.at(thread), times()); }

  /// The streams of which it is recorded when they, and not the threads that submit to them, began
  /// and ended each task's work; none unless a device's timeline (`cuda::timeline`) is at work.
  std::span<const std::string> streams() const { return streams_; }
  /// That of a stream, oldest first. Throws likewise.
  std::vector<span> stream_spans(std::size_t stream) const {
    return kept_in(on_streams_.at(stream));
  }

  /// The stretches of which something is recorded, the oldest first: a single one, 0, unless it was
  /// paused. Those that streams did are in the stretch in which their task was submitted.
  std::vector<std::uint32_t> stretches() const {
    std::vector<std::uint32_t> found;
    for (const stretch_spans& s : spans_by_stretch()) found.push_back(s.stretch);
    return found;
  }
  /// What is recorded of a stretch: by thread, the oldest first.
  struct stretch_spans {
    std::uint32_t stretch = 0;
    std::vector<std::vector<span>> by_thread;
  };
  /// Of each stretch, the oldest first.
  std::vector<stretch_spans> spans_by_stretch() const {
    const std::vector<std::vector<span>> all = all_spans();
    std::map<std::uint32_t, std::vector<std::vector<span>>> found;
    for (std::size_t t = 0; t < all.size(); ++t)
      for (const span& s : all[t]) {
        std::vector<std::vector<span>>& by_thread = found[s.stretch];
        by_thread.resize(all.size());
        by_thread[t].push_back(s);
      }
    std::vector<stretch_spans> result;
    result.reserve(found.size());
    for (auto& [stretch, by_thread] : found) result.push_back({stretch, std::move(by_thread)});
    return result;
  }

  batch_ends ends_of_batches() const {
    const std::vector<stretch_spans> all = spans_by_stretch();
    batch_ends most;
    const recorded_tasks recorded = recorded_in(all);
    for (const stretch_spans& s : all) {
      batch_ends found = ends_in(s, recorded);
      if (found.through.size() > most.through.size()) most = std::move(found);
    }
    return most;
  }

  /// Cuts the record, each stretch of it, into windows of \p batches batches, each from the
  /// end of one batch's last task to the end of another's. Time that a task spends across a
  /// window's edge is split there. Shorter windows see more of the host's disturbances, longer ones
  /// average over them.
  std::vector<window> windows(std::size_t batches) const {
    if (batches == 0) return {};
    const std::vector<stretch_spans> all = spans_by_stretch();
    const recorded_tasks recorded = recorded_in(all);
    std::vector<window> result;
    for (const stretch_spans& s : all) add_windows(result, batches, s, ends_in(s, recorded));
    return result;
  }

 protected:
  /// Has the clock itself be read, whatever the processors have. To be called before a run.
  void read_clock_only() {
    counts_ = false;
    take_anchors_anew();
  }
  /// Of the task that a thread is in, or was in last: whether it is recorded so far. Asked on that
  /// thread.
  bool is_recorded(std::size_t thread) const { return is_recorded(lanes_[thread]); }
  /// Which stretch it is in.
  std::uint32_t stretch_of(std::size_t thread) const {
    return recording_switch::stretch(lanes_[thread].began_at);
  }

 private:
  using counter_type = observe::detail::processor_counter;
  using recording_switch = observe::detail::recording_switch;

  /// A run of a task as it was read: counts of the counter, or the clock's ticks.
  struct lane_entry {
    std::size_t batch = 0;
    std::uint64_t begin = 0;
    std::uint64_t end = 0;
    std::uint32_t task = 0;
    std::uint32_t made_at = 0;  // the switch's count, which is even; odd: readings are counts
  };
  /// Of a thread, which alone writes to it.
  struct alignas(64) lane {
    std::vector<lane_entry> entries;
    std::size_t count = 0;
    std::uint64_t since = 0;       // when the task at hand began, or the last one ended
    std::uint64_t anchor_due = 0;  // when the clock is to be read next, too
    /// The switch's count where a task began, if it was on.
    recording_switch::count began_at = recording_switch::never;
    std::vector<observe::detail::counter_anchor> anchors;
    std::size_t anchored = 0;  // how often
  };
  /// Of a stream.
  struct stream_lane {
    std::vector<span> spans;
    std::size_t count = 0;
  };
  /// At most one is taken when a task begins, and one when it ends: there are as many as entries
  /// need.
  static constexpr std::size_t most_anchors = 2 * capacity;

  static std::uint64_t in_clock(clock::time_point t) {
    return static_cast<std::uint64_t>(t.time_since_epoch().count());
  }
  std::uint64_t reading() const { return counts_ ? counter_type::now() : in_clock(clock::now()); }
  bool is_recorded(const lane& l) const { return l.began_at == switch_.now(); }
  void begin(lane& l, recording_switch::count now) const {
    const bool is_on = recording_switch::is_on(now);
    l.began_at = is_on ? now : recording_switch::never;
    if (is_on) l.since = reading_of(l);
  }
  /// With one of the clock, too, if it is time for that.
  std::uint64_t reading_of(lane& l) const {
    const std::uint64_t now = reading();
    if (now < l.anchor_due) [[likely]]
      return now;
    add_anchor(l);
    return reading();
  }
  /// A clock is made to go slower or faster now and then, a counter is not: so the clock is read
  /// again after a while.
  [[gnu::noinline, gnu::cold]] static void add_anchor(lane& l) {
    const observe::detail::counter_anchor a = counter_type::anchor();
    l.anchor_due = a.count + counter_type::a_while();
    if (l.anchors.size() < most_anchors) {
      l.anchors.push_back(a);
    } else {
      l.anchors[l.anchored % most_anchors] = a;
    }
    ++l.anchored;
  }
  void take_anchors_anew() {
    for (lane& l : lanes_) {
      l.anchors.clear();
      l.anchored = 0;
      l.anchor_due = counts_ ? 0 : ~std::uint64_t{0};
    }
  }
  /// One for all threads: who comes after another one does so in the record. After a run there is
  /// an anchor behind all that it recorded; while it goes on, one is taken now.
  observe::detail::counter_map times() const {
    std::vector<observe::detail::counter_anchor> all;
    std::uint64_t last_reading = 0;
    for (const lane& l : lanes_) {
      if (l.anchored == 0) continue;
      all.insert(all.end(), l.anchors.begin(), l.anchors.end());
      last_reading = (std::max)(last_reading, l.since);
    }
    if (!all.empty())
      all.push_back(closing_.count >= last_reading ? closing_ : counter_type::anchor());
    return observe::detail::counter_map(std::move(all));
  }
  /// By thread, all by one map.
  std::vector<std::vector<span>> all_spans() const {
    const observe::detail::counter_map map = times();
    std::vector<std::vector<span>> all;
    all.reserve(lanes_.size());
    for (const lane& l : lanes_) all.push_back(kept_in(l, map));
    return all;
  }
  /// Calls \p use for each run of a task. Asking the source takes no batch through, and at its end
  /// there is none.
  template <class Use>
  void each_task(const stretch_spans& of, Use use) const {
    for (const std::vector<span>& of_thread : of.by_thread)
      for (const span& s : of_thread)
        if (!in_source(s)) use(s);
  }
  /// Which tasks are recorded anywhere, and whether some of what the run did is not.
  struct recorded_tasks {
    std::vector<char> is;  // by task
    bool with_gaps = false;
  };
  recorded_tasks recorded_in(const std::vector<stretch_spans>& all) const {
    recorded_tasks found{std::vector<char>(tasks_.size(), 0), switch_.now() != cleared_at_};
    for (const stretch_spans& s : all) {
      found.with_gaps = found.with_gaps || s.stretch != recording_switch::stretch(cleared_at_);
      each_task(s, [&](const span& run) { found.is[run.task] = 1; });
    }
    return found;
  }
  struct batch_range {
    std::size_t first = static_cast<std::size_t>(-1);
    std::size_t last = 0;

    bool has(std::size_t batch) const { return first <= batch && batch <= last; }
    void widen(std::size_t batch) {
      first = (std::min)(first, batch);
      last = (std::max)(last, batch);
    }
  };
  /// The batches of a stretch. Where it was paused some have tasks on both sides, which are left
  /// out: those of which a task that is recorded anywhere has run on no earlier, or on no later,
  /// batch of the stretch.
  batch_range batches_in(const stretch_spans& of, const recorded_tasks& recorded) const {
    batch_range found;
    std::vector<batch_range> by_task(tasks_.size());
    each_task(of, [&](const span& s) {
      found.widen(s.batch);
      by_task[s.task].widen(s.batch);
    });
    if (!recorded.with_gaps) return found;
    for (std::size_t t = 0; t < by_task.size(); ++t) {
      if (recorded.is[t] == 0) continue;
      found.first = (std::max)(found.first, by_task[t].first);
      found.last = (std::min)(found.last, by_task[t].last);
    }
    return found;
  }
  batch_ends ends_in(const stretch_spans& of, const recorded_tasks& recorded) const {
    const batch_range batches = batches_in(of, recorded);
    if (batches.first > batches.last) return {};
    batch_ends found{batches.first, {}, of.stretch};
    found.through.resize(batches.last - batches.first + 1);
    each_task(of, [&](const span& s) {
      if (!batches.has(s.batch)) return;
      clock::time_point& end = found.through[s.batch - found.first];
      end = (std::max)(end, s.end);
    });
    return found;
  }
  /// Windows of a stretch begin at multiples of their length, counted from batch 0.
  void add_windows(std::vector<window>& to, std::size_t batches, const stretch_spans& of,
                   const batch_ends& ends) const {
    const std::vector<std::vector<span>>& all = of.by_thread;
    std::vector<std::size_t> first(all.size(), 0);  // by thread: no run before it reaches so far
    std::size_t b = (batches - ends.first % batches) % batches;
    for (; batches < ends.through.size() && b < ends.through.size() - batches; b += batches) {
      const auto begin = ends.through[b];
      const auto end = ends.through[b + batches];
      if (begin == clock::time_point{} || end == clock::time_point{})
        continue;  // no longer in the record
      window w{ends.first + b + 1, batches, end - begin, {}, {}};
      for (std::size_t t = 0; t < all.size(); ++t) {
        while (first[t] < all[t].size() && all[t][first[t]].end <= begin) ++first[t];
        seconds busy{}, pulling{};
        for (std::size_t i = first[t]; i < all[t].size() && all[t][i].begin < end; ++i)
          (in_source(all[t][i]) ? pulling : busy) +=
              (std::min)(all[t][i].end, end) - (std::max)(all[t][i].begin, begin);
        w.busy.push_back(busy);
        w.in_source.push_back(pulling);
      }
      to.push_back(std::move(w));
    }
  }
  /// What is still there of \p count entries, oldest first.
  template <class Entry, class SpanOf>
  static std::vector<span> latest(const std::vector<Entry>& entries, std::size_t count,
                                  SpanOf span_of) {
    const std::size_t kept = (std::min)(count, capacity);
    std::vector<span> result;
    result.reserve(kept);
    for (std::size_t i = count - kept; i < count; ++i)
      result.push_back(span_of(entries[i % capacity]));
    return result;
  }
  static std::vector<span> kept_in(const lane& l, const observe::detail::counter_map& times) {
    return latest(l.entries, l.count, [&times](const lane_entry& e) {
      const auto time_of = [&](std::uint64_t reading) {
        if (e.made_at % 2 != 0) return times.time_of(reading);
        return clock::time_point(clock::duration(static_cast<clock::rep>(reading)));
      };
      return span{e.task, e.batch, time_of(e.begin), time_of(e.end),
                  recording_switch::stretch(e.made_at)};
    });
  }
  static std::vector<span> kept_in(const stream_lane& r) {
    return latest(r.spans, r.count, [](const span& s) { return s; });
  }

  std::vector<std::string> threads_;  // copies: a record outlives its pipeline
  std::vector<std::string> tasks_;
  std::vector<std::string> streams_;
  std::vector<lane> lanes_;                  // by thread
  std::vector<stream_lane> on_streams_;      // by stream
  observe::detail::counter_anchor closing_;  // when the latest run had ended
  bool counts_ = false;                      // whether readings are the counter's
  recording_switch switch_;
  recording_switch::count cleared_at_ = 0;  // the switch's count when the record began anew
};

}  // namespace stretto
