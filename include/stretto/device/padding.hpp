// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <memory>
#include <span>
#include <stretto/device/driver.hpp>
#include <stretto/device/error.hpp>
#include <stretto/device/event_pairs.hpp>
#include <stretto/device/handles.hpp>
#include <stretto/device/task_streams.hpp>
#include <stretto/device/timed_events.hpp>
#include <stretto/run/error.hpp>
#include <stretto/watch/padding.hpp>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace stretto::device {

/// `stretto::padding` that pads what tasks have a device do, too: behind a task's work on its
/// stream, and before anybody who waits for that work, it puts work that does nothing for as long
/// as the task is to be longer. What a task takes there is measured by events around its work on
/// batches for which nothing is padded.
///
/// `Pause` puts that work on a stream, `status operator()(const Driver&, stream, nanoseconds)`, and
/// has a `name` for what errors say was called.
///
/// The pipeline's constructor makes the events, and has each stream pause for no time, so that what
/// has to be loaded is loaded; it and `run` throw `device::error` if the device refuses. `result`
/// throws `usage_error` if threads were further ahead of the device than there are batches in
/// flight, so that a stretch that was padded cannot be told from the next one. Not for graphs,
/// which launch several tasks at once.
template <timed_driver Driver, class Pause>
class padding : public stretto::padding {
  using base = stretto::padding;

 public:
  void attached(std::span<const std::string_view> threads, std::span<const std::string_view> tasks,
                std::span<const std::string_view> streams) {
    base::attached(threads, tasks, streams);
    streams_.name(streams);
    tasks_.clear();
    tasks_.resize(streams.size());
  }
  template <class Device>
    requires(std::is_same_v<decltype(std::declval<const Device&>().driver()), const Driver&>)
  void device_made(const Device& on, std::size_t in_flight) {
    this->pad_on_device();
    this->device_is_behind(in_flight);
    driver_ = std::make_unique<Driver>(on.driver());
    events_ = std::make_unique<detail::timed_events<Driver>>(on.driver());
    streams_.each(on, [&](std::size_t t, auto stream, std::string_view /*name*/, int /*device*/) {
      padded_task& task = tasks_[t];
      task.stream = stream;
      task.begin_of_run = events_->make();
      task.pairs = std::make_unique<detail::event_pairs<Driver>>(
          *driver_, task.stream, 2 * in_flight, most_times, [this] { return events_->make(); });
      pause(task, {});
    });
  }

  void pad(const padding_options& how) {
    base::pad(how);
    for (padded_task& t : tasks_) {
      t.times.clear();
      if (t.pairs) t.pairs->forget_dropped();
    }
  }
  void run_begins() {
    base::run_begins();
    for (padded_task& t : tasks_) {
      if (!t.pairs) continue;
      device::shared::checked<Driver>(call::record, driver_->record(t.begin_of_run, t.stream));
      device::shared::checked<Driver>(call::synchronize_event,
                                      driver_->synchronize_event(t.begin_of_run));
      t.pairs->restart(t.begin_of_run);
    }
  }
  void started(std::size_t thread, std::size_t task, std::size_t batch) {
    base::started(thread, task, batch);
    padded_task& t = tasks_[task];
    t.is_timed = t.pairs && !this->is_tried_on(batch);
    if (t.is_timed) t.pairs->begin(batch);
  }
  void submitted(std::size_t /*thread*/, std::size_t task, std::size_t batch) {
    padded_task& t = tasks_[task];
    if (t.is_timed) t.pairs->end();
    if (!t.pairs) return;
    if (const auto* const d = this->tried_on(task, batch))
      pause(t, std::chrono::duration_cast<std::chrono::nanoseconds>(d->by));
  }
  void run_ended() {
    base::run_ended();
    for (padded_task& t : tasks_) {
      if (!t.pairs) continue;
      t.pairs->read_all();
      t.pairs->each(
          [&t](const detail::device_span& s) { t.times.push_back(seconds(s.end - s.begin)); });
    }
  }

  /// What came of the runs that have ended. Throws `usage_error` if stretches were too short for
  /// the batches in flight, or threads too far ahead of the device.
  padding_result result() const {
    for (std::size_t t = 0; t < tasks_.size(); ++t)
      if (tasks_[t].pairs && tasks_[t].pairs->dropped() > 0)
        throw usage_error(
            "nothing can be said of padding: threads went on while the device was "
            "several batches behind with `" +
            this->task_names()[t] + "`; let a thread read what comes of the device's work");
    return this->result_by(
        [this](std::size_t t) { return tasks_[t].pairs ? median(tasks_[t].times) : time_of(t); });
  }

 private:
  /// How many times of a task a run keeps.
  static constexpr std::size_t most_times = 4096;

  struct padded_task {
    std::unique_ptr<detail::event_pairs<Driver>> pairs;  ///< null: it is not on a device
    typename Driver::stream stream{};
    typename Driver::event begin_of_run{};
    bool is_timed = false;       ///< on the batch on which it works
    std::vector<seconds> times;  ///< of the runs that have ended
  };

  void pause(const padded_task& t, std::chrono::nanoseconds time) {
    const typename Driver::status s = Pause{}(*driver_, t.stream, time);
    if (s != Driver::success)
      throw error(Pause::name, static_cast<int>(s), Driver::name(s), Driver::text(s),
                  Driver::sticky(s));
  }
  static seconds median(std::vector<seconds> all) {
    if (all.empty()) return {};
    const auto middle = all.begin() + static_cast<std::ptrdiff_t>(all.size() / 2);
    std::nth_element(all.begin(), middle, all.end());
    return *middle;
  }

  detail::task_streams streams_;
  std::unique_ptr<Driver> driver_;
  std::unique_ptr<detail::timed_events<Driver>> events_;
  std::vector<padded_task> tasks_;  ///< each is written by the thread that runs it
};

}  // namespace stretto::device
