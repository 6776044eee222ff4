// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <atomic>
#include <chrono>
#include <concepts>
#include <condition_variable>
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
#include <stretto/watch/monitor.hpp>
#include <stretto/watch/stall.hpp>
#include <stretto/watch/stillness.hpp>
#include <string>
#include <thread>
#include <type_traits>
#include <utility>

namespace stretto {

/// A run in which nothing moved for too long: what each thread was in, or waited for.
class stall_error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

namespace watch::detail {

template <class Pipeline>
concept has_monitor = requires(Pipeline& p) {
  { p.observer() } -> std::same_as<monitor&>;
};
template <template <class...> class Pipeline, class... Option>
constexpr bool meets(const Pipeline<Option...>&) {
  return (std::is_same_v<Option, barrier> || ...);
}

}  // namespace watch::detail

/// Looks after the runs of a pipeline that a `monitor` observes, from a thread of its own: when no
/// task has begun or ended for as long as its patience is, it tells which task of which batch each
/// thread is in or what it waits for. A pipeline without a batch in flight whose source is being
/// asked is at rest, however long that takes.
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
  template <class Pipeline>
  [[nodiscard]] watchdog(Pipeline& pipeline, clock::duration patience,
                         teller tell = to_standard_error)
      : patience_(patience), tell_(std::move(tell)) {
    if (patience <= clock::duration{})
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

  template <class Pipeline>
  void look_after(Pipeline& pipeline) {
    const monitor& seen = pipeline.observer();
    const bool meets = watch::detail::meets(pipeline);
    if constexpr (requires { typename Pipeline::schedule; }) {
      watch([&seen, meets](const auto& use) {
        use(seen, typed::plan_view_of<typename Pipeline::schedule>, meets);
      });
    } else {
      // Once: of many tasks it takes a while.
      const auto viewed = std::make_shared<const planner::viewed_plan>(
          pipeline.plan().declaration(), pipeline.plan().plan());
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
    if (!still.too_long(moves, !now.running || where.waits_for_source(), now.at)) return;
    const std::string what = "nothing has moved for " +
                             text::in_units(activity::seconds(patience_)) + "; " + where.text();
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

  clock::duration patience_;
  teller tell_;
  std::shared_ptr<std::atomic<bool>> stalled_ = std::make_shared<std::atomic<bool>>(false);
  mutable std::mutex mutex_;
  std::condition_variable wake_;
  bool leaving_ = false;
  std::string told_;
  std::thread thread_;
};

}  // namespace stretto
