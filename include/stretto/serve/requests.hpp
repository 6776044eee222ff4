// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <exception>
#include <memory>
#include <mutex>
#include <optional>
#include <stretto/run/error.hpp>
#include <stretto/run/source.hpp>
#include <stretto/serve/answer.hpp>
#include <stretto/serve/reply.hpp>
#include <string>
#include <utility>

namespace stretto::serving::detail {

inline std::string text_of(const std::exception_ptr& error) {
  try {
    std::rethrow_exception(error);
  } catch (const std::exception& e) {
    return e.what();
  } catch (...) {
    return "what is no std::exception";
  }
}

/// The requests of a server that have no answer yet: those that wait, up to a bound, and those in
/// flight. One mutex is for all of it: a request takes microseconds in any case, and what is asked
/// here, or given, is given once.
template <class Request, class Result>
class requests {
  using reply_pointer = std::unique_ptr<reply<Result>>;

 public:
  /// Throws `usage_error` if none may wait.
  explicit requests(std::size_t most_waiting) : most_waiting_(most_waiting) {
    if (most_waiting == 0)
      throw usage_error("a server in which no request may wait takes none: let at least one wait");
  }
  requests(const requests&) = delete;
  requests& operator=(const requests&) = delete;
  /// Waits until those have left `put` whom the end found there.
  ~requests() {
    std::unique_lock lock(mutex_);
    nobody_blocked_.wait(lock, [this] { return blocked_ == 0; });
  }

  // For those who ask.

  /// Moves \p request and \p to in. False, with both left alone, if there is no room. Throws
  /// `unanswered` if no more requests are taken.
  bool put_if_room(Request& request, reply_pointer& to) {
    const std::lock_guard lock(mutex_);
    refuse_unless_open();
    if (!has_room()) return false;
    put_under_lock(request, to, true);
    return true;
  }
  /// Waits until there is room. Throws `unanswered` if no more requests are taken, also if that
  /// turns out while it waits; `usage_error` in place of waiting if \p serves: the calling thread
  /// is the one that makes room.
  void put(Request& request, reply_pointer& to, bool serves) {
    std::unique_lock lock(mutex_);
    if (state_ == state::open && !has_room()) {
      if (serves)
        throw usage_error(
            "the server's own thread asks it for more, with as many requests waiting as may, and "
            "would wait for itself: use try_ask there, in callbacks and tasks");
      ++blocked_;
      room_.wait(lock, [this] { return state_ != state::open || has_room(); });
      if (--blocked_ == 0) nobody_blocked_.notify_all();
    }
    refuse_unless_open();
    put_under_lock(request, to, true);
  }
  /// Takes no room, for who waits for the answer without a thread. Throws `unanswered` if no more
  /// requests are taken.
  void put_beyond(Request& request, reply_pointer& to) {
    const std::lock_guard lock(mutex_);
    refuse_unless_open();
    put_under_lock(request, to, false);
  }
  void close() {
    const std::lock_guard lock(mutex_);
    if (state_ == state::open) leave_open(state::closed);
  }
  void cancel() {
    const std::lock_guard lock(mutex_);
    if (state_ == state::open || state_ == state::closed) leave_open(state::cancelled);
  }

  // For the run.

  /// The source of the run.
  pulled take(Request& slot, bool may_wait) {
    std::optional<Request> next;
    bool made_room = false;
    {
      std::unique_lock lock(mutex_);
      if (may_wait)
        asked_.wait(lock, [this] { return state_ != state::open || !waiting_.empty(); });
      // The run sees by itself that it is cancelled. For the report it has not come to its end.
      if (state_ == state::cancelled) return pulled::nothing_yet;
      if (waiting_.empty()) return state_ == state::open ? pulled::nothing_yet : pulled::end;
      in_flight_.push_back(std::move(waiting_.front().to));
      next.emplace(std::move(waiting_.front().request));
      made_room = leave_waiting();
    }
    if (made_room) room_.notify_one();
    slot = *std::move(next);
    return pulled::batch;
  }
  /// Whose batch is through: batches come out in the order in which they were taken.
  reply_pointer next_through() {
    const std::lock_guard lock(mutex_);
    reply_pointer oldest = std::move(in_flight_.front());
    in_flight_.pop_front();
    return oldest;
  }
  /// The run has ended. Whoever has no answer gets \p failure, or if that is null the error that
  /// says how far the request came.
  void end(const std::exception_ptr& failure) {
    std::deque<reply_pointer> begun;
    std::deque<entry> left;
    {
      const std::lock_guard lock(mutex_);
      if (failure != nullptr) {
        failure_ = failure;
        leave_open(state::failed);
      } else if (state_ == state::open) {
        leave_open(state::cancelled);  // the run has seen it first
      }
      begun.swap(in_flight_);
      left.swap(waiting_);
    }
    // Outside the lock, for callbacks that ask for more: they are refused.
    for (reply_pointer& to : begun)
      give_error(to, failure,
                 "a request was abandoned: the server was cancelled while its batch was in flight");
    for (entry& e : left)
      give_error(e.to, failure,
                 "a request was abandoned: the server was cancelled before its batch was begun");
  }

 private:
  struct entry {
    Request request;
    reply_pointer to;
    bool takes_room;
  };
  enum class state : unsigned char { open, closed, cancelled, failed };

  bool has_room() const { return room_taken_ < most_waiting_; }
  void put_under_lock(Request& request, reply_pointer& to, bool takes_room) {
    waiting_.push_back({std::move(request), nullptr, takes_room});
    waiting_.back().to = std::move(to);
    if (takes_room) ++room_taken_;
    asked_.notify_one();
  }
  /// The request that has waited longest does so no more; whether there is room for another.
  bool leave_waiting() {
    const bool takes_room = waiting_.front().takes_room;
    if (takes_room) --room_taken_;
    waiting_.pop_front();
    return takes_room;
  }
  void leave_open(state next) {
    state_ = next;
    asked_.notify_all();
    room_.notify_all();
  }
  void refuse_unless_open() const {
    if (state_ == state::open) return;
    if (state_ == state::closed)
      throw unanswered("a request was refused: the server is closed and takes no more");
    if (state_ == state::cancelled)
      throw unanswered("a request was refused: the server was cancelled and takes no more");
    throw unanswered("a request was refused: the server's pipeline has stopped (" +
                     text_of(failure_) +
                     "): end the server, reset() the pipeline and make another server of it");
  }
  static void give_error(reply_pointer& to, const std::exception_ptr& failure,
                         const char* else_why) {
    if (to == nullptr) return;  // its request threw when it was moved
    to->give(answer<Result>(failure != nullptr ? failure : without_answer(else_why)));
  }
  static std::exception_ptr without_answer(const char* why) {
    try {
      throw unanswered(why);
    } catch (...) {  // or that there is no memory to say so
      return std::current_exception();
    }
  }

  const std::size_t most_waiting_;
  std::mutex mutex_;  ///< for all below
  std::condition_variable asked_;
  std::condition_variable room_;
  std::condition_variable nobody_blocked_;
  std::deque<entry> waiting_;
  std::deque<reply_pointer> in_flight_;
  std::size_t room_taken_ = 0;
  std::size_t blocked_ = 0;  ///< threads that wait for room
  state state_ = state::open;
  std::exception_ptr failure_;
};

}  // namespace stretto::serving::detail
