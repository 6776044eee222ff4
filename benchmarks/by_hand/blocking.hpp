// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <array>
#include <condition_variable>
#include <cstddef>
#include <mutex>
#include "cores.hpp"
#include "links.hpp"
#include "outcome.hpp"
#include "tasks.hpp"

// Four threads by hand on cores that are too few for them: mutexes and condition variables.

namespace benchmarks::by_hand {

/// The 14 tasks on four threads, each a batch further ahead than the next; the calling thread has
/// the last ones.
struct relay {
  static constexpr int first = 4;
  static constexpr int second = 4;
  static constexpr int third = 3;
  static constexpr int loading = first + second + third;
  static constexpr int in_flight = 4;
  static constexpr int lookahead(int task) {
    return task < first ? 3 : task < first + second ? 2 : task < loading ? 1 : 0;
  }
  static constexpr value result(value batch) { return batch + loading; }

  static value rest(value v) {
    row<loading, tasks - 1 - loading>::look_at(v);
    return hand_out<tasks - 1>(v);
  }
};

/// A link with a mutex and a condition variable of its own. All that was sent is taken at once: who
/// receives locks only when it has nothing left.
template <std::size_t N>
class locked_link {
 public:
  void send(value v) {
    {
      const std::scoped_lock held(mutex_);
      values_[in_.next()] = v;
      ++sent_;
    }
    changed_.notify_one();
  }
  value receive() {
    if (seen_ == received_) {
      std::unique_lock held(mutex_);
      changed_.wait(held, [&] { return sent_ != received_; });
      seen_ = sent_;
    }
    ++received_;
    return values_[out_.next()];
  }

 private:
  alignas(cache_line) std::mutex mutex_;
  std::condition_variable changed_;
  std::array<value, N> values_{};
  value sent_ = 0;
  turn<N> in_;                          // of who sends
  alignas(cache_line) value seen_ = 0;  // of who receives, and what follows
  value received_ = 0;
  turn<N> out_;
};

/// Likewise, but tells while it holds the mutex, and locks for each value.
template <std::size_t N>
class plainly_locked_link {
 public:
  void send(value v) {
    const std::scoped_lock held(mutex_);
    values_[in_.next()] = v;
    ++waiting_;
    changed_.notify_one();
  }
  value receive() {
    std::unique_lock held(mutex_);
    changed_.wait(held, [&] { return waiting_ != 0; });
    --waiting_;
    return values_[out_.next()];
  }

 private:
  alignas(cache_line) std::mutex mutex_;
  std::condition_variable changed_;
  std::array<value, N> values_{};
  value waiting_ = 0;
  turn<N> in_;
  turn<N> out_;
};

/// Hands on what \p from gives until there is no more, after tasks `First` to `First + Count - 1`.
template <int First, int Count, class Link>
void relay_on(Link& from, Link& to) {
  for (value v = from.receive(); v != no_more; v = from.receive())
    to.send(row<First, Count>::load(v));
  to.send(no_more);
}

/// The calling thread pulls as many batches ahead as there are in flight.
template <class Source, template <std::size_t> class Link>
outcome blocking_caller_pulls(value batches) {
  using link = Link<relay::in_flight>;
  const pinned_caller caller;
  std::array<link, 4> links;
  const companion first(caller, 1, [&] { relay_on<0, relay::first>(links[0], links[1]); });
  const companion second(caller, 2,
                         [&] { relay_on<relay::first, relay::second>(links[1], links[2]); });
  const companion third(
      caller, 3, [&] { relay_on<relay::first + relay::second, relay::third>(links[2], links[3]); });
  Source source(batches);
  value sum = 0;
  int left = 0;
  const auto pull = [&] {
    value v = 0;
    if (!source(v)) return false;
    links[0].send(v);
    return true;
  };
  const stopwatch time;
  while (left < relay::in_flight - 1 && pull()) ++left;
  if (left == relay::in_flight - 1)
    while (pull()) sum += relay::rest(links[3].receive());
  for (; left > 0; --left) sum += relay::rest(links[3].receive());
  const outcome found = time.stop(sum);
  links[0].send(no_more);
  return found;
}

/// The first of the other threads pulls. The last link tells it when a batch is done.
template <class Source, template <std::size_t> class Link>
outcome blocking_first_pulls(value batches) {
  using link = Link<relay::in_flight>;
  const pinned_caller caller;
  std::array<link, 4> links;
  const companion first(caller, 1, [&, source = Source(batches)]() mutable {
    for (int room = relay::in_flight;;) {
      if (room > 0) {
        --room;
      } else {
        links[0].receive();
      }
      value v = 0;
      if (!source(v)) break;
      links[1].send(row<0, relay::first>::load(v));
    }
    links[1].send(no_more);
  });
  const companion second(caller, 2,
                         [&] { relay_on<relay::first, relay::second>(links[1], links[2]); });
  const companion third(
      caller, 3, [&] { relay_on<relay::first + relay::second, relay::third>(links[2], links[3]); });
  value sum = 0;
  const stopwatch time;
  for (value v = links[3].receive(); v != no_more; v = links[3].receive()) {
    sum += relay::rest(v);
    links[0].send(0);
  }
  return time.stop(sum);
}

}  // namespace benchmarks::by_hand
