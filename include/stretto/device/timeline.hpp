// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <deque>
#include <memory>
#include <span>
#include <stretto/device/clock_map.hpp>
#include <stretto/device/driver.hpp>
#include <stretto/device/error.hpp>
#include <stretto/device/event_pairs.hpp>
#include <stretto/device/handles.hpp>
#include <stretto/device/task_streams.hpp>
#include <stretto/device/timed_events.hpp>
#include <stretto/observe/timeline.hpp>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace stretto::device {

namespace detail {

/// A device's clock as a run needs it: read when it begins, and when it has ended.
template <class Driver>
class device_clock {
 public:
  device_clock(timed_events<Driver>& events, int device, typename Driver::stream stream)
      : driver_(events.driver()),
        device_(device),
        stream_(stream),
        base_(events.make()),
        last_(events.make()),
        spare_(events.make()) {}

  int device() const { return device_; }
  typename Driver::event base() const { return base_; }

  /// Throws `device::error`.
  void begin() { first_ = read(base_); }
  /// \p from: an event by which the clock is known.
  clock_map end(const known_event<Driver>& from) {
    clock_reading end = read(last_);
    end.device = from.time_of(driver_, last_);
    return {first_, end};
  }
  /// Where that cannot be read any more.
  clock_map begin_only() const { return {first_, first_}; }

 private:
  /// The first attempt may find the host or the device asleep.
  static constexpr int attempts = 4;

  /// By an event of a stream on which nothing is: the closest of a few.
  clock_reading read(typename Driver::event& event) {
    clock_reading best;
    for (int i = 0; i < attempts; ++i) {
      clock_reading now;
      now.before = host_clock::now();
      shared::checked<Driver>(call::record, driver_.record(spare_, stream_));
      shared::checked<Driver>(call::synchronize_event, driver_.synchronize_event(spare_));
      now.after = host_clock::now();
      if (i > 0 && now.after - now.before >= best.after - best.before) continue;
      best = now;
      std::swap(event, spare_);
    }
    return best;
  }

  [[no_unique_address]] Driver driver_;
  int device_;
  typename Driver::stream stream_;
  typename Driver::event base_;
  typename Driver::event last_;
  typename Driver::event spare_;
  clock_reading first_{};
};

}  // namespace detail

/// Observer that records, besides what `stretto::timeline` does, when the device began and ended
/// each task's work on its stream: `streams()` and `stream_spans(stream)`, in the host's time,
/// which are rows of their own in pictures and traces. Costs a task on a stream two records of
/// events, and a query and two readings of a pair that was recorded earlier; nothing of that while
/// it is paused. Read it while no progress is running: a run's times on streams are there when it
/// has ended.
///
/// The pipeline's constructor makes the events, twice as many pairs for each task as batches may be
/// in flight; it and `run` throw `device::error` if the device refuses. Not for graphs, which
/// launch several tasks at once.
template <timed_driver Driver>
class timeline : public stretto::timeline {
  using known = detail::known_event<Driver>;

 public:
  void attached(std::span<const std::string_view> threads, std::span<const std::string_view> tasks,
                std::span<const std::string_view> streams) {
    stretto::timeline::attached(threads, tasks);
    task_streams_.name(streams);
    tasks_.clear();
    tasks_.resize(streams.size());
  }
  template <class Device>
    requires(std::is_same_v<decltype(std::declval<const Device&>().driver()), const Driver&>)
  void device_made(const Device& on, std::size_t in_flight) {
    events_ = std::make_unique<detail::timed_events<Driver>>(on.driver());
    std::vector<std::string_view> rows;
    task_streams_.each(on, [&](std::size_t t, auto stream, std::string_view name, int device) {
      timed_task& task = tasks_[t];
      const auto row = std::find(rows.begin(), rows.end(), name);
      task.row = static_cast<std::size_t>(row - rows.begin());
      if (row == rows.end()) rows.push_back(name);
      task.clock = &clock_of(device, stream);
      task.pairs = std::make_unique<detail::event_pairs<Driver>>(
          on.driver(), stream, 2 * in_flight, capacity, [this] { return events_->make(); });
    });
    name_streams(rows);
  }

  void run_begins() {
    stretto::timeline::run_begins();
    for (device_clock& c : clocks_) c.begin();
    for (timed_task& t : tasks_)
      if (t.pairs) t.pairs->restart(t.clock->base());
  }
  void started(std::size_t thread, std::size_t task, std::size_t batch) {
    stretto::timeline::started(thread, task, batch);
    if (tasks_[task].pairs && is_recorded(thread))
      tasks_[task].pairs->begin(batch, stretch_of(thread));
  }
  void submitted(std::size_t thread, std::size_t task, std::size_t /*batch*/) {
    if (tasks_[task].pairs && is_recorded(thread)) tasks_[task].pairs->end();
  }
  void run_ended() noexcept {
    stretto::timeline::run_ended();
    for (timed_task& t : tasks_)
      if (t.pairs) t.pairs->read_all();
    try {
      clock_error_ = {};
      for (device_clock& c : clocks_) add_spans_by(c);
    } catch (...) {
      // There is no memory for a picture: the run goes on as it would without.
    }
  }

  /// Forgets what was recorded.
  void clear() {
    stretto::timeline::clear();
    for (timed_task& t : tasks_)
      if (t.pairs) t.pairs->forget_dropped();
  }
  /// How many times a task's work on a batch is missing, because the device had not come by any of
  /// the task's events yet, or failed.
  std::size_t dropped() const {
    std::size_t all = 0;
    for (const timed_task& t : tasks_)
      if (t.pairs) all += t.pairs->dropped();
    return all;
  }
  /// By how much times on streams of the latest run may be off against those of threads: what the
  /// two clocks' readings at its begin and at its end leave open. Events themselves tell apart
  /// about half a microsecond.
  seconds clock_error() const { return clock_error_; }

 private:
  using device_clock = detail::device_clock<Driver>;
  struct timed_task {
    std::unique_ptr<detail::event_pairs<Driver>> pairs;  ///< null: it is not on a stream
    std::size_t row = 0;                                 ///< its stream
    device_clock* clock = nullptr;
  };

  /// That of a device, which is current. \p stream: on which it may be read.
  device_clock& clock_of(int device, typename Driver::stream stream) {
    for (device_clock& c : clocks_)
      if (c.device() == device) return c;
    return clocks_.emplace_back(*events_, device, stream);
  }

  void add_spans_by(device_clock& by) {
    known latest{by.base(), {}};
    for (const timed_task& t : tasks_)
      if (t.clock == &by && t.pairs->reference().time > latest.time) latest = t.pairs->reference();
    const detail::clock_map map = map_of(by, latest);
    clock_error_ = (std::max)(clock_error_, seconds(map.error()));
    for (std::size_t row = 0; row < streams().size(); ++row) {
      std::vector<span> all;
      for (std::size_t t = 0; t < tasks_.size(); ++t)
        if (tasks_[t].clock == &by && tasks_[t].row == row)
          tasks_[t].pairs->each([&](const detail::device_span& s) {
            all.push_back({t, s.batch, map.host_time(s.begin), map.host_time(s.end), s.stretch});
          });
      std::sort(all.begin(), all.end(), began_earlier);
      for (const span& s : all) add_on_stream(row, s);
    }
  }
  static bool began_earlier(const span& a, const span& b) {
    if (a.begin != b.begin) return a.begin < b.begin;
    return a.task != b.task ? a.task < b.task : a.batch < b.batch;
  }
  static detail::clock_map map_of(device_clock& by, const known& latest) {
    try {
      return by.end(latest);
    } catch (const error&) {
      return by.begin_only();  // the run has failed, and says why
    }
  }

  detail::task_streams task_streams_;
  std::unique_ptr<detail::timed_events<Driver>> events_;
  std::deque<device_clock> clocks_;  ///< by device, where they stay
  std::vector<timed_task> tasks_;    ///< each is written by the thread that runs it
  seconds clock_error_{};
};

}  // namespace stretto::device
