// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <stretto/run/error.hpp>
#include <stretto/run/wait/signal.hpp>
#include <stretto/watch/padding_result.hpp>
#include <stretto/watch/slope.hpp>
#include <stretto/watch/stretches.hpp>
#include <utility>
#include <vector>

namespace stretto {

/// How a `padding` pads tasks.
struct padding_options {
  /// By how much a task is made longer at most; at least by half of that. A tenth of what a
  /// progress takes is a good begin: what is longer than what a task has to spare shows a hidden
  /// task as exposed, what is shorter drowns in what else the machine does.
  std::chrono::nanoseconds longest{};
  /// Of how many batches in a row one task is padded, and then none of as many. More than three
  /// times the batches in flight.
  std::size_t stretch = 16;
  /// How many stretches there is room for, padded or not; after them nothing is padded.
  std::size_t most_stretches = 4096;
  /// What tasks and lengths are drawn by. Ranks that work together take one seed, so that they pad
  /// alike.
  std::uint64_t seed = 1;
};

namespace watch::detail {

/// A `padding` that tells the time by any clock.
template <class Clock>
class padding_by : public stretches<Clock> {
  using base = stretches<Clock>;
  using drawn = typename base::drawn;

 public:
  using typename base::clock;
  using typename base::duration;
  using typename base::seconds;
  using typename base::time_point;

  /// How the next runs are padded; what earlier ones came to is forgotten. Throws `usage_error`
  /// while a run goes on, if there is no length, or if there are too few batches in a stretch.
  void pad(const padding_options& how) {
    if (this->is_running())
      throw usage_error("a run is being padded: call `pad` before it begins or when it has ended");
    if (how.longest <= std::chrono::nanoseconds::zero())
      throw usage_error("tasks cannot be padded by no time or less: say by how much, `longest`");
    if (how.stretch < 2 || how.most_stretches < 3)
      throw usage_error(
          "a padding needs stretches of two batches and more, and three stretches and more");
    how_ = how;
    this->begin_anew({how.stretch, how.most_stretches, how.most_stretches, how.seed, how.longest});
  }

  void run_begins() {
    if (how_.longest == std::chrono::nanoseconds::zero())
      throw usage_error(
          "a padding has to be told by how much it pads tasks: "
          "`pipeline.observer().pad({.longest = std::chrono::microseconds(100)})`");
    std::vector<std::size_t> turn;
    for (std::size_t t = 0; t < this->number_of_tasks(); ++t)
      if (is_padded(t)) turn.push_back(t);
    this->begin_run(std::move(turn), "padding");
  }
  /// Nobody has been told yet that the task is done: it takes longer for all who wait for it.
  void finished(std::size_t thread, std::size_t task, std::size_t number) {
    const time_point now = clock::now();
    const drawn* const d = this->ended(thread, task, number, now);
    if (d != nullptr && !this->is_on_device(task))
      while (clock::now() - now < d->by) runner::relax();
  }

  /// By how much a task is made longer that works on a batch of the run that began last.
  duration padded_by(std::size_t task, std::size_t batch) const {
    const drawn* const d = this->tried_on(task, batch);
    return d != nullptr ? d->by : duration{};
  }

  /// What came of the runs that have ended. Throws `usage_error` if stretches were too short for
  /// the batches in flight.
  padding_result result() const {
    return result_by([this](std::size_t task) { return this->time_of(task); });
  }

 protected:
  /// Work on a device is made longer, too: by what puts more of it on its stream, since spinning on
  /// the host makes none of it longer.
  void pad_on_device() { pads_on_device_ = true; }
  bool is_padded(std::size_t task) const { return pads_on_device_ || !this->is_on_device(task); }

  /// \p time_of: what a run of a task takes.
  template <class TimeOf>
  padding_result result_by(TimeOf time_of) const {
    padding_result all;
    all.batches = how_.stretch;
    all.longest = how_.longest;
    const auto came = this->what_came("padding");
    all.stretches = came.all.size();
    all.period = came.period;
    const std::size_t tasks = this->number_of_tasks();
    std::vector<std::vector<padded>> found(tasks);
    for (const auto& c : came.all) {
      const double by = seconds(c.tried.by).count() / this->every(c.tried.task);
      found[c.tried.task].push_back({by, c.period - c.before});
    }
    for (std::size_t t = 0; t < tasks; ++t) {
      const watch::detail::slope s = slope_of(found[t]);
      all.tasks.push_back({this->task_names()[t], this->is_on_device(t), found[t].size(),
                           time_of(t) / this->every(t), s.value, s.low, s.high, is_padded(t)});
    }
    return all;
  }

 private:
  padding_options how_;
  bool pads_on_device_ = false;
};

}  // namespace watch::detail

/// Observer that measures which tasks are exposed: it makes one task at a time longer, by spinning
/// on its thread before anybody is told that the task is done, for a stretch of batches, and leaves
/// all as they are for the next stretch. How much longer a progress takes then, by how much longer
/// the task took, is the task's slope: 0 if others hide it, 1 if every second counts. As the time
/// per progress is convex in a task's time, the task taking no time would save no more than its
/// time by that slope.
///
///     st::pipeline<training, st::padding> pipeline;
///     pipeline.observer().pad({.longest = std::chrono::microseconds(200)});
///     for (auto&& result : pipeline.run(source)) ...
///     std::cout << pipeline.observer().result().text();
///
/// Bodies run as ever, on the values that they have without: what is computed does not change. A
/// run throws `usage_error` unless `pad` was called. A task that works on a device is not padded:
/// `cuda::padding` does that. Memory is allocated by `pad`.
using padding = watch::detail::padding_by<std::chrono::steady_clock>;

}  // namespace stretto
