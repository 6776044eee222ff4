// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <chrono>
#include <concepts>
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
#include <stretto/serve/batching.hpp>
#include <stretto/serve/reply.hpp>
#include <string>
#include <utility>
#include <vector>

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

/// Whether requests can be copied. Containers of what can only be moved say that they can.
template <class Request>
inline constexpr bool is_copied = std::copy_constructible<Request>;
template <class Request>
  requires requires { typename Request::value_type; }
inline constexpr bool is_copied<Request> =
    std::copy_constructible<Request> && is_copied<typename Request::value_type>;

/// The requests of a server that have no answer yet: those that wait, up to a bound, and those in
/// flight. One mutex is for all of it: a request takes microseconds in any case, and what is asked
/// here, or given, is given once.
template <class Request, class Result, class Clock = std::chrono::steady_clock>
class requests {
  using reply_pointer = std::unique_ptr<reply<Result>>;

 public:
  /// Throws `usage_error` if none may wait, or no batch of \p how can come together.
  explicit requests(std::size_t most_waiting, const batching& how = {.most = 1})
      : most_waiting_(most_waiting), how_(how) {
    if (most_waiting == 0)
      throw usage_error("a server in which no request may wait takes none: let at least one wait");
    if (how.most == 0)
      throw usage_error(
          "a server's batches have at least one request: say how many they have at most, as in "
          "st::batching{.most = 8, .wait = 2ms}");
    if (how.wait < std::chrono::nanoseconds::zero())
      throw usage_error(
          "a server's batches cannot wait for less than no time: let batching's wait be 0 to take "
          "what is there at once");
    if (how.failed == retry::singly && !is_copied<Request>)
      throw usage_error(
          "requests that can only be moved are in the slot once, and cannot run again when their "
          "batch has failed: leave st::retry_singly out, or let them be copied, as a "
          "std::shared_ptr is");
    if (how.most > most_waiting)
      throw usage_error("a server's batches of " + std::to_string(how.most) +
                        " requests never come together where " + std::to_string(most_waiting) +
                        " may wait: let as many wait, which the constructor is told after the "
                        "batching, or let batches be smaller");
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
      if (const std::optional<pulled> said = nothing_to_take()) return *said;
      in_flight_.push_back(std::move(waiting_.front().to));
      next.emplace(std::move(waiting_.front().request));
      made_room = leave_waiting();
    }
    if (made_room) room_.notify_one();
    slot = *std::move(next);
    return pulled::batch;
  }
  /// The source of a run whose batches are several requests.
  template <class Batch>
  pulled take_batch(Batch& slot, bool may_wait) {
    taken_.clear();
    bool made_room = false;
    {
      std::unique_lock lock(mutex_);
      if (may_wait) wait_for_batch(lock);
      if (const std::optional<pulled> said = nothing_to_take()) return *said;
      if (!again_.empty()) {
        in_flight_.push_back(std::move(again_.front().to));
        taken_.push_back(std::move(again_.front()));
        again_.pop_front();
        sizes_.push_back(1);
        if (how_.failed == retry::singly) keep(taken_.back().request);
      } else {
        // Others are in flight: they come out while this batch gathers.
        if (!has_batch()) return pulled::nothing_yet;
        const std::size_t size = (std::min)(waiting_.size(), how_.most);
        sizes_.push_back(size);
        for (std::size_t i = 0; i < size; ++i) in_flight_.push_back(std::move(waiting_[i].to));
        for (std::size_t i = 0; i < size; ++i) {
          taken_.push_back(std::move(waiting_.front()));
          if (leave_waiting()) made_room = true;
          if (how_.failed == retry::singly) keep(taken_.back().request);
        }
      }
    }
    if (made_room) room_.notify_all();
    slot.clear();
    for (entry& e : taken_) slot.push_back(std::move(e.request));
    return pulled::batch;
  }
  /// Whose batch is through: batches come out in the order in which they were taken.
  reply_pointer next_through() {
    const std::lock_guard lock(mutex_);
    reply_pointer oldest = std::move(in_flight_.front());
    in_flight_.pop_front();
    return oldest;
  }
  /// Likewise of a batch of several requests, in their order.
  void next_through(std::vector<reply_pointer>& through) {
    through.clear();
    const std::lock_guard lock(mutex_);
    for (std::size_t n = sizes_.front(); n != 0; --n) {
      through.push_back(std::move(in_flight_.front()));
      in_flight_.pop_front();
      if (!kept_.empty()) kept_.pop_front();
    }
    pop_size();
  }
  /// The oldest batch was dropped because a task failed. Whether its requests run again, one by
  /// one, before all that wait; otherwise they are still to be told.
  bool run_again() {
    const std::lock_guard lock(mutex_);
    // A batch of one has failed alone; a run that ends takes nothing.
    if (kept_.empty() || sizes_.front() == 1 || state_ == state::cancelled ||
        state_ == state::failed)
      return false;
    for (std::size_t n = sizes_.front(); n != 0; --n) {
      again_.push_back({std::move(kept_.front()), std::move(in_flight_.front()), false, {}});
      kept_.pop_front();
      in_flight_.pop_front();
    }
    pop_size();
    return true;
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
      for (entry& e : again_) begun.push_back(std::move(e.to));
      again_.clear();
      kept_.clear();
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
    typename Clock::time_point came;  ///< where batches wait for more requests
  };
  enum class state : unsigned char { open, closed, cancelled, failed };

  /// What the source says where no request is to be taken.
  std::optional<pulled> nothing_to_take() const {
    // The run sees by itself that it is cancelled. For the report it has not come to its end.
    if (state_ == state::cancelled) return pulled::nothing_yet;
    if (!again_.empty()) return std::nullopt;
    if (waiting_.empty())
      return state_ == state::open || may_run_again() ? pulled::nothing_yet : pulled::end;
    return std::nullopt;
  }
  /// Whether what is in flight may come back.
  bool may_run_again() const { return !kept_.empty(); }
  void keep([[maybe_unused]] const Request& request) {
    if constexpr (is_copied<Request>) kept_.push_back(request);
  }
  void pop_size() {
    sizes_.pop_front();
    // On another thread the source may wait for the last ones.
    if (how_.failed == retry::singly) asked_.notify_one();
  }
  bool has_room() const { return room_taken_ < most_waiting_; }
  void put_under_lock(Request& request, reply_pointer& to, bool takes_room) {
    const bool looks_at_clock = how_.wait > std::chrono::nanoseconds::zero();
    waiting_.push_back({std::move(request), nullptr, takes_room,
                        looks_at_clock ? Clock::now() : typename Clock::time_point()});
    waiting_.back().to = std::move(to);
    if (takes_room) ++room_taken_;
    // In between the source waits for its deadline.
    if (waiting_.size() == 1 || waiting_.size() >= how_.most) asked_.notify_one();
  }
  /// The request that has waited longest does so no more; whether there is room for another.
  bool leave_waiting() {
    const bool takes_room = waiting_.front().takes_room;
    if (takes_room) --room_taken_;
    waiting_.pop_front();
    return takes_room;
  }
  /// Whether those who wait are to be taken. Some do.
  bool has_batch() const {
    return state_ != state::open || waiting_.size() >= how_.most || Clock::now() >= deadline();
  }
  void wait_for_batch(std::unique_lock<std::mutex>& lock) {
    asked_.wait(lock, [this] {
      if (!waiting_.empty() || !again_.empty()) return true;
      return state_ != state::open && (state_ != state::closed || !may_run_again());
    });
    while (again_.empty() && state_ == state::open && !has_batch())
      asked_.wait_until(lock, deadline());
  }
  /// Of the batch that the request begins which has waited longest.
  typename Clock::time_point deadline() const {
    using duration = typename Clock::duration;
    const auto came = waiting_.front().came;
    const auto never = (Clock::time_point::max)();
    return how_.wait < never - came ? came + std::chrono::duration_cast<duration>(how_.wait)
                                    : never;
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
  const batching how_;
  std::vector<entry> taken_;  ///< the source's alone: the latest batch
  std::mutex mutex_;          ///< for all below
  std::condition_variable asked_;
  std::condition_variable room_;
  std::condition_variable nobody_blocked_;
  std::deque<entry> waiting_;
  std::deque<reply_pointer> in_flight_;
  std::deque<std::size_t> sizes_;  ///< of batches in flight, where they are of several requests
  std::deque<Request> kept_;       ///< of each in flight, where it may run again
  std::deque<entry> again_;        ///< whose batches failed: each runs alone
  std::size_t room_taken_ = 0;
  std::size_t blocked_ = 0;  ///< threads that wait for room
  state state_ = state::open;
  std::exception_ptr failure_;
};

}  // namespace stretto::serving::detail
