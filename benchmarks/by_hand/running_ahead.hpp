// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <atomic>
#include <cstddef>
#include "../common/relax.hpp"
#include "cores.hpp"
#include "links.hpp"
#include "outcome.hpp"
#include "tasks.hpp"

// Two spinning threads by hand that run ahead of each other, over any link.

namespace benchmarks::by_hand {

/// The other thread pulls, and may not be more batches ahead than there are in flight.
template <split S, class Source, template <std::size_t> class Link>
outcome ahead_io_pulls(value batches) {
  using step = steps<S>;
  using link = Link<S.in_flight>;
  constexpr bool looks_ahead = S.one_ahead() > 0;
  const pinned_caller caller;
  link loaded;
  alignas(cache_line) std::atomic<value> done{0};
  const companion io(caller, 1, [&loaded, &done, source = Source(batches)]() mutable {
    typename link::sender to_caller(loaded);
    constexpr value most = S.in_flight;
    value seen = 0;
    for (value pulled = 0;; ++pulled) {
      while (pulled - seen == most) {
        seen = done.load(std::memory_order_acquire);
        if (pulled - seen == most) relax();
      }
      value v = 0;
      if (!source(v)) break;
      to_caller.send(step::load(v));
    }
    to_caller.send(no_more);
  });
  typename link::receiver from_io(loaded);
  value sum = 0;
  value finished = 0;
  const stopwatch time;
  value now = from_io.receive();
  if (now == no_more) return time.stop(sum);
  if constexpr (looks_ahead) {
    step::ahead(now);
    for (value next = from_io.receive(); next != no_more; next = from_io.receive()) {
      step::ahead(next);
      sum += step::rest(now);
      done.store(++finished, std::memory_order_release);
      now = next;
    }
    sum += step::rest(now);
  } else {
    for (; now != no_more; now = from_io.receive()) {
      sum += step::rest(now);
      done.store(++finished, std::memory_order_release);
    }
  }
  return time.stop(sum);
}

/// The calling thread pulls: it has done with batch b - N when it pulls batch b.
template <split S, class Source, template <std::size_t> class Link>
outcome ahead_caller_pulls(value batches) {
  using step = steps<S>;
  using link = Link<S.in_flight>;
  constexpr bool looks_ahead = S.one_ahead() > 0;
  const pinned_caller caller;
  link pulled;
  link loaded;
  const companion io(caller, 1, [&pulled, &loaded] {
    typename link::receiver from_caller(pulled);
    typename link::sender to_caller(loaded);
    for (value v = from_caller.receive(); v != no_more; v = from_caller.receive())
      to_caller.send(step::load(v));
  });
  typename link::sender to_io(pulled);
  typename link::receiver from_io(loaded);
  Source source(batches);
  value sum = 0;
  int left = 0;  // pulled, and not yet received
  const auto pull = [&] {
    value v = 0;
    if (!source(v)) return false;
    to_io.send(v);
    return true;
  };
  const stopwatch time;
  while (left < S.furthest() && pull()) ++left;
  if (left > 0) {
    if constexpr (looks_ahead) {
      value now = from_io.receive();
      step::ahead(now);
      const auto progress = [&] {
        const value next = from_io.receive();
        step::ahead(next);
        sum += step::rest(now);
        now = next;
      };
      if (left == S.furthest())
        while (pull()) progress();
      for (--left; left > 0; --left) progress();
      sum += step::rest(now);
    } else {
      if (left == S.furthest())
        while (pull()) sum += step::rest(from_io.receive());
      for (; left > 0; --left) sum += step::rest(from_io.receive());
    }
  }
  const outcome found = time.stop(sum);
  to_io.send(no_more);
  return found;
}

}  // namespace benchmarks::by_hand
