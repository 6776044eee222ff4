// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <atomic>
#include <chrono>
#include <concepts>
#include <condition_variable>
#include <cstddef>
#include <cstdio>
#include <functional>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <stretto/plan/text/plan_view.hpp>
#include <stretto/plan/text/viewed_plan.hpp>
#include <stretto/run/error.hpp>
#include <stretto/run/pace.hpp>
#include <stretto/static/query/plan_view.hpp>
#include <stretto/text/in_units.hpp>
#include <stretto/watch/activity.hpp>
#include <stretto/watch/asker.hpp>
#include <stretto/watch/device_work.hpp>
#include <stretto/watch/monitor.hpp>
#include <stretto/watch/stall.hpp>
#include <stretto/watch/stillness.hpp>
#include <stretto/watch/turns.hpp>
#include <string>
#include <thread>
#include <type_traits>
#include <utility>

namespace stretto {

/// A run in which nothing moved for too long: what each thread was in, or waited for, and each
/// stream of a device.
class stall_error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

namespace watch::detail {

template <class Pipeline>
concept has_monitor = requires(Pipeline& p) {
  { p.observer() } -> std::same_as<monitor&>;
};
template <class Pipeline>
concept has_streams = requires(Pipeline& p) { p.device().inquire(); };
template <class Pipeline>
concept tells_of_beginning = requires(const Pipeline& p) {
  p.lacks_thread(std::size_t{});
  p.missing_ranks();
};
template <template <class...> class Pipeline, class... Option>
constexpr bool meets(const Pipeline<Option...>&) {
  return (std::is_same_v<Option, barrier> || ...);
}

}  // namespace watch::detail

/// Looks after the runs of a pipeline that a `monitor` observes, from a thread of its own: when no
/// task has begun or ended for as long as its patience is, it tells which task of which batch each
/// thread is in or what it waits for. Where streams are on a device, it asks events, on a thread of
/// its own, and tells which task of which batch each stream has not finished, and what that waits
/// for, as far as is known. A pipeline without a batch in flight whose source is being asked is at
/// rest, however long that takes, if its streams have nothing to do. Before the first batch it
/// names the threads that are to be attached, or the ranks that have not begun the run; of a run
/// that has failed, where that was.
///
/// `token()` is for `cancel_on`: then the run ends when it has been told, as soon as each body that
/// is being run returns (a body that never does keeps its run from ending), and `rethrow()` throws.
/// The pipeline has to outlive its watchdog.
class watchdog {
 public:
  using clock = std::chrono::steady_clock;
  using teller = std::function<void(const std::string& what)>;

  /// Asks for a stop of a run in which nothing moved for too long.
  class stop {
   public:
    explicit stop(std::shared_ptr<const std::atomic<bool>> stalled)
        : stalled_(std::move(stalled)) {}
    // Relaxed: nothing else is read because of it.
    bool stop_requested() const { return stalled_->load(std::memory_order_relaxed); }

   private:
    std::shared_ptr<const std::atomic<bool>> stalled_;
  };

  /// \p tell is called on the watchdog's thread, once each time when all has come to rest; without
  /// one, the text goes to standard error. What it throws is dropped. Throws `usage_error` if
  /// there is no patience or nobody to tell, `std::system_error` if there can be no thread.
  template <class Pipeline, class Rep, class Period>
  [[nodiscard]] watchdog(Pipeline& pipeline, std::chrono::duration<Rep, Period> patience,
                         teller tell = to_standard_error)
      : patience_(on_the_clock(patience)), tell_(std::move(tell)) {
    if (patience_ <= clock::duration{})
      throw usage_error("the patience of a watchdog has to be more than no time");
    if (!tell_) throw usage_error("a watchdog has nobody to tell: the function is empty");
    static_assert(watch::detail::has_monitor<Pipeline>,
                  "a watchdog looks after a pipeline that a monitor observes: "
                  "`stretto::pipeline<schedule, stretto::monitor>`");
    if constexpr (watch::detail::has_monitor<Pipeline>) look_after(pipeline);
  }
  watchdog(const watchdog&) = delete;
  watchdog& operator=(const watchdog&) = delete;
  ~watchdog() {
    {
      const std::lock_guard lock(mutex_);
      leaving_ = true;
    }
    wake_.notify_one();
    thread_.join();
  }

  /// What to give to `cancel_on`: requests a stop once something has been told, and from then on.
  stop token() const { return stop(stalled_); }

  /// What was told last; empty if nothing was.
  std::string told() const {
    const std::lock_guard lock(mutex_);
    return told_;
  }
  /// Throws `stall_error` if anything was told.
  void rethrow() const {
    if (std::string what = told(); !what.empty()) throw stall_error(what);
  }

 private:
  static void to_standard_error(const std::string& what) {
    std::fprintf(stderr, "%s\n", what.c_str());
  }

  /// More than the clock can say is more than anybody waits.
  template <class Rep, class Period>
  static constexpr clock::duration on_the_clock(std::chrono::duration<Rep, Period> patience) {
    using seconds = std::chrono::duration<double>;
    constexpr std::chrono::hours most(100 * 365 * 24);
    if (seconds(patience) >= seconds(most)) return most;
    return std::chrono::duration_cast<clock::duration>(patience);
  }

  template <class Pipeline>
  void look_after(Pipeline& pipeline) {
    const monitor& seen = pipeline.observer();
    const bool meets = watch::detail::meets(pipeline);
    if constexpr (watch::detail::tells_of_beginning<Pipeline>)
      ask_before_ = [&asked = std::as_const(pipeline)](std::size_t threads) {
        watch::detail::awaited_before waits;
        for (std::size_t host = 0; host < threads; ++host)
          waits.threads.push_back(asked.lacks_thread(host));
        waits.ranks = asked.missing_ranks();
        return waits;
      };
    if constexpr (watch::detail::has_streams<Pipeline>) {
      ask_streams_ = [&device = std::as_const(pipeline.device())](const watch::detail::turns& at) {
        return watch::detail::device_work::asked_of(device, at);
      };
      asker_ = std::make_unique<watch::detail::asker>();
    }
    if constexpr (requires { typename Pipeline::schedule; }) {
      watch([&seen, meets](const auto& use) {
        use(seen, typed::plan_view_of<typename Pipeline::schedule>, meets);
      });
    } else {
      // Once: of many tasks it takes a while.
      const auto viewed = std::make_shared<const planner::viewed_plan>(
          pipeline.plan().declaration(), pipeline.plan().plan());
      viewed_ = viewed;
      watch([&seen, viewed, meets](const auto& use) { use(seen, viewed->view(), meets); });
    }
  }

  /// \p with calls what it is given with the monitor and the plan.
  template <class With>
  void watch(With with) {
    thread_ = std::thread([this, with] {
      watch::detail::stillness still(patience_);
      std::unique_lock lock(mutex_);
      while (!wake_.wait_for(lock, patience_ / 8, [&] { return leaving_; })) {
        lock.unlock();
        with([&](const monitor& seen, const planner::plan_view& plan, bool meets) {
          look(still, seen, plan, meets);
        });
        lock.lock();
      }
    });
  }

  void look(watch::detail::stillness& still, const monitor& seen, const planner::plan_view& plan,
            bool meets) {
    const std::uint64_t moves = seen.moves();
    const activity now = seen.look();
    const watch::detail::stall where(plan, meets, now);
    const bool at_rest =
        !now.running || (where.waits_for_source() && !streams_work(moves, plan, now));
    if (!still.too_long(moves, at_rest, now.at)) return;
    const std::string what =
        "nothing has moved for " + text::in_units(activity::seconds(patience_)) + "; " +
        (asks(plan) ? text_with_streams(seen, moves, plan, meets, now)
                    : watch::detail::stall(plan, meets, now, nullptr, before(now)).text());
    {
      const std::lock_guard lock(mutex_);
      told_ = what;
    }
    stalled_->store(true, std::memory_order_relaxed);
    try {
      tell_(what);
    } catch (...) {  // a watchdog has nobody to tell
    }
  }

  watch::detail::awaited_before before(const activity& now) const {
    return ask_before_ ? ask_before_(now.threads.size()) : watch::detail::awaited_before();
  }
  bool asks(const planner::plan_view& plan) const {
    return asker_ != nullptr && !plan.streams.empty();
  }
  std::string text_with_streams(const monitor& seen, std::uint64_t moves,
                                const planner::plan_view& plan, bool meets, const activity& now) {
    const std::shared_ptr<question> asked = ask_streams(plan, now);
    const bool is_told = asked != nullptr && seen.moves() == moves;
    const watch::detail::stall where(plan, meets, now, is_told ? asked->answer.get() : nullptr,
                                     before(now));
    return where.text() + (is_told ? ""
                           : asked == nullptr
                               ? "\n  of streams nothing is known: the device does not answer"
                               : "\n  of streams nothing is known: tasks went on meanwhile");
  }
  /// Whether the device still has work, though threads rest. Asked once each time.
  bool streams_work(std::uint64_t moves, const planner::plan_view& plan, const activity& now) {
    if (!asks(plan) || moves == streams_rest_at_) return false;
    const std::shared_ptr<question> asked = ask_streams(plan, now);
    if (asked == nullptr) return false;
    if (asked->answer->has_any_pending()) return true;
    streams_rest_at_ = moves;
    return false;
  }

  /// What the device is asked, in the asker's time: it may not answer before the watchdog goes on.
  struct question {
    question(const planner::plan_view& p, activity seen) : plan(p), now(std::move(seen)) {}

    planner::plan_view plan;
    activity now;
    std::unique_ptr<watch::detail::device_work> answer;
  };
  /// Null: it does not answer.
  std::shared_ptr<question> ask_streams(const planner::plan_view& plan, const activity& now) {
    const auto asked = std::make_shared<question>(plan, now);
    const bool answered = asker_->ask(
        [this, asked] {
          asked->answer = std::make_unique<watch::detail::device_work>(
              ask_streams_(watch::detail::turns(asked->plan, asked->now)));
        },
        patience_ + std::chrono::seconds(1));
    return answered ? asked : nullptr;
  }

  clock::duration patience_;
  teller tell_;
  std::shared_ptr<std::atomic<bool>> stalled_ = std::make_shared<std::atomic<bool>>(false);
  mutable std::mutex mutex_;
  std::condition_variable wake_;
  bool leaving_ = false;
  std::string told_;
  std::shared_ptr<const void> viewed_;  ///< the plan, for as long as it may be used to ask
  std::function<watch::detail::awaited_before(std::size_t threads)> ask_before_;
  std::function<watch::detail::device_work(const watch::detail::turns&)> ask_streams_;
  std::unique_ptr<watch::detail::asker> asker_;  ///< null: the pipeline has no device
  std::uint64_t streams_rest_at_ =
      static_cast<std::uint64_t>(-1);  ///< the number of moves when they last rested
  std::thread thread_;
};

}  // namespace stretto
