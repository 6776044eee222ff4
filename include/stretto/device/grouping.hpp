// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <stretto/device/obstacle.hpp>
#include <stretto/plan/layout/period.hpp>
#include <stretto/plan/model/edge.hpp>
#include <stretto/plan/model/graph.hpp>
#include <stretto/plan/model/list.hpp>
#include <stretto/plan/model/plan.hpp>
#include <stretto/plan/model/view.hpp>
#include <stretto/plan/order/effects.hpp>
#include <string_view>
#include <vector>

/// Which tasks one launch of a graph does, whoever made the plan.
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

/// Tasks that one launch of a graph does in a steady progress, in the order in which their bodies
/// were called.
struct launch_group {
  std::vector<std::string_view> tasks;
  std::string_view stream;  ///< on which it is launched
  std::string_view reason;  ///< why the graphs of their thread span its streams, or do not
};

namespace detail {

constexpr std::string_view reason_of(span_choice c) {
  switch (c) {
    case span_choice::spans:
      return "graphs span the streams of this thread: a progress takes fewer calls that way";
    case span_choice::no_fewer_calls:
      return "each graph is of one stream: a progress would take no fewer calls otherwise";
    case span_choice::longer:
      return "each graph is of one stream: by the tasks' weights a progress would take longer "
             "otherwise, because a launch ends on all of its streams before the next one begins";
    case span_choice::too_many_tasks:
      return "each graph is of one stream: there are too many tasks to tell whether a progress "
             "would take longer otherwise";
  }
  return "";
}

/// What graphs depend on of a plan and of its order on a device, by node where nothing else is
/// said.
struct capture_facts {
  static constexpr std::size_t none = planner::none;

  std::size_t streams = 0;  ///< how many
  std::size_t pull = 0;
  planner::view<std::size_t> thread_of;
  planner::view<planner::range> chains;  ///< by thread, into `chained`
  planner::view<std::size_t> chained;    ///< nodes by thread
  planner::view<std::size_t> lag;
  planner::view<std::size_t> stream_of;  ///< none: a host task
  planner::view<std::size_t> event_count;
  planner::view<bool> host_waits;       ///< whether a host task waits for it
  planner::view<bool> waits;            ///< whether its thread waits for others right before it
  planner::view<bool> can;              ///< whether it can be captured
  planner::view<std::size_t> turns;     ///< after how many progresses it uses the same copies again
  planner::view<planner::edge> awaits;  ///< the waits between streams, grouped by consumer
  planner::view<planner::range> awaits_of;

  constexpr std::size_t nodes() const { return thread_of.size(); }
  constexpr std::size_t threads() const { return chains.size(); }
};

/// Who is with whom in a graph.
struct grouping {
  planner::list<std::size_t> first;   ///< by node: of its graph; none: it is called
  planner::list<bool> spanning;       ///< by node: in graphs that span streams
  planner::list<std::size_t> launch;  ///< by thread: the stream of those; none: there are none
  planner::list<span_choice> choice;  ///< by thread
};

/// A grouping, and what becomes of waits between streams.
struct grouped_nodes {
  static constexpr std::size_t none = planner::none;

  capture_facts facts;
  planner::view<std::size_t> first;
  planner::view<bool> spanning;
  planner::view<std::size_t> launch;

  constexpr bool spans(std::size_t node) const { return spanning[node]; }
  constexpr bool follows(std::size_t before, std::size_t node) const {
    return first[node] != none && first[node] == first[before];
  }
  /// The stream on which the graph is launched that a node is in.
  constexpr std::size_t launch_stream(std::size_t node) const {
    return spans(node) ? launch[facts.thread_of[node]] : facts.stream_of[node];
  }
  /// The thread whose graphs span a stream; none: no graph does.
  constexpr std::size_t spanned_by(std::size_t stream) const {
    for (std::size_t n = 0; n < facts.nodes(); ++n)
      if (spanning[n] && facts.stream_of[n] == stream) return facts.thread_of[n];
    return none;
  }

  /// Of a wait of a node that graphs span: whether it lies before the launch, or is an edge of the
  /// graph; what is neither, the order of the stream says on which it is launched.
  constexpr bool is_before_launch(const planner::edge& e) const {
    const std::size_t thread = facts.thread_of[e.consumer];
    const bool together = spanning[e.producer] && facts.thread_of[e.producer] == thread;
    return !together && facts.stream_of[e.producer] != launch[thread];
  }
  constexpr bool is_inside(const planner::edge& e) const {
    return e.delta == 0 && follows(e.producer, e.consumer);
  }
  /// Of a node that graphs span: whether others in its graph wait for it; whether somebody does who
  /// is in none of its thread's.
  constexpr bool is_awaited_inside(std::size_t node) const {
    for (const planner::edge& e : facts.awaits)
      if (e.producer == node && is_inside(e)) return true;
    return false;
  }
  constexpr bool is_awaited_outside(std::size_t node) const {
    if (facts.host_waits[node]) return true;
    for (const planner::edge& e : facts.awaits)
      if (e.producer == node &&
          !(spanning[e.consumer] && facts.thread_of[e.consumer] == facts.thread_of[node]))
        return true;
    return false;
  }

  /// After how many progresses a node uses the same copies and, in a graph that spans streams,
  /// records the same event again.
  constexpr std::size_t turn_of(std::size_t node) const {
    return spans(node) ? turn_in_span(facts, node) : facts.turns[node];
  }
  static constexpr std::size_t turn_in_span(const capture_facts& facts, std::size_t node) {
    const std::size_t events = facts.event_count[node];
    return common_turn(facts.turns[node], events > 0 ? events : 1);
  }
};

/// Finds who is with whom. `ReadPlan` gives the plan where somebody has to ask what takes longer.
template <class ReadPlan>
class grouping_search {
  static constexpr std::size_t none = planner::none;
  using edges = planner::list<planner::edge>;

 public:
  /// \p most_nodes: of how many it can be asked what takes longer.
  constexpr grouping_search(const capture_facts& facts, std::size_t most_nodes, ReadPlan read_plan)
      : facts_(facts), most_nodes_(most_nodes), read_plan_(read_plan) {}

  constexpr grouping find() const {
    grouping g;
    g.first.assign(facts_.nodes(), none);
    g.spanning.assign(facts_.nodes(), false);
    g.launch.assign(facts_.threads(), none);
    g.choice.assign(facts_.threads(), span_choice::no_fewer_calls);
    for (std::size_t t = 0; t < facts_.threads(); ++t) choose(g, t);
    return g;
  }

 private:
  constexpr grouped_nodes with(const grouping& g) const {
    return {facts_, g.first, g.spanning, g.launch};
  }

  constexpr bool can_span(std::size_t node, std::size_t thread) const {
    return facts_.can[node] && facts_.thread_of[node] == thread &&
           grouped_nodes::turn_in_span(facts_, node) <= longest_turn;
  }
  constexpr bool has_only(std::size_t stream, std::size_t thread) const {
    for (std::size_t n = 0; n < facts_.nodes(); ++n)
      if (facts_.stream_of[n] == stream && !can_span(n, thread)) return false;
    return true;
  }
  /// Whether graphs of a thread can be launched on a stream: another thread would find it captured.
  constexpr bool can_launch_on(std::size_t stream, std::size_t thread) const {
    bool has_any = false;
    for (std::size_t n = 0; n < facts_.nodes(); ++n) {
      if (facts_.stream_of[n] != stream) continue;
      if (facts_.thread_of[n] != thread) return false;
      has_any = has_any || can_span(n, thread);
    }
    return has_any;
  }
  /// Whether a node can be in one graph of one stream with the one that its thread runs right
  /// before it.
  constexpr bool can_follow(std::size_t before, std::size_t node) const {
    if (!facts_.can[before] || !facts_.can[node] ||
        facts_.stream_of[before] != facts_.stream_of[node])
      return false;
    const planner::range waits = facts_.awaits_of[node];
    return waits.first == waits.last && facts_.event_count[before] == 0;
  }
  /// The node before which a thread that does not pull finds out whether there is a newest batch.
  constexpr std::size_t first_of_newest(std::size_t thread) const {
    if (facts_.thread_of[facts_.pull] == thread) return none;
    const planner::range chain = facts_.chains[thread];
    if (chain.first == chain.last) return none;
    std::size_t first = facts_.chained[chain.first];
    for (std::size_t i = chain.first; i < chain.last; ++i)
      if (facts_.lag[facts_.chained[i]] < facts_.lag[first]) first = facts_.chained[i];
    return first;
  }

  /// Cuts a thread's chain into graphs. \p launch: the stream on which those are launched that span
  /// others; none: no graph does.
  constexpr void cut(grouping& g, std::size_t thread, std::size_t launch) const {
    const planner::range chain = facts_.chains[thread];
    const std::size_t newest = first_of_newest(thread);
    std::size_t before = none;  // in the graph that is open
    std::size_t turn = 1;
    g.launch[thread] = launch;
    for (std::size_t i = chain.first; i < chain.last; ++i) {
      const std::size_t n = facts_.chained[i];
      g.first[n] = none;
      g.spanning[n] = launch != none && can_span(n, thread) &&
                      (facts_.stream_of[n] == launch || has_only(facts_.stream_of[n], thread));
      const std::size_t own = facts_.can[n] ? with(g).turn_of(n) : 1;
      const bool follows = before != none && facts_.can[n] && !facts_.waits[n] && n != newest &&
                           g.spanning[n] == g.spanning[before] &&
                           common_turn(turn, own) <= longest_turn &&
                           (g.spanning[n] || can_follow(before, n));
      turn = follows ? common_turn(turn, own) : own;
      if (facts_.can[n]) g.first[n] = follows ? g.first[before] : n;
      before = facts_.can[n] ? n : none;
    }
  }

  /// What a thread asks the device for in a steady progress, for the tasks that can be captured.
  constexpr std::size_t calls(const grouping& g, std::size_t thread) const {
    const grouped_nodes nodes = with(g);
    std::size_t all = 0;
    for (std::size_t n = 0; n < facts_.nodes(); ++n) {
      if (!facts_.can[n] || facts_.thread_of[n] != thread) continue;
      if (g.first[n] == n) ++all;
      if (g.spanning[n] ? nodes.is_awaited_outside(n) : facts_.event_count[n] > 0) ++all;
      for (std::size_t w = facts_.awaits_of[n].first; w < facts_.awaits_of[n].last; ++w)
        if (!g.spanning[n] || nodes.is_before_launch(facts_.awaits[w])) ++all;
    }
    return all;
  }

  /// What a launch adds to the order: all streams of a graph come after all of the thread's graph
  /// before it, and after what lies before the launch; whoever waits for one of its tasks comes
  /// after all.
  constexpr void add_order(const grouping& g, std::size_t thread, edges& all) const {
    const grouped_nodes nodes = with(g);
    const planner::range chain = facts_.chains[thread];
    planner::list<std::size_t> heads;  // of the graphs, in order
    for (std::size_t i = chain.first; i < chain.last; ++i)
      if (g.spanning[facts_.chained[i]] && g.first[facts_.chained[i]] == facts_.chained[i])
        heads.push_back(facts_.chained[i]);
    const auto each_in = [&g, this](std::size_t head, auto use) {
      for (std::size_t n = 0; n < facts_.nodes(); ++n)
        if (g.spanning[n] && g.first[n] == head) use(n);
    };
    const std::size_t declared = all.size();
    for (std::size_t i = 0; i < declared; ++i) {
      planner::edge e = all[i];
      const std::size_t awaited = e.producer;
      if (!g.spanning[awaited] || facts_.thread_of[awaited] != thread ||
          (g.spanning[e.consumer] && facts_.thread_of[e.consumer] == thread))
        continue;
      each_in(g.first[awaited], [&](std::size_t other) {
        e.producer = other;
        if (other != awaited) all.push_back(e);
      });
    }
    for (std::size_t h = 0; h < heads.size(); ++h) {
      const std::size_t before = heads[h == 0 ? heads.size() - 1 : h - 1];
      const int back = h == 0 ? 1 : 0;
      each_in(heads[h], [&](std::size_t n) {
        each_in(before, [&](std::size_t p) {
          all.push_back({p, n, back, planner::reason::stream, none, 0});
        });
        for (std::size_t w = facts_.awaits_of[n].first; w < facts_.awaits_of[n].last; ++w) {
          planner::edge e = facts_.awaits[w];
          if (!nodes.is_before_launch(e)) continue;
          each_in(heads[h], [&](std::size_t other) {
            e.consumer = other;
            all.push_back(e);
          });
        }
      });
    }
  }
  /// Time per progress by the tasks' weights, if nothing but these edges takes time.
  static constexpr planner::ratio period(const planner::plan& p, const edges& all) {
    planner::timing t;
    for (const planner::node& n : p.resolved.nodes) t.weight.push_back(n.weight);
    for (std::size_t n = 0; n < p.resolved.nodes.size(); ++n) {
      const std::size_t first = t.arcs.size();
      for (const planner::edge& e : all)
        if (e.consumer == n) t.arcs.push_back({e.producer, e.delta});
      t.into.push_back({first, t.arcs.size()});
    }
    planner::period_finder finder(t);
    return finder.period({0, 1}, p.order);
  }
  constexpr bool takes_longer(const grouping& g, std::size_t thread) const {
    const planner::plan& p = read_plan_();
    planner::effects e = planner::make_effects(p.resolved, p.order, p.edges, p.threads);
    const planner::ratio without = period(p, e.edges);
    add_order(g, thread, e.edges);
    return without < period(p, e.edges);
  }

  constexpr void choose(grouping& g, std::size_t thread) const {
    cut(g, thread, none);
    g.choice[thread] = span_choice::no_fewer_calls;
    std::size_t fewest = calls(g, thread);
    for (std::size_t launch = 0; launch < facts_.streams; ++launch) {
      if (!can_launch_on(launch, thread)) continue;
      grouping other = g;
      cut(other, thread, launch);
      const std::size_t needed = calls(other, thread);
      if (needed >= fewest) continue;
      if (facts_.nodes() > most_nodes_) {
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

  const capture_facts& facts_;
  std::size_t most_nodes_;
  ReadPlan read_plan_;
};

}  // namespace detail
}  // namespace stretto::device
