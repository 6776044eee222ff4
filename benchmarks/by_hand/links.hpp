// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <limits>
#include "../common/relax.hpp"
#include "tasks.hpp"

// How a value goes from one spinning thread to another, in order: a ring of as many places as
// batches are in flight. Who sends knows by other means that there is room. Each end keeps where it
// is to itself, and receivers the count that they saw last.

namespace benchmarks::by_hand {

/// In place of a value: there are no more.
inline constexpr value no_more = std::numeric_limits<value>::max();

/// Where an end of a ring is.
template <std::size_t N>
class turn {
 public:
  std::size_t next() {
    const std::size_t now = at_;
    at_ = at_ + 1 == N ? 0 : at_ + 1;
    return now;
  }

 private:
  std::size_t at_ = 0;
};

/// The ends of a link that has places and a count of the values that were sent.
template <class Link, std::size_t N>
struct counted_ends {
  class sender {
   public:
    explicit sender(Link& link) : link_(link) {}
    void send(value v) {
      link_.place(at_.next()) = v;
      link_.sent.store(++sent_, std::memory_order_release);
    }

   private:
    Link& link_;
    turn<N> at_;
    value sent_ = 0;
  };

  class receiver {
   public:
    explicit receiver(Link& link) : link_(link) {}
    value receive() {
      while (seen_ == received_) {
        seen_ = link_.sent.load(std::memory_order_acquire);
        if (seen_ == received_) relax();
      }
      ++received_;
      return link_.place(at_.next());
    }

   private:
    Link& link_;
    turn<N> at_;
    value seen_ = 0;
    value received_ = 0;
  };
};

/// A cache line per batch, and one for the count.
template <std::size_t N>
struct line_per_batch : counted_ends<line_per_batch<N>, N> {
  struct alignas(cache_line) line {
    value v = 0;
  };
  std::array<line, N> lines;
  alignas(cache_line) std::atomic<value> sent{0};

  value& place(std::size_t i) { return lines[i].v; }
};

/// The count, and next to it the batches, up to seven in its cache line.
template <std::size_t N>
struct line_for_all : counted_ends<line_for_all<N>, N> {
  alignas(cache_line) std::atomic<value> sent{0};
  std::array<value, N> values{};

  value& place(std::size_t i) { return values[i]; }
};

/// A cache line per batch with the batch's number in it.
template <std::size_t N>
struct numbered_lines {
  struct alignas(cache_line) line {
    std::atomic<value> number{0};
    value v = 0;
  };
  std::array<line, N> lines;

  class sender {
   public:
    explicit sender(numbered_lines& link) : link_(link) {}
    void send(value v) {
      line& l = link_.lines[at_.next()];
      l.v = v;
      l.number.store(++sent_, std::memory_order_release);
    }

   private:
    numbered_lines& link_;
    turn<N> at_;
    value sent_ = 0;
  };

  class receiver {
   public:
    explicit receiver(numbered_lines& link) : link_(link) {}
    value receive() {
      const line& l = link_.lines[at_.next()];
      ++received_;
      while (l.number.load(std::memory_order_acquire) != received_) relax();
      return l.v;
    }

   private:
    numbered_lines& link_;
    turn<N> at_;
    value received_ = 0;
  };
};

}  // namespace benchmarks::by_hand
