// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <stretto/plan/model/algorithm.hpp>
#include <stretto/plan/model/copy_size.hpp>
#include <stretto/plan/model/edge.hpp>
#include <stretto/plan/model/list.hpp>
#include <stretto/plan/model/rate.hpp>
#include <stretto/plan/model/view.hpp>

/// Which signals are said next to the value that they are about, too.
namespace stretto::planner {

/// The room that a word of a signal takes behind a value, and its alignment.
inline constexpr std::size_t signal_size = 4;
inline constexpr std::size_t signal_alignment = 4;

/// Where behind a value of this size it is.
constexpr std::size_t signal_place(std::size_t size) {
  return (size + signal_alignment - 1) / signal_alignment * signal_alignment;
}

/// What is known of a plan when its signals are placed.
struct signalling {
  view<edge> edges;             ///< every happens-before edge
  view<std::size_t> fillers;    ///< by slot
  view<std::size_t> thread_of;  ///< by node
  view<std::size_t> workers;    ///< by thread
  view<std::size_t> sizes;      ///< by slot: the bytes of a value
  view<rate> runs{};            ///< by node: for which batches it runs; empty: for all
};

/// By node: the slot in whose copies its signal is said early, each behind the value that it is
/// about; none: nowhere. So a small value that another thread waits for comes in one cache line
/// with the news that it is there, and while one copy is filled nobody looks at the line of
/// another. (Workers share copies in turns that are not those of their signals, and a copy that is
/// filled once per N batches has no room for the signals of N.)
constexpr list<std::size_t> signal_slots(const signalling& of) {
  list<std::size_t> found(of.thread_of.size(), none);
  for (const edge& e : of.edges) {
    if (e.slot == none || of.fillers[e.slot] != e.producer || found[e.producer] != none) continue;
    if (!of.runs.empty() && of.runs[e.producer].every > 1) continue;
    const std::size_t thread = of.thread_of[e.producer];
    if (of.thread_of[e.consumer] == thread || of.workers[thread] != 1) continue;
    if (signal_place(of.sizes[e.slot]) + signal_size <= copy_alignment(of.sizes[e.slot]))
      found[e.producer] = e.slot;
  }
  return found;
}

}  // namespace stretto::planner
