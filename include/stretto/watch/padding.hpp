// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <numeric>
#include <random>
#include <span>
#include <stretto/declare/tag.hpp>
#include <stretto/plan/model/rate.hpp>
#include <stretto/run/error.hpp>
#include <stretto/run/wait/signal.hpp>
#include <stretto/text/visible.hpp>
#include <stretto/watch/padding_result.hpp>
#include <stretto/watch/slope.hpp>
#include <string>
#include <string_view>
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
class padding_by {
 public:
  using stretto_tag = tag::observer;
  static constexpr bool observes = true;
  using clock = Clock;
  using time_point = typename clock::time_point;
  using duration = typename clock::duration;

  /// How the next runs are padded; what earlier ones came to is forgotten. Throws `usage_error`
  /// while a run goes on, if there is no length, or if there are too few batches in a stretch.
  void pad(const padding_options& how) {
    // Relaxed: who calls this while another thread makes a run does not know which comes first.
    if (shared_ != nullptr && shared_->running.load(std::memory_order_relaxed))
      throw usage_error("a run is being padded: call `pad` before it begins or when it has ended");
    if (how.longest <= std::chrono::nanoseconds::zero())
      throw usage_error("tasks cannot be padded by no time or less: say by how much, `longest`");
    if (how.stretch < 2 || how.most_stretches < 3)
      throw usage_error(
          "a padding needs stretches of two batches and more, and three stretches and more");
    how_ = how;
    runs_.clear();
    make_room();
  }

  void attached(std::span<const std::string_view> threads, std::span<const std::string_view> tasks,
                std::span<const std::string_view> streams) {
    tasks_.assign(tasks.begin(), tasks.end());
    streams_.assign(streams.begin(), streams.end());
    on_device_.assign(tasks.size(), false);
    rates_.assign(tasks.size(), {});
    lanes_ = std::vector<lane>(threads.size());
    for (lane& l : lanes_) l.ran.assign(tasks.size(), false);
    shared_ = std::make_unique<shared>();
  }
  void rates(std::span<const std::size_t> every, std::span<const std::size_t> phase) {
    for (std::size_t t = 0; t < every.size(); ++t)
      rates_[t] = {static_cast<int>(every[t]), static_cast<int>(phase[t])};
  }
  /// What spins on the host when a task has submitted its work makes none of that longer.
  template <class Stream>
  void stream_made(std::string_view name, const Stream& /*stream*/) {
    for (std::size_t t = 0; t < streams_.size(); ++t)
      if (streams_[t] == name) on_device_[t] = true;
  }

  void begins_at(std::size_t batch) { begins_at_ = batch; }
  void run_begins() {
    if (how_.longest == std::chrono::nanoseconds::zero())
      throw usage_error(
          "a padding has to be told by how much it pads tasks: "
          "`pipeline.observer().pad({.longest = std::chrono::microseconds(100)})`");
    if (group() + 2 > how_.stretch)
      throw usage_error("tasks run once per " + std::to_string(group()) +
                        " batches: stretches of a padding have to be longer than " +
                        std::to_string(how_.stretch) + " batches");
    first_ = runs_.empty() ? 0 : runs_.back().first + runs_.back().stretches;
    draw(runs_.size());
    runs_.reserve(runs_.size() + 1);
    // Relaxed: the threads of the run are let go after this.
    shared_->pulled.store(0, std::memory_order_relaxed);
    for (lane& l : lanes_) l.batches = 0;
    shared_->running.store(true, std::memory_order_relaxed);
  }
  void run_ended() {
    shared_->running.store(false, std::memory_order_relaxed);
    std::size_t batches = 0;
    for (const lane& l : lanes_) batches = (std::max)(batches, l.batches);
    runs_.push_back({first_, (std::min)(batches / how_.stretch, drawn_.size())});
  }
  void started(std::size_t thread, std::size_t /*task*/, std::size_t /*batch*/) {
    lanes_[thread].begun = clock::now();
  }
  /// Nobody has been told yet that the task is done: it takes longer for all who wait for it.
  void finished(std::size_t thread, std::size_t task, std::size_t number) {
    const time_point now = clock::now();
    const std::size_t batch = number - begins_at_;  // of the run
    const std::size_t stretch = batch / how_.stretch;
    if (is_pull(task)) {
      // Relaxed: a number for statistics.
      shared_->pulled.store(batch + 1, std::memory_order_relaxed);
      if (stretch < drawn_.size()) pulls_[first_ * how_.stretch + batch] = now;
      return;
    }
    lane& l = lanes_[thread];
    l.ran[task] = true;
    l.batches = (std::max)(l.batches, batch + 1);
    const std::size_t pulled = shared_->pulled.load(std::memory_order_relaxed);
    l.behind = (std::max)(l.behind, pulled - (std::min)(pulled, batch));
    if (stretch >= drawn_.size()) return;
    if (drawn_[stretch].task == task) {
      while (clock::now() - now < drawn_[stretch].by) runner::relax();
    } else if (drawn_[stretch].task == none) {
      busy& b = l.unpadded[(first_ + stretch) * tasks_.size() + task];
      b.time += now - l.begun;
      ++b.runs;
    }
  }

  /// By how much a task is made longer that works on a batch of the run that began last.
  duration padded_by(std::size_t task, std::size_t batch) const {
    const std::size_t stretch = (batch - begins_at_) / how_.stretch;
    const bool runs = stretch < drawn_.size() && drawn_[stretch].task == task;
    return runs ? drawn_[stretch].by : duration{};
  }

  /// What came of the runs that have ended. Throws `usage_error` if stretches were too short for
  /// the batches in flight.
  padding_result result() const {
    using seconds = padding_result::seconds;
    padding_result all;
    all.batches = how_.stretch;
    all.longest = how_.longest;
    const std::size_t tasks = tasks_.size() < 2 ? 0 : tasks_.size() - 2;
    const window in = measured();
    std::vector<std::vector<padded>> found(tasks);
    std::vector<double> periods;
    for (const run& r : runs_)
      // The first stretch of a run has the prefill.
      for (std::size_t s = 1; s < r.stretches; ++s) {
        const std::size_t stretch = r.first + s;
        const drawn& d = plan_[stretch];
        if (d.task == none) {
          periods.push_back(period(stretch, in));
          continue;
        }
        double before = 0;
        std::size_t neighbours = 0;
        for (const std::size_t next : {s - 1, s + 1}) {
          if (next == 0 || next >= r.stretches) continue;
          before += period(r.first + next, in);
          ++neighbours;
        }
        if (neighbours == 0) continue;
        ++all.stretches;
        const double longer = period(stretch, in) - before / static_cast<double>(neighbours);
        const double by = seconds(d.by).count() / rates_[d.task].every;
        found[d.task].push_back({by, longer});
      }
    for (std::size_t t = 0; t < tasks; ++t) {
      const watch::detail::slope s = slope_of(found[t]);
      all.tasks.push_back({tasks_[t], on_device_[t], found[t].size(), time_of(t) / rates_[t].every,
                           s.value, s.low, s.high});
    }
    if (!periods.empty()) all.period = seconds(median(periods));
    return all;
  }

 private:
  static constexpr std::size_t none = static_cast<std::size_t>(-1);

  /// Of the run that began last, for several threads.
  struct shared {
    std::atomic<std::size_t> pulled{0};  // batches
    std::atomic<bool> running{false};
  };
  /// What is done in a stretch.
  struct drawn {
    std::size_t task = none;
    duration by{};
  };
  struct run {
    std::size_t first = 0;      // stretch
    std::size_t stretches = 0;  // that are whole
  };
  struct busy {
    duration time{};
    std::size_t runs = 0;
  };
  /// Of a thread, which alone writes to it.
  struct alignas(64) lane {
    time_point begun{};          // the task that runs
    std::size_t batches = 0;     // of this run, as far as tasks have run for them
    std::size_t behind = 0;      // most batches that were pulled when a task ended on one of them
    std::vector<char> ran;       // by task
    std::vector<busy> unpadded;  // by stretch and task
  };
  /// Batches of a stretch, between whose pulls nothing of other stretches plays a part.
  struct window {
    std::size_t first = 0;
    std::size_t last = 0;
  };

  bool is_pull(std::size_t task) const { return task + 2 == tasks_.size(); }

  void make_room() {
    plan_.assign(how_.most_stretches, {});
    pulls_.assign(how_.most_stretches * how_.stretch, {});
    for (lane& l : lanes_) {
      l.unpadded.assign(how_.most_stretches * tasks_.size(), {});
      l.behind = 0;
    }
  }
  /// After how many batches all tasks have run as often as they do.
  std::size_t group() const {
    std::size_t all = 1;
    for (const planner::rate& r : rates_) all = std::lcm(all, static_cast<std::size_t>(r.every));
    return all;
  }
  /// And after how many that is so on each thread.
  std::size_t groups_of_workers() const {
    std::size_t all = group();
    for (std::size_t t = 0; t + 2 < tasks_.size(); ++t)
      all = std::lcm(
          all, static_cast<std::size_t>((std::max)(
                   std::ptrdiff_t{1}, std::count_if(lanes_.begin(), lanes_.end(),
                                                    [t](const lane& l) { return l.ran[t]; }))));
    return all;
  }

  /// Every other stretch is padded, and each task once in as many of those as there are tasks.
  void draw(std::size_t number_of_run) {
    std::vector<std::size_t> turn;
    for (std::size_t t = 0; t + 2 < tasks_.size(); ++t)
      if (!on_device_[t]) turn.push_back(t);
    std::seed_seq seed{static_cast<std::uint32_t>(how_.seed),
                       static_cast<std::uint32_t>(how_.seed >> 32U),
                       static_cast<std::uint32_t>(number_of_run)};
    // No distribution: those of standard libraries differ.
    std::mt19937_64 random(seed);
    drawn_ = std::span<drawn>(plan_).subspan(first_);
    const duration half = std::chrono::duration_cast<duration>(how_.longest) / 2;
    std::size_t next = turn.size();
    for (std::size_t s = 0; s < drawn_.size(); ++s) {
      drawn_[s] = {};
      if (s % 2 == 0 || turn.empty()) continue;
      if (next == turn.size()) {
        for (std::size_t i = turn.size(); i > 1; --i) std::swap(turn[i - 1], turn[random() % i]);
        next = 0;
      }
      const auto more = random() % (static_cast<std::uint64_t>(half.count()) + 1);
      drawn_[s] = {turn[next++], half + duration(static_cast<typename duration::rep>(more))};
    }
  }

  window measured() const {
    std::size_t behind = 0;
    for (const lane& l : lanes_) behind = (std::max)(behind, l.behind);
    if (runs_.empty()) return {};
    const std::size_t whole = groups_of_workers();
    const std::size_t fewest = behind + whole;
    if (how_.stretch <= fewest)
      throw usage_error("stretches of " + std::to_string(how_.stretch) +
                        " batches are too short for a padding with " + std::to_string(behind) +
                        " batches in flight: let `stretch` be at least " +
                        std::to_string(2 * fewest));
    const std::size_t last = how_.stretch - 1;
    // Circles that take several progresses: of up to four, there are whole ones in that.
    const std::size_t wholes = std::lcm(whole, std::size_t{12});
    const std::size_t step = last - behind < wholes ? whole : wholes;
    return {last - (last - behind) / step * step, last};
  }
  double period(std::size_t stretch, const window& in) const {
    const time_point* const pulls = pulls_.data() + stretch * how_.stretch;
    return padding_result::seconds(pulls[in.last] - pulls[in.first]).count() /
           static_cast<double>(in.last - in.first);
  }
  static double median(std::vector<double>& all) {
    const auto middle = all.begin() + static_cast<std::ptrdiff_t>(all.size() / 2);
    std::nth_element(all.begin(), middle, all.end());
    return *middle;
  }
  /// Of a run.
  padding_result::seconds time_of(std::size_t task) const {
    std::vector<double> means;
    for (const run& r : runs_)
      for (std::size_t s = 1; s < r.stretches; ++s) {
        busy sum;
        for (const lane& l : lanes_) {
          const busy& b = l.unpadded[(r.first + s) * tasks_.size() + task];
          sum.time += b.time;
          sum.runs += b.runs;
        }
        if (sum.runs > 0)
          means.push_back(padding_result::seconds(sum.time).count() /
                          static_cast<double>(sum.runs));
      }
    return padding_result::seconds(means.empty() ? 0.0 : median(means));
  }

  padding_options how_;
  std::vector<std::string> tasks_;
  std::vector<std::string> streams_;  // by task
  std::vector<bool> on_device_;       // by task
  std::vector<planner::rate> rates_;  // by task
  std::vector<drawn> plan_;           // by stretch
  std::span<drawn> drawn_;            // of the run that began last
  std::vector<time_point> pulls_;     // by stretch and batch: when it had been pulled
  std::vector<lane> lanes_;           // by thread
  std::vector<run> runs_;             // that have ended
  std::size_t first_ = 0;             // stretch of the run that began last
  std::size_t begins_at_ = 0;         // batch, the first of that run
  std::unique_ptr<shared> shared_;
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
/// run throws `usage_error` unless `pad` was called. A task that works on a device is not padded.
/// Memory is allocated by `pad`.
using padding = watch::detail::padding_by<std::chrono::steady_clock>;

}  // namespace stretto
