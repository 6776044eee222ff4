// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <array>
#include <cstddef>
#include <stretto/device/capture.hpp>
#include <stretto/device/ordering.hpp>
#include <stretto/plan/layout/period.hpp>
#include <stretto/plan/model/edge.hpp>
#include <stretto/plan/model/edge_groups.hpp>
#include <stretto/plan/model/list.hpp>
#include <stretto/plan/order/effects.hpp>
#include <stretto/static/query/plan_of.hpp>
#include <stretto/static/values/constant_plan.hpp>

/// Which tasks one launch of a graph does.
///
/// A graph either holds what consecutive tasks of a thread put on one stream, with the waits and
/// records between streams outside of it, or what they put on several: it is launched on one of
/// these streams and comes before what follows there. In there, waits between its tasks are edges.
/// Waits for others lie before the launch, and events that others wait for are recorded behind it.
/// A stream that graphs span besides the one that they are launched on has no other task,
/// so nothing has to be put on it while they are launched.
namespace stretto::device {

/// Why the graphs of a thread span its streams, or do not.
enum class span_choice {
  spans,  ///< a progress takes fewer calls that way
  no_fewer_calls,
  longer,         ///< by the tasks' weights a progress would take longer: a launch ends for all its
                  ///< streams before the next one begins
  too_many_tasks  ///< for a compiler to tell whether it would take longer
};

namespace detail {

template <class Schedule, class Driver>
class launches {
  static constexpr const auto& plan = plan_of<Schedule>;
  using order = ordering<Schedule>;
  using captured = capture<Schedule, Driver>;
  static constexpr std::size_t nodes = order::nodes;

 public:
  static constexpr std::size_t none = order::none;

  /// By node, and by thread.
  struct grouping {
    std::array<std::size_t, nodes> first{};          ///< of its graph; none: it is called
    std::array<bool, nodes> spanning{};              ///< in graphs that span streams
    std::array<std::size_t, plan.threads> launch{};  ///< their stream; none: there are none
    std::array<span_choice, plan.threads> choice{};
  };

 private:
  /// Above this a compiler would have too much to do.
  static constexpr std::size_t most_nodes = 66;

  /// After how many progresses a node in a graph that spans streams uses the same copies and
  /// records the same event again.
  static constexpr std::size_t turn_of(std::size_t node) {
    const std::size_t events = order::event_count[node];
    return common_turn(captured::turns[node], events > 0 ? events : 1);
  }
  static constexpr bool can_span(std::size_t node, std::size_t thread) {
    return captured::can(node) && plan.thread_of[node] == thread && turn_of(node) <= longest_turn;
  }
  static constexpr bool has_only(std::size_t stream, std::size_t thread) {
    for (std::size_t n = 0; n < nodes; ++n)
      if (order::stream_of[n] == stream && !can_span(n, thread)) return false;
    return true;
  }
  /// Whether graphs of a thread can be launched on a stream: another thread would find it captured.
  static constexpr bool can_launch_on(std::size_t stream, std::size_t thread) {
    bool has_any = false;
    for (std::size_t n = 0; n < nodes; ++n) {
      if (order::stream_of[n] != stream) continue;
      if (plan.thread_of[n] != thread) return false;
      has_any = has_any || can_span(n, thread);
    }
    return has_any;
  }

  /// Whether a thread waits for others right before a node, however it keeps pace with them.
  static constexpr bool thread_waits(std::size_t node) {
    if (plan.host_threads() == 1) return false;
    const stretto::planner::range ahead = plan.run_ahead.of[node];
    const stretto::planner::range meeting = plan.barrier.of[node];
    return ahead.first != ahead.last || meeting.first != meeting.last;
  }
  /// The node before which a thread that does not pull finds out whether there is a newest batch.
  static constexpr std::size_t first_of_newest(std::size_t thread) {
    if (plan.thread_of[plan.pull] == thread) return none;
    const stretto::planner::range chain = plan.chains[thread];
    std::size_t first = plan.chained[chain.first];
    for (std::size_t i = chain.first; i < chain.last; ++i)
      if (plan.lag[plan.chained[i]] < plan.lag[first]) first = plan.chained[i];
    return first;
  }

  /// Cuts a thread's chain into graphs. \p launch: the stream on which those are launched that span
  /// others; none: no graph does.
  static constexpr void cut(grouping& g, std::size_t thread, std::size_t launch) {
    const stretto::planner::range chain = plan.chains[thread];
    const std::size_t newest = first_of_newest(thread);
    std::size_t before = none;  // in the graph that is open
    std::size_t turn = 1;
    g.launch[thread] = launch;
    for (std::size_t i = chain.first; i < chain.last; ++i) {
      const std::size_t n = plan.chained[i];
      g.first[n] = none;
      g.spanning[n] = launch != none && can_span(n, thread) &&
                      (order::stream_of[n] == launch || has_only(order::stream_of[n], thread));
      const std::size_t own = !captured::can(n) ? 1
                              : g.spanning[n]   ? turn_of(n)
                                                : captured::turns[n];
      const bool follows = before != none && captured::can(n) && !thread_waits(n) && n != newest &&
                           g.spanning[n] == g.spanning[before] &&
                           common_turn(turn, own) <= longest_turn &&
                           (g.spanning[n] || captured::can_follow(before, n));
      turn = follows ? common_turn(turn, own) : own;
      if (captured::can(n)) g.first[n] = follows ? g.first[before] : n;
      before = captured::can(n) ? n : none;
    }
  }

  /// Whether a graph that spans streams has to be told to wait for \p e: not where the order of the
  /// stream on which it is launched says the same.
  static constexpr bool waits_outside(const grouping& g, const stretto::planner::edge& e) {
    const std::size_t thread = plan.thread_of[e.consumer];
    const bool together = g.spanning[e.producer] && plan.thread_of[e.producer] == thread;
    return !together && order::stream_of[e.producer] != g.launch[thread];
  }

  /// Whether somebody waits for a node who is in none of its thread's graphs that span streams.
  static constexpr bool is_recorded_outside(const grouping& g, std::size_t node) {
    if (order::blocking_waits.awaited[node]) return true;
    for (const stretto::planner::edge& e : plan.streams.edges)
      if (e.producer == node &&
          !(g.spanning[e.consumer] && plan.thread_of[e.consumer] == plan.thread_of[node]))
        return true;
    return false;
  }

  /// What a thread asks the device for in a steady progress, for the tasks that can be captured.
  static constexpr std::size_t calls(const grouping& g, std::size_t thread) {
    std::size_t all = 0;
    for (std::size_t n = 0; n < nodes; ++n) {
      if (!captured::can(n) || plan.thread_of[n] != thread) continue;
      if (g.first[n] == n) ++all;
      if (g.spanning[n] ? is_recorded_outside(g, n) : order::event_count[n] > 0) ++all;
      for (std::size_t w = plan.streams.of[n].first; w < plan.streams.of[n].last; ++w)
        if (!g.spanning[n] || waits_outside(g, plan.streams.edges[w])) ++all;
    }
    return all;
  }

  /// What a launch adds to the order: all streams of a graph come after all of the thread's graph
  /// before it, and after what lies before the launch; whoever waits for one of its tasks comes
  /// after all.
  static constexpr void add_order(const grouping& g, std::size_t thread,
                                  stretto::planner::list<stretto::planner::edge>& edges) {
    const stretto::planner::range chain = plan.chains[thread];
    stretto::planner::list<std::size_t> heads;  // of the graphs, in order
    for (std::size_t i = chain.first; i < chain.last; ++i)
      if (g.spanning[plan.chained[i]] && g.first[plan.chained[i]] == plan.chained[i])
        heads.push_back(plan.chained[i]);
    const auto each_in = [&g](std::size_t head, auto use) {
      for (std::size_t n = 0; n < nodes; ++n)
        if (g.spanning[n] && g.first[n] == head) use(n);
    };
    const std::size_t declared = edges.size();
    for (std::size_t i = 0; i < declared; ++i) {
      stretto::planner::edge e = edges[i];
      const std::size_t awaited = e.producer;
      if (!g.spanning[awaited] || plan.thread_of[awaited] != thread ||
          (g.spanning[e.consumer] && plan.thread_of[e.consumer] == thread))
        continue;
      each_in(g.first[awaited], [&](std::size_t other) {
        e.producer = other;
        if (other != awaited) edges.push_back(e);
      });
    }
    for (std::size_t h = 0; h < heads.size(); ++h) {
      const std::size_t before = heads[h == 0 ? heads.size() - 1 : h - 1];
      const int back = h == 0 ? 1 : 0;
      each_in(heads[h], [&](std::size_t n) {
        each_in(before, [&](std::size_t p) {
          edges.push_back({p, n, back, stretto::planner::reason::stream, none, 0});
        });
        for (std::size_t w = plan.streams.of[n].first; w < plan.streams.of[n].last; ++w) {
          stretto::planner::edge e = plan.streams.edges[w];
          if (!waits_outside(g, e)) continue;
          each_in(heads[h], [&](std::size_t other) {
            e.consumer = other;
            edges.push_back(e);
          });
        }
      });
    }
  }
  /// Time per progress by the tasks' weights, if nothing but these edges takes time.
  static constexpr stretto::planner::ratio period(
      const stretto::planner::plan& p,
      const stretto::planner::list<stretto::planner::edge>& edges) {
    stretto::planner::timing t;
    for (const stretto::planner::node& n : p.resolved.nodes) t.weight.push_back(n.weight);
    for (std::size_t n = 0; n < nodes; ++n) {
      const std::size_t first = t.arcs.size();
      for (const stretto::planner::edge& e : edges)
        if (e.consumer == n) t.arcs.push_back({e.producer, e.delta});
      t.into.push_back({first, t.arcs.size()});
    }
    stretto::planner::period_finder finder(t);
    return finder.period({0, 1}, p.order);
  }
  static constexpr bool takes_longer(const grouping& g, std::size_t thread) {
    const stretto::planner::plan p = typed::constant_plan<Schedule>::read();
    stretto::planner::effects e =
        stretto::planner::make_effects(p.resolved, p.order, p.edges, p.threads);
    const stretto::planner::ratio without = period(p, e.edges);
    add_order(g, thread, e.edges);
    return without < period(p, e.edges);
  }

  static constexpr void choose(grouping& g, std::size_t thread) {
    cut(g, thread, none);
    g.choice[thread] = span_choice::no_fewer_calls;
    std::size_t fewest = calls(g, thread);
    for (std::size_t launch = 0; launch < order::streams; ++launch) {
      if (!can_launch_on(launch, thread)) continue;
      grouping other = g;
      cut(other, thread, launch);
      const std::size_t needed = calls(other, thread);
      if (needed >= fewest) continue;
      if (nodes > most_nodes) {
        g.choice[thread] = span_choice::too_many_tasks;
      } else if (takes_longer(other, thread)) {
        if (g.launch[thread] == none) g.choice[thread] = span_choice::longer;
      } else {
        g = other;
        g.choice[thread] = span_choice::spans;
        fewest = needed;
      }
    }
  }

 public:
  static constexpr grouping chosen = [] {
    grouping g;
    for (std::size_t n = 0; n < nodes; ++n) g.first[n] = none;
    for (std::size_t t = 0; t < plan.threads; ++t) choose(g, t);
    return g;
  }();

  static constexpr bool spans(std::size_t node) { return chosen.spanning[node]; }
  static constexpr bool follows(std::size_t before, std::size_t node) {
    return chosen.first[node] != none && chosen.first[node] == chosen.first[before];
  }
  /// The stream on which the graphs are launched that a node is in, which span streams.
  static constexpr std::size_t launch_stream(std::size_t node) {
    return chosen.launch[plan.thread_of[node]];
  }
  /// By stream: the thread whose graphs span it; none: no graph does.
  static constexpr auto spanned_by = [] {
    std::array<std::size_t, order::streams> all{};
    for (std::size_t& thread : all) thread = none;
    for (std::size_t n = 0; n < nodes; ++n)
      if (chosen.spanning[n]) all[order::stream_of[n]] = plan.thread_of[n];
    return all;
  }();

  /// Of a wait of a node that graphs span: whether it lies before the launch, or is an edge of the
  /// graph; what is neither, the stream of the launch sees to.
  static constexpr bool is_before_launch(const stretto::planner::edge& e) {
    return waits_outside(chosen, e);
  }
  static constexpr bool is_inside(const stretto::planner::edge& e) {
    return e.delta == 0 && follows(e.producer, e.consumer);
  }
  /// By node that graphs span: whether others in its graph wait for it; whether somebody does who
  /// is in none of the thread's.
  static constexpr bool is_awaited_inside(std::size_t node) {
    for (const stretto::planner::edge& e : plan.streams.edges)
      if (e.producer == node && is_inside(e)) return true;
    return false;
  }
  static constexpr bool is_awaited_outside(std::size_t node) {
    return is_recorded_outside(chosen, node);
  }

  /// After how many progresses nodes of one graph use the same copies, and record the same events,
  /// again.
  template <std::size_t... Node>
  static constexpr std::size_t turn = [] {
    std::size_t all = 1;
    ((all = common_turn(all, spans(Node) ? turn_of(Node) : captured::turns[Node])), ...);
    return all;
  }();
};

}  // namespace detail
}  // namespace stretto::device
