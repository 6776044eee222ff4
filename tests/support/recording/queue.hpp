// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <random>
#include <string>
#include <thread>
#include <utility>
#include <vector>
#include "completion.hpp"

namespace stretto::testing::recording {

/// What all queues of a world share. Everything in it is under its lock.
struct engine {
  std::mutex lock;
  std::condition_variable changed;
  clock known;              // what host threads have seen done
  bool jitter = false;      // queues and host threads run at random paces
  std::minstd_rand random;  // says which
  bool lost = false;        // the device is: what is left of the work is dropped
  bool ending = false;      // the world is
  std::size_t queues = 0;

  unsigned draw() { return jitter ? static_cast<unsigned>(random() >> 4) % 256 : 0; }
};

/// Loses some time, or none. Without the lock.
inline void dawdle(unsigned drawn) {
  if (drawn >= 192) {
    std::this_thread::sleep_for(std::chrono::microseconds(drawn - 191));
  } else if (drawn >= 128) {
    std::this_thread::yield();
  }
}

/// Whether this thread runs the work of a queue, where no call to the driver is allowed.
inline thread_local bool on_a_queue = false;

/// Something to do in its turn.
struct operation {
  std::string label;
  std::vector<work_ptr> after;   // besides what is on the queue already
  std::function<void()> body;    // runs without the lock
  std::function<void()> effect;  // runs under the lock, after the body
};

/// Does one thing after the other, on a thread of its own. Its functions are called under the lock
/// of the engine, its destructor without.
class queue {
 public:
  explicit queue(engine& e) : engine_(e), number_(e.queues++), thread_([this] { run(); }) {}
  queue(const queue&) = delete;
  queue& operator=(const queue&) = delete;
  ~queue() {
    {
      const std::lock_guard hold(engine_.lock);
      close();
    }
    thread_.join();
  }

  /// What is to be put next: a place in the order of all work.
  work_ptr place(std::string label, const std::vector<work_ptr>& after) {
    auto work = std::make_shared<completion>();
    work->queue = number_;
    work->number = ++last_;
    work->label = std::move(label);
    so_far_.join(engine_.known);
    for (const work_ptr& other : after) so_far_.join(other->after);
    so_far_.advance(number_, last_);
    work->after = so_far_;
    return work;
  }
  void put(const work_ptr& placed, operation o) {
    waiting_.push_back({std::move(o), placed});
    latest_ = placed;
    engine_.changed.notify_all();
  }
  work_ptr put(operation o) {
    work_ptr work = place(o.label, o.after);
    put(work, std::move(o));
    return work;
  }

  /// The work put last; null before the first.
  const work_ptr& latest() const { return latest_; }
  bool idle() const { return latest_ == nullptr || latest_->done; }
  /// How much work has not begun.
  std::size_t waiting() const { return waiting_.size(); }

  /// While it is held no work begins.
  void hold(bool held) {
    held_ = held;
    engine_.changed.notify_all();
  }
  /// Its thread ends when all work is done.
  void close() {
    closed_ = true;
    engine_.changed.notify_all();
  }

 private:
  struct turn {
    operation what;
    work_ptr work;
  };

  bool given_up() const { return engine_.ending || engine_.lost; }

  void run() {
    on_a_queue = true;
    std::unique_lock hold(engine_.lock);
    for (;;) {
      engine_.changed.wait(hold, [&] { return waiting_.empty() ? closed_ : given_up() || !held_; });
      if (waiting_.empty()) return;
      turn next = std::move(waiting_.front());
      waiting_.pop_front();
      engine_.changed.wait(hold, [&] { return engine_.ending || satisfied(next.what.after); });
      if (!given_up()) perform(next.what, hold);
      // What a body holds is given back before anybody hears that it is done.
      hold.unlock();
      next.what = {};
      hold.lock();
      next.work->done = true;
      engine_.changed.notify_all();
    }
  }

  void perform(const operation& what, std::unique_lock<std::mutex>& hold) {
    const unsigned drawn = engine_.draw();
    hold.unlock();
    dawdle(drawn);
    if (what.body) what.body();
    hold.lock();
    if (what.effect) what.effect();
  }

  static bool satisfied(const std::vector<work_ptr>& all) {
    return std::all_of(all.begin(), all.end(), [](const work_ptr& w) { return w->done; });
  }

  engine& engine_;
  const std::size_t number_;
  std::uint64_t last_ = 0;
  clock so_far_;
  work_ptr latest_;
  std::deque<turn> waiting_;
  bool held_ = false;
  bool closed_ = false;
  std::thread thread_;  // last: it uses all of the above
};

}  // namespace stretto::testing::recording
