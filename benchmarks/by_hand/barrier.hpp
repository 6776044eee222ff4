// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <atomic>
#include <cstddef>
#include "../common/relax.hpp"
#include "cores.hpp"
#include "links.hpp"
#include "outcome.hpp"
#include "tasks.hpp"

// Two spinning threads by hand that meet after each progress, three batches in flight: the other
// one loads a batch, over any link, and the calling one does the rest of the progress meanwhile.

namespace benchmarks::by_hand {

/// The progresses of the calling thread. \p open has the next batch loaded, if there is one, and
/// \p close gives it, or `no_more`.
template <split S, class Open, class Close>
value meet(Open open, Close close) {
  static_assert(S.in_flight == 3);
  using step = steps<S>;
  value sum = 0;
  if (!open()) return sum;
  value now = close();
  if (now == no_more) return sum;
  value one_ahead = no_more;
  if (open()) {
    step::ahead(now);
    one_ahead = close();
  } else {
    step::ahead(now);
  }
  while (one_ahead != no_more) {
    const bool opened = open();
    step::ahead(one_ahead);
    sum += step::rest(now);
    now = one_ahead;
    one_ahead = opened ? close() : no_more;
  }
  return sum + step::rest(now);
}

template <split S, class Source, template <std::size_t> class Link>
outcome barrier_caller_pulls(value batches) {
  using link = Link<1>;
  const pinned_caller caller;
  link pulled;
  link loaded;
  const companion io(caller, 1, [&pulled, &loaded] {
    typename link::receiver from_caller(pulled);
    typename link::sender to_caller(loaded);
    for (value v = from_caller.receive(); v != no_more; v = from_caller.receive())
      to_caller.send(steps<S>::load(v));
  });
  typename link::sender to_io(pulled);
  typename link::receiver from_io(loaded);
  Source source(batches);
  const stopwatch time;
  const value sum = meet<S>(
      [&] {
        value v = 0;
        if (!source(v)) return false;
        to_io.send(v);
        return true;
      },
      [&] { return from_io.receive(); });
  const outcome found = time.stop(sum);
  to_io.send(no_more);
  return found;
}

template <split S, class Source, template <std::size_t> class Link>
outcome barrier_io_pulls(value batches) {
  using link = Link<1>;
  const pinned_caller caller;
  link loaded;
  alignas(cache_line) std::atomic<value> opened{0};
  const companion io(caller, 1, [&loaded, &opened, source = Source(batches)]() mutable {
    typename link::sender to_caller(loaded);
    value v = 0;
    for (value progress = 1;; ++progress) {
      while (opened.load(std::memory_order_acquire) != progress) relax();
      if (!source(v)) break;
      to_caller.send(steps<S>::load(v));
    }
    to_caller.send(no_more);
  });
  typename link::receiver from_io(loaded);
  value progress = 0;
  const stopwatch time;
  const value sum = meet<S>(
      [&] {
        opened.store(++progress, std::memory_order_release);
        return true;
      },
      [&] { return from_io.receive(); });
  return time.stop(sum);
}

}  // namespace benchmarks::by_hand
