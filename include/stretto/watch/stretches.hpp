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
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace stretto::watch::detail {

/// What an observer knows that tries something on one task at a time: for a stretch of batches, and
/// for the next stretch on none. By any clock.
template <class Clock>
class stretches {
 public:
  using stretto_tag = tag::observer;
  static constexpr bool observes = true;
  using clock = Clock;
  using time_point = typename clock::time_point;
  using duration = typename clock::duration;
  using seconds = std::chrono::duration<double>;

  void attached(std::span<const std::string_view> threads, std::span<const std::string_view> tasks,
                std::span<const std::string_view> streams) {
    tasks_.assign(tasks.begin(), tasks.end());
    streams_.assign(streams.begin(), streams.end());
    on_device_.assign(tasks.size(), false);
    rates_.assign(tasks.size(), {});
    lanes_ = std::vector<lane>(threads.size());
    for (lane& l : lanes_) {
      l.ran.assign(tasks.size(), false);
      l.reached.assign(tasks.size(), 0);
    }
    shared_ = std::make_unique<shared>();
  }
  void rates(std::span<const std::size_t> every, std::span<const std::size_t> phase) {
    for (std::size_t t = 0; t < every.size(); ++t)
      rates_[t] = {static_cast<int>(every[t]), static_cast<int>(phase[t])};
  }
  template <class Stream>
  void stream_made(std::string_view name, const Stream& /*stream*/) {
    for (std::size_t t = 0; t < streams_.size(); ++t)
      if (streams_[t] == name) on_device_[t] = true;
  }

  void begins_at(std::size_t batch) { begins_at_ = batch; }
  void run_ended() {
    shared_->running.store(false, std::memory_order_relaxed);
    std::size_t batches = 0;
    for (std::size_t t = 0; t < number_of_tasks(); ++t)
      batches = (std::max)(batches, batches_reached(t));
    runs_.push_back({first_, (std::min)(batches / how_.stretch, drawn_.size())});
  }
  void started(std::size_t thread, std::size_t /*task*/, std::size_t /*batch*/) {
    lanes_[thread].begun = clock::now();
  }

 protected:
  static constexpr std::size_t none = static_cast<std::size_t>(-1);

  struct options {
    std::size_t stretch = 16;         // batches
    std::size_t most_stretches = 0;   // that there is room for
    std::size_t most_of_a_run = 0;    // of those
    std::uint64_t seed = 1;           // what is drawn goes by it
    std::chrono::nanoseconds most{};  // a stretch's length is between half of it and that
  };
  /// What is done in a stretch.
  struct drawn {
    std::size_t task = none;
    duration by{};
  };
  /// A stretch in which something was tried, what a batch took there, and in the stretches next to
  /// it.
  struct compared {
    drawn tried;
    double period = 0;  // seconds
    double before = 0;
  };
  /// What came of the runs that have ended.
  struct outcome {
    std::vector<compared> all;
    seconds period{};  // the median of the stretches in which nothing was tried
  };

  bool is_running() const {
    // Relaxed: who asks while another thread makes a run does not know which comes first.
    return shared_ != nullptr && shared_->running.load(std::memory_order_relaxed);
  }
  /// Forgets what earlier runs came to.
  void begin_anew(const options& how) {
    how_ = how;
    runs_.clear();
    make_room();
  }
  /// A run begins: each task of \p turn is tried in turn. \p who: as errors call it.
  void begin_run(std::vector<std::size_t> turn, const char* who) {
    if (group() + 2 > how_.stretch)
      throw usage_error("tasks run once per " + std::to_string(group()) +
                        " batches: stretches of a " + who + " have to be longer than " +
                        std::to_string(how_.stretch) + " batches");
    first_ = runs_.empty() ? 0 : runs_.back().first + runs_.back().stretches;
    draw(runs_.size(), std::move(turn));
    runs_.reserve(runs_.size() + 1);
    // Relaxed: the threads of the run are let go after this.
    shared_->pulled.store(0, std::memory_order_relaxed);
    for (lane& l : lanes_) std::fill(l.reached.begin(), l.reached.end(), std::size_t{0});
    shared_->running.store(true, std::memory_order_relaxed);
  }
  std::size_t batch_of_run(std::size_t number) const { return number - begins_at_; }
  /// The first batch of the run that began last.
  std::size_t first_batch() const { return begins_at_; }
  /// How many batches the run that began last had, up to the last one for which a task ran.
  std::size_t batches_reached(std::size_t task) const {
    std::size_t batches = 0;
    for (const lane& l : lanes_) batches = (std::max)(batches, l.reached[task]);
    return batches;
  }
  /// Whether on a batch of this run something is tried on any task.
  bool is_tried_on(std::size_t number) const {
    const std::size_t stretch = stretch_of(number);
    return stretch >= drawn_.size() || drawn_[stretch].task != none;
  }
  /// What is tried on a task that works on a batch of this run; or null.
  const drawn* tried_on(std::size_t task, std::size_t number) const {
    const std::size_t stretch = stretch_of(number);
    const bool is = stretch < drawn_.size() && drawn_[stretch].task == task;
    return is ? &drawn_[stretch] : nullptr;
  }
  /// A task has ended. What is tried on it; null: nothing.
  const drawn* ended(std::size_t thread, std::size_t task, std::size_t number, time_point now) {
    const std::size_t batch = batch_of_run(number);
    const std::size_t stretch = stretch_of(number);
    if (is_pull(task)) {
      // Relaxed: a number for statistics.
      shared_->pulled.store(batch + 1, std::memory_order_relaxed);
      if (stretch < drawn_.size()) pulls_[first_ * how_.stretch + batch] = now;
      return nullptr;
    }
    lane& l = lanes_[thread];
    l.ran[task] = true;
    l.reached[task] = (std::max)(l.reached[task], batch + 1);
    const std::size_t pulled = shared_->pulled.load(std::memory_order_relaxed);
    l.behind = (std::max)(l.behind, pulled - (std::min)(pulled, batch));
    if (stretch >= drawn_.size()) return nullptr;
    if (drawn_[stretch].task == task || drawn_[stretch].task == none) {
      busy& b = l.times[(first_ + stretch) * tasks_.size() + task];
      b.time += now - l.begun;
      ++b.runs;
    }
    return drawn_[stretch].task == task ? &drawn_[stretch] : nullptr;
  }

  /// Throws `usage_error` if stretches were too short for the batches in flight.
  outcome what_came(const char* who) const {
    outcome found;
    const window in = measured(who);
    std::vector<double> periods;
    for (const run& r : runs_)
      // The first stretch of a run has the prefill.
      for (std::size_t s = 1; s < r.stretches; ++s) {
        const std::size_t stretch = r.first + s;
        if (plan_[stretch].task == none) {
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
        found.all.push_back(
            {plan_[stretch], period(stretch, in), before / static_cast<double>(neighbours)});
      }
    if (!periods.empty()) found.period = seconds(median(periods));
    return found;
  }
  /// What a run of a task took: the median of stretches in which nothing was tried, or of those in
  /// which that task was.
  seconds time_of(std::size_t task, bool tried = false) const {
    std::vector<double> means;
    for (const run& r : runs_)
      for (std::size_t s = 1; s < r.stretches; ++s) {
        if ((plan_[r.first + s].task == task) != tried) continue;
        busy sum;
        for (const lane& l : lanes_) {
          const busy& b = l.times[(r.first + s) * tasks_.size() + task];
          sum.time += b.time;
          sum.runs += b.runs;
        }
        if (sum.runs > 0)
          means.push_back(seconds(sum.time).count() / static_cast<double>(sum.runs));
      }
    return seconds(means.empty() ? 0.0 : median(means));
  }

  std::size_t number_of_tasks() const { return tasks_.size() < 2 ? 0 : tasks_.size() - 2; }
  const std::vector<std::string>& task_names() const { return tasks_; }
  bool is_on_device(std::size_t task) const { return on_device_[task]; }
  /// Threads do not see how far behind them a device is: \p batches at most.
  void device_is_behind(std::size_t batches) { behind_on_device_ = batches; }
  /// Of how many batches a task runs for one.
  int every(std::size_t task) const { return rates_[task].every; }

 private:
  /// Of the run that began last, for several threads.
  struct shared {
    std::atomic<std::size_t> pulled{0};  // batches
    std::atomic<bool> running{false};
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
    time_point begun{};                // the task that runs
    std::size_t behind = 0;            // most batches that were pulled when a task ended on one
    std::vector<char> ran;             // by task
    std::vector<std::size_t> reached;  // by task: how many batches this run has up to its last one
    std::vector<busy> times;           // by stretch and task
  };
  /// Batches of a stretch, between whose pulls nothing of other stretches plays a part.
  struct window {
    std::size_t first = 0;
    std::size_t last = 0;
  };

  /// Of the run that began last.
  std::size_t stretch_of(std::size_t number) const { return batch_of_run(number) / how_.stretch; }
  bool is_pull(std::size_t task) const { return task + 2 == tasks_.size(); }

  void make_room() {
    plan_.assign(how_.most_stretches, {});
    pulls_.assign(how_.most_stretches * how_.stretch, {});
    for (lane& l : lanes_) {
      l.times.assign(how_.most_stretches * tasks_.size(), {});
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

  /// In every other stretch a task is tried, each once in as many of those as there are.
  void draw(std::size_t number_of_run, std::vector<std::size_t> turn) {
    std::seed_seq seed{static_cast<std::uint32_t>(how_.seed),
                       static_cast<std::uint32_t>(how_.seed >> 32U),
                       static_cast<std::uint32_t>(number_of_run)};
    // No distribution: those of standard libraries differ.
    std::mt19937_64 random(seed);
    drawn_ = std::span<drawn>(plan_).subspan(first_);
    drawn_ = drawn_.first((std::min)(how_.most_of_a_run, drawn_.size()));
    const duration half = std::chrono::duration_cast<duration>(how_.most) / 2;
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

  window measured(const char* who) const {
    std::size_t behind = behind_on_device_;
    for (const lane& l : lanes_) behind = (std::max)(behind, l.behind);
    if (runs_.empty()) return {};
    const std::size_t whole = groups_of_workers();
    const std::size_t fewest = behind + whole;
    if (how_.stretch <= fewest)
      throw usage_error("stretches of " + std::to_string(how_.stretch) +
                        " batches are too short for a " + who + " with " + std::to_string(behind) +
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
    return seconds(pulls[in.last] - pulls[in.first]).count() /
           static_cast<double>(in.last - in.first);
  }
  static double median(std::vector<double>& all) {
    const auto middle = all.begin() + static_cast<std::ptrdiff_t>(all.size() / 2);
    std::nth_element(all.begin(), middle, all.end());
    return *middle;
  }

  options how_;
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
  std::size_t behind_on_device_ = 0;  // batches
  std::unique_ptr<shared> shared_;
};

}  // namespace stretto::watch::detail
