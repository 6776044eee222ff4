// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <stretto/plan/model/algorithm.hpp>
#include <stretto/plan/model/list.hpp>
#include <stretto/plan/model/plan.hpp>
#include <stretto/plan/model/view.hpp>
#include <stretto/plan/order/effects.hpp>
#include <stretto/plan/order/happens_before.hpp>
#include <stretto/plan/order/reach.hpp>
#include <stretto/plan/order/waits.hpp>

namespace stretto::planner {

namespace detail {

/// Whether vector clocks would cost too much to tell which waits are implied: an entry per line in
/// each, a look at all edges into the consumer for each wait.
constexpr bool too_many_for_clocks(view<edge> waits, const tracks& lines, view<edge> edges) {
  if (lines.entries > most_clocks) return true;
  constexpr std::size_t most_looks = 1000000;
  if (waits.size() * edges.size() <= most_looks) return false;
  list<std::size_t> into(lines.track_of.size(), 0);
  for (const edge& e : edges) ++into[e.consumer];
  std::size_t looks = 0;
  for (const edge& e : waits) looks += into[e.consumer];
  return looks > most_looks;
}

/// A pipeline without its beginning is an acyclic graph of runs, and the least set of edges with
/// the same closure is unique: those that no other path implies. So all others can go at once.
constexpr list<edge> without_implied(view<edge> waits, const tracks& lines, view<std::size_t> order,
                                     view<edge> edges) {
  list<edge> kept;
  if (too_many_for_clocks(waits, lines, edges)) {
    list<std::size_t> workers;
    if (lines.have_workers()) workers = lines.workers_by_node();
    const list<char> implied = reach(order, edges, workers).implied(waits);
    for (std::size_t i = 0; i < waits.size(); ++i)
      if (implied[i] == 0) kept.push_back(waits[i]);
    return kept;
  }
  const happens_before hb(lines, order, edges);
  for (const edge& e : waits)
    if (!hb.implied(e)) kept.push_back(e);
  return kept;
}

constexpr list<edge> without_implied_effects(const plan& p, view<edge> waits) {
  const effects e = make_effects(p.resolved, p.order, p.edges, p.threads);
  return without_implied(waits, e.lines, p.order, e.edges);
}

}  // namespace detail

/// The order of effects that a plan establishes.
constexpr happens_before effect_order(const plan& p) {
  const effects e = make_effects(p.resolved, p.order, p.edges, p.threads);
  return {e.lines, p.order, e.edges};
}

/// The fewest waits between streams that, with the streams' own order, keep every edge: what a
/// device backend emits. A wait that the others imply is left out; what implies it may lead through
/// a task that does not fire, which must wait and signal in its place all the same. Each event has
/// been recorded when its wait is submitted: `run_ahead_waits` and `barrier_waits` see to that.
constexpr list<edge> minimal_stream_waits(const plan& p) {
  return detail::without_implied_effects(p, p.stream_waits);
}

/// The fewest waits of host tasks for what streams do, on their own thread's streams or others: a
/// backend blocks there until the stream has come so far. (That a thread submitted something
/// earlier does not mean that it is done.)
constexpr list<edge> blocking_waits(const plan& p) {
  const auto on_stream = [&p = p](std::size_t n) { return p.resolved.nodes[n].stream != none; };
  const auto blocks = [&](const edge& e) {
    return on_stream(e.producer) && !on_stream(e.consumer) && e.why != reason::ticket &&
           e.why != reason::order;
  };
  return detail::without_implied_effects(
      p, detail::each_once(detail::select_by_consumer(p.order.size(), p.edges, blocks)));
}

/// What keeps the host from running ahead of streams without end where no host task waits for any
/// of them: before it pulls a batch it waits for what it submitted as many progresses earlier as
/// there are batches in flight. None where \p blocking, the waits of host tasks, are some, or where
/// there is no task on a stream. Of each stream the last task is waited for, unless another one
/// that is waited for comes after it within that time.
constexpr list<edge> run_ahead_bound(const plan& p, view<edge> blocking) {
  list<edge> bound;
  if (!blocking.empty()) return bound;
  const int ahead = static_cast<int>(p.in_flight());
  list<std::size_t> last;  // of each stream
  list<char> known(p.resolved.streams.size(), 0);
  for (std::size_t i = p.order.size(); i-- > 0;) {
    const std::size_t n = p.order[i];
    const std::size_t stream = p.resolved.nodes[n].stream;
    if (n >= p.resolved.tasks || stream == none || known[stream] != 0) continue;
    known[stream] = 1;
    last.push_back(n);
  }
  if (last.empty()) return bound;
  const happens_before order = effect_order(p);
  for (const std::size_t n : last) {
    bool implied = false;
    for (const edge& e : bound) implied = implied || order.distance(n, e.producer, ahead) <= ahead;
    if (!implied) bound.push_back({n, p.resolved.pull(), ahead, reason::room, none, 0});
  }
  return bound;
}

namespace detail {

/// The delivery edges without those that a thread's own order implies, because it runs a task that
/// is no further ahead afterwards: a few edges instead of one for each task. (With workers, that
/// task is for this batch or, in the same progress, for one that was handed out before.)
constexpr list<edge> fewer_delivery_edges(const plan& p) {
  list<int> least(p.threads.names.size(), p.resolved.max_lookahead + 1);
  list<char> implied(p.order.size(), 0);
  for (std::size_t i = p.order.size(); i-- > 0;) {
    const std::size_t n = p.order[i];
    int& lookahead = least[p.threads.thread_of[n]];
    implied[n] = p.resolved.nodes[n].lookahead >= lookahead ? 1 : 0;
    lookahead = smaller(lookahead, p.resolved.nodes[n].lookahead);
  }
  list<edge> edges;
  for (const edge& e : delivery_edges(p.resolved))
    if (implied[e.producer] == 0) edges.push_back(e);
  return edges;
}

/// What orders the submissions of threads that run ahead of each other, with no barrier.
struct submissions {
  tracks lines;
  list<edge> kept;   ///< the edges that threads wait for
  list<edge> edges;  ///< those and the threads' own
};
constexpr submissions make_submissions(const plan& p) {
  submissions s;
  s.lines = tracks::lay(p.order, p.threads.names.size(),
                        [&p = p](std::size_t n) { return p.threads.thread_of[n]; });
  for (std::size_t t = 0; t < s.lines.workers.size(); ++t)
    s.lines.workers[t] = p.threads.workers[t];
  s.lines.count_entries();
  const list<edge> deliveries = fewer_delivery_edges(p);
  const list<edge> own = track_edges(s.lines, p.order, reason::thread);
  s.kept.reserve(p.edges.size() + deliveries.size());
  s.kept.append(p.edges);
  s.kept.append(deliveries);
  s.edges.reserve(s.kept.size() + own.size());
  s.edges.append(s.kept);
  s.edges.append(own);
  return s;
}

}  // namespace detail

/// The order in which host threads run or submit tasks when they run ahead of each other.
constexpr happens_before submission_order(const plan& p) {
  const detail::submissions s = detail::make_submissions(p);
  return {s.lines, p.order, s.edges};
}

/// The fewest waits between host threads that keep every edge when threads run ahead of each other,
/// with no barrier. Grouped by consumer.
constexpr list<edge> run_ahead_waits(const plan& p) {
  const detail::submissions s = detail::make_submissions(p);
  const auto crosses = [&p = p](const edge& e) { return p.threads.crosses(e); };
  return detail::without_implied(
      detail::each_once(detail::select_by_consumer(p.order.size(), s.kept, crosses)), s.lines,
      p.order, s.edges);
}

}  // namespace stretto::planner
