// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <condition_variable>
#include <deque>
#include <exception>
#include <mutex>
#include <utility>
#include "breach.hpp"
#include "completions.hpp"
#include "connect.hpp"
#include "environments.hpp"
#include "operations.hpp"
#include "receivers.hpp"
#include "schedulers.hpp"
#include "senders.hpp"
#include "stop_tokens.hpp"

namespace stdexec {

/// A queue that threads work off: [exec.run.loop]. Here any number of them may run it at once.
class run_loop {
  struct work {
    virtual void execute() noexcept = 0;

   protected:
    ~work() = default;
  };

  template <class Receiver>
  class operation final : work {
   public:
    using operation_state_concept = operation_state_tag;

    operation(run_loop& on, Receiver to) : on_(on), to_(std::move(to)) {}
    operation(const operation&) = delete;
    operation& operator=(const operation&) = delete;
    ~operation() = default;

    void start() & noexcept { on_.push(*this); }

   private:
    void execute() noexcept override {
      if (get_stop_token(stdexec::get_env(to_)).stop_requested())
        return set_stopped(std::move(to_));
      set_value(std::move(to_));
    }

    run_loop& on_;
    Receiver to_;
  };

 public:
  class scheduler {
   public:
    using scheduler_concept = scheduler_tag;

    explicit scheduler(run_loop& on) : on_(&on) {}
    bool operator==(const scheduler&) const = default;

    class place {
     public:
      using sender_concept = sender_tag;

      explicit place(run_loop& on) : on_(&on) {}
      template <class, class...>
      static consteval auto get_completion_signatures() {
        return completion_signatures<set_value_t(), set_stopped_t()>();
      }
      template <receiver Receiver>
      operation<Receiver> connect(Receiver to) const {
        return {*on_, std::move(to)};
      }

      struct environment {
        run_loop* on;
        template <class Tag>
        scheduler query(get_completion_scheduler_t<Tag>) const noexcept {
          return scheduler(*on);
        }
      };
      environment get_env() const noexcept { return {on_}; }

     private:
      run_loop* on_;
    };
    place schedule() const noexcept { return place(*on_); }

   private:
    run_loop* on_;
  };

  run_loop() = default;
  run_loop(const run_loop&) = delete;
  run_loop& operator=(const run_loop&) = delete;
  ~run_loop() {
    if (!waiting_.empty()) stand_in::breach("a run loop is destroyed with work in it");
  }

  scheduler get_scheduler() noexcept { return scheduler(*this); }
  /// Returns when all work is done after finish().
  void run() noexcept {
    while (work* const next = pop()) next->execute();
  }
  void finish() noexcept {
    const std::lock_guard hold(lock_);
    finished_ = true;
    changed_.notify_all();  // under the lock: then the loop may be gone
  }

 private:
  void push(work& added) noexcept {
    const std::lock_guard hold(lock_);
    waiting_.push_back(&added);
    changed_.notify_one();
  }
  work* pop() noexcept {
    std::unique_lock hold(lock_);
    changed_.wait(hold, [this] { return finished_ || !waiting_.empty(); });
    if (waiting_.empty()) return nullptr;
    work* const next = waiting_.front();
    waiting_.pop_front();
    return next;
  }

  std::mutex lock_;
  std::condition_variable changed_;
  std::deque<work*> waiting_;
  bool finished_ = false;
};

}  // namespace stdexec
