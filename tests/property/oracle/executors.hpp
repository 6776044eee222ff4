// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <stretto/plan/model/plan.hpp>
#include "interleavings.hpp"

/// What different executors make of a plan and the waits that they are given.
namespace oracle {

namespace planner = stretto::planner;
using planner::edge;
using edges = std::vector<edge>;

inline bool on_device(const planner::plan& p, std::size_t n) {
  return p.resolved.nodes[n].stream != planner::none;
}

inline std::vector<lane> chains(const planner::plan& p, bool barrier) {
  std::vector<lane> lanes;
  for (std::size_t t = 0; t < p.threads.chains.size(); ++t) {
    const planner::range& chain = p.threads.chains[t];
    if (chain.first == chain.last) continue;
    lane l;
    l.meets = barrier;
    l.every = p.threads.workers[t];
    for (std::size_t i = chain.first; i < chain.last; ++i)
      l.steps.push_back({p.threads.chained[i], act::run, {}});
    for (; l.phase < l.every; ++l.phase) lanes.push_back(l);
  }
  return lanes;
}

inline std::vector<lane> streams(const planner::plan& p) {
  std::vector<lane> lanes;
  for (std::size_t s = 0; s < p.resolved.streams.size(); ++s) {
    lane l;
    for (const std::size_t n : p.order)
      if (p.resolved.nodes[n].stream == s) l.steps.push_back({n, act::run, {}});
    if (!l.steps.empty()) lanes.push_back(l);
  }
  return lanes;
}

/// Makes a step wait, on each lane that has it.
inline void add_wait(std::vector<lane>& lanes, std::size_t node, act does, const wait& w) {
  for (lane& l : lanes)
    for (step& s : l.steps)
      if (s.node == node && s.does == does) s.waits.push_back(w);
}

/// Host threads alone: each runs its tasks itself, whatever stream they are on.
inline std::vector<lane> host_executor(const planner::plan& p, const edges& host_waits,
                                       bool barrier) {
  std::vector<lane> lanes = chains(p, barrier);
  for (const edge& e : host_waits)
    add_wait(lanes, e.consumer, act::run, {e.producer, e.delta, false});
  return lanes;
}

/// Host threads that submit to in-order streams and go on. A stream's head waits for the events it
/// is given; a host task blocks until what it needs of a device is done: \p blocking. Threads wait
/// for each other until the one has run, or submitted, what the other needs.
inline std::vector<lane> device_executor(const planner::plan& p, const edges& host_waits,
                                         const edges& stream_waits, const edges& blocking,
                                         bool barrier) {
  std::vector<lane> lanes = chains(p, barrier);
  for (lane& l : lanes)
    for (step& s : l.steps)
      if (on_device(p, s.node)) s.does = act::submit;
  for (const lane& l : streams(p)) lanes.push_back(l);
  for (const edge& e : host_waits) {
    const bool submits = on_device(p, e.consumer);
    add_wait(lanes, e.consumer, submits ? act::submit : act::run, {e.producer, e.delta, true});
  }
  for (const edge& e : blocking)
    add_wait(lanes, e.consumer, act::run, {e.producer, e.delta, false});
  for (std::size_t n = 0; n < p.order.size(); ++n)
    if (on_device(p, n)) add_wait(lanes, n, act::run, {n, 0, true});
  for (const edge& e : stream_waits)
    add_wait(lanes, e.consumer, act::run, {e.producer, e.delta, false});
  return lanes;
}

/// As little order as a plan promises: submission orders nothing, except that a thread submits
/// after the host tasks it ran before. What the declarations, the copies and the source ask for is
/// waited for; between streams, \p stream_waits, and where host tasks wait for streams, \p
/// blocking.
inline std::vector<lane> relaxed_executor(const planner::plan& p, const edges& stream_waits,
                                          const edges& blocking) {
  std::vector<lane> lanes;
  for (lane l : chains(p, false)) {
    std::erase_if(l.steps, [&](const step& s) { return on_device(p, s.node); });
    if (!l.steps.empty()) lanes.push_back(l);
  }
  for (const lane& l : streams(p)) lanes.push_back(l);
  for (const edge& e : p.edges) {
    if (e.why == planner::reason::ticket || on_device(p, e.producer)) continue;
    add_wait(lanes, e.consumer, act::run, {e.producer, e.delta, false});
  }
  for (const edges* all : {&stream_waits, &blocking})
    for (const edge& e : *all) add_wait(lanes, e.consumer, act::run, {e.producer, e.delta, false});
  for (const lane& l : chains(p, false)) {
    const std::size_t length = l.steps.size();
    for (std::size_t i = 0; i < length; ++i) {
      if (!on_device(p, l.steps[i].node)) continue;
      for (std::size_t back = 1; back < length; ++back) {
        const std::size_t before = l.steps[(i + length - back) % length].node;
        if (on_device(p, before)) continue;
        add_wait(lanes, l.steps[i].node, act::run, {before, back > i ? 1 : 0, false});
        break;
      }
    }
  }
  return lanes;
}

}  // namespace oracle
