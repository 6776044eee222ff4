// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <span>
#include <stretto/declare/tag.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace stretto {

/// Observer that records when each task ran: `pipeline<training, timeline>`, then
/// `pipeline.observer()`. Keeps the latest \c capacity runs of each thread in memory allocated
/// once. Costs two clock readings per task. Read it while no progress is running.
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
  };

  /// When batches were through: the end of the last task of each, from the first batch that is in
  /// the record to the last. The epoch of the clock: that one is no longer in it.
  struct batch_ends {
    std::size_t first = 0;
    std::vector<clock::time_point> through;
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
    for (std::size_t t = 0; t < threads.size(); ++t) lanes_.emplace_back().spans.resize(capacity);
  }
  void started(std::size_t thread, std::size_t task, std::size_t batch) {
    lane& l = lanes_[thread];
    l.spans[l.count % capacity] = {task, batch, clock::now(), {}};
  }
  void finished(std::size_t thread, std::size_t /*task*/, std::size_t /*batch*/) {
    lane& l = lanes_[thread];
    l.spans[l.count % capacity].end = clock::now();
    ++l.count;
  }
  /// Adds a run that was timed elsewhere.
  void add(std::size_t thread, const span& run) {
    lane& l = lanes_[thread];
    l.spans[l.count++ % capacity] = run;
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
    lane& l = on_streams_[stream];
    l.spans[l.count++ % capacity] = run;
  }

  void clear() {
    for (lane& l : lanes_) l.count = 0;
    for (lane& l : on_streams_) l.count = 0;
  }

  std::span<const std::string> threads() const { return threads_; }
  /// By task number, as in \c span; the last two are `pull` and `deliver`.
  std::span<const std::string> tasks() const { return tasks_; }
  /// Whether a run is a pull: nobody outside the source can tell how much of it was work and how
  /// much was waiting for a batch, so it does not count as busy.
  bool in_source(const span& run) const { return run.task + 2 == tasks_.size(); }

  /// The recorded runs of a thread, oldest first.
  std::vector<span> spans(std::size_t thread) const { return kept_in(lanes_[thread]); }

  /// The streams of which it is recorded when they, and not the threads that submit to them, began
  /// and ended each task's work; none unless a device's timeline (`cuda::timeline`) is at work.
  std::span<const std::string> streams() const { return streams_; }
  /// That of a stream, oldest first.
  std::vector<span> stream_spans(std::size_t stream) const { return kept_in(on_streams_[stream]); }

  batch_ends ends_of_batches() const {
    batch_ends found{static_cast<std::size_t>(-1), {}};
    std::size_t last = 0;
    const auto each = [this](auto use) {
      for (std::size_t t = 0; t < lanes_.size(); ++t)
        for (const span& s : spans(t))
          // Asking the source takes no batch through, and at its end there is none.
          if (!in_source(s)) use(s);
    };
    each([&](const span& s) {
      found.first = (std::min)(found.first, s.batch);
      last = (std::max)(last, s.batch);
    });
    if (found.first > last) return {};
    found.through.resize(last - found.first + 1);
    each([&](const span& s) {
      clock::time_point& end = found.through[s.batch - found.first];
      end = (std::max)(end, s.end);
    });
    return found;
  }

  /// Cuts the record of one run (see \c clear) into windows of \p batches batches, each from the
  /// end of one batch's last task to the end of another's. Time that a task spends across a
  /// window's edge is split there. Shorter windows see more of the host's disturbances, longer ones
  /// average over them.
  std::vector<window> windows(std::size_t batches) const {
    if (batches == 0) return {};
    std::vector<std::vector<span>> all;
    for (std::size_t t = 0; t < lanes_.size(); ++t) all.push_back(spans(t));
    const batch_ends ends = ends_of_batches();
    std::vector<window> result;
    std::vector<std::size_t> first(all.size(), 0);  // by thread: no run before it reaches so far
    // Windows begin at multiples of their length, counted from batch 0.
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
      result.push_back(std::move(w));
    }
    return result;
  }

 private:
  struct alignas(64) lane {
    std::vector<span> spans;
    std::size_t count = 0;
  };

  static std::vector<span> kept_in(const lane& l) {
    const std::size_t kept = (std::min)(l.count, capacity);
    std::vector<span> result;
    result.reserve(kept);
    for (std::size_t i = l.count - kept; i < l.count; ++i) result.push_back(l.spans[i % capacity]);
    return result;
  }

  std::vector<std::string> threads_;  // copies: a record outlives its pipeline
  std::vector<std::string> tasks_;
  std::vector<std::string> streams_;
  std::vector<lane> lanes_;       // by thread
  std::vector<lane> on_streams_;  // by stream
};

}  // namespace stretto
